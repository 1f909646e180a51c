import type { JsonObject } from '../../base/json.ts';
import { isTooDeep } from '../../base/jsonText.ts';
import { type OpenIncoming, readBody } from '../wire/http/incoming.ts';
import { sendJson } from '../wire/http/answers.ts';

/** The error codes of RFC 6749, 7591 and 8707. */
export type OauthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'access_denied'
  | 'temporarily_unavailable';

/** An error that a client is told. `description` says what is wrong with its request, and nothing about the editor. */
export class OauthError extends Error {
  readonly error: OauthErrorCode;

  constructor(error: OauthErrorCode, description: string) {
    super(description);
    this.name = 'OauthError';
    this.error = error;
  }
}

/** The largest body of an OAuth request. */
const maxBytes = 16 * 1024;

export function sendOauthJson({ response }: OpenIncoming, status: number, content: JsonObject): void {
  sendJson(response, status, JSON.stringify(content));
}

export function sendOauthError(incoming: OpenIncoming, error: unknown): void {
  if (!(error instanceof OauthError)) {
    throw error;
  }
  const status = error.error === 'invalid_client' ? 401 : 400;
  sendOauthJson(incoming, status, { error: error.error, error_description: error.message });
}

/** Reads a small body of one media type. Errors of the body, and those that `take` throws, are answered here. */
export function takeBody(incoming: OpenIncoming, mediaType: string, take: (text: string) => void): void {
  const { request } = incoming;
  const [given = ''] = (request.headers['content-type'] ?? '').split(';');
  if (given.trim().toLowerCase() !== mediaType) {
    incoming.refuse({ status: 415 });
    return;
  }
  readBody(request, maxBytes, (reading) => {
    if (!incoming.isCurrent()) {
      request.socket.destroy(); // a token that is issued now would outlive the listener
    } else if (reading.kind === 'tooLarge') {
      incoming.refuse({ status: 413 });
    } else {
      try {
        take(reading.text);
      } catch (error) {
        sendUnlessBroken(incoming, error);
      }
    }
  });
}

function sendUnlessBroken(incoming: OpenIncoming, error: unknown): void {
  if (error instanceof OauthError) {
    sendOauthError(incoming, error);
  } else {
    incoming.refuse({ status: 500 });
  }
}

export function parseJson(text: string): unknown {
  try {
    return isTooDeep(text) ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

/** Reads parameters. Each may be given once only, because different programs would read duplicates differently. */
export function readParameters(query: URLSearchParams): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of query) {
    if (parameters.has(name)) {
      throw new OauthError('invalid_request', `the parameter ${name.slice(0, 100)} is given twice`);
    }
    if (value !== '') {
      parameters.set(name, value);
    }
  }
  return parameters;
}
