import { setTimeout as sleep } from 'node:timers/promises';
import { parsedJson } from '../../base/json.ts';
import { type AppError, hasCode, isAppError, messageOf } from '../../base/errors.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import { connectionErrorTable, hostError, type HostErrorCode, timeoutError } from './hostErrors.ts';

/** The message with which a transport fails a request whose answer can no longer come. */
export const answerLost = connectionErrorTable['host.answerLost'];
/** The message of the error that stands for an answer of too many values or escapes. */
export const answerTooLarge = connectionErrorTable['host.answerTooLarge'];

/**
 * The HTTP status that an error of the SDK or of `eventsource` carries. It is found by the error's shape, because bundles
 * carry separate copies of classes.
 */
export function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) {
    return undefined;
  }
  if ('data' in error && typeof error.data === 'object' && error.data !== null && 'status' in error.data) {
    return typeof error.data.status === 'number' ? error.data.status : undefined;
  }
  const isOfEventSource = error instanceof Error && error.message.startsWith('SSE error');
  return isOfEventSource && 'code' in error && typeof error.code === 'number' ? error.code : undefined;
}

/** The text that the server sent with its refusal. */
export function refusalTextOf(error: unknown): string {
  const data = typeof error === 'object' && error !== null && 'data' in error ? error.data : undefined;
  const text = typeof data === 'object' && data !== null && 'text' in data ? data.text : undefined;
  return typeof text === 'string' ? text : '';
}

/** Whether a refusal of Streamable HTTP may come from a server that speaks only HTTP+SSE (2024-11-05): its body is not JSON-RPC. */
export function mayBeSseOnly(error: unknown): boolean {
  const status = statusOf(error);
  if (status === undefined || ![400, 404, 405, 406, 410, 415, 422, 501].includes(status)) {
    return false;
  }
  const body = parsedJson(refusalTextOf(error));
  return !(typeof body === 'object' && body !== null && 'jsonrpc' in body);
}

/** The error for an HTTP status. `origin` names the server where it is known. */
export function statusFailure(status: number, refusal: string, origin?: string): AppError {
  const detail = revealInvisible(refusal).slice(0, 4_000);
  const args = { status, ...(origin === undefined ? {} : { origin }) };
  const options = detail === '' ? {} : { detail };
  if (status === 401) {
    return hostError('host.unauthorized', args, options);
  }
  if (status === 403) {
    return hostError('host.forbidden', args, options);
  }
  if (status === 429 || status >= 500) {
    return hostError('host.unavailable', args, options);
  }
  return hostError('host.httpStatus', args, options);
}

/** Why the whole connection is lost when a request failed with this error; undefined when only that request failed. */
export function connectionFailure(error: unknown, hadSession: boolean, origin: string): AppError | undefined {
  if (isAppError(error)) {
    return error;
  }
  const status = statusOf(error);
  if (status === 404 && hadSession) {
    return hostError('host.sessionExpired');
  }
  const isUnauthorized = status === 401 || (error instanceof Error && error.name === 'UnauthorizedError');
  return isUnauthorized ? statusFailure(401, refusalTextOf(error), origin) : undefined;
}

const certificateCodes =
  /^(CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(VERIFY|GET_ISSUER)|HOSTNAME_MISMATCH)/;

/** The error for a request that never got an answer. It uses the words of the innermost cause, which is the most exact one. */
export function networkFailure(origin: string, error: unknown): AppError {
  const inner = innermost(error);
  const code = codeOf(inner);
  const reason = messageOf(inner) === '' ? code : messageOf(inner);
  const args = { origin, reason, code };
  if (certificateCodes.test(code) || /certificate/i.test(reason)) {
    return hostError('host.certificate', args);
  }
  return hostError('host.unreachable', args);
}

/** Whether nobody could be reached at all, as opposed to a peer that closed the connection. */
export function isNobodyThere(error: unknown): boolean {
  return ['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN'].includes(codeOf(innermost(error)));
}

/**
 * Whether the platform's `fetch` gave up one request because nothing came for a while; the time cannot be changed without losing the
 * editor's proxy. The server may be there and busy.
 */
export function isSilence(error: unknown): boolean {
  return ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'].includes(codeOf(innermost(error)));
}

/** How long the platform's `fetch` waits for the next bytes of an answer. */
const silenceMinutes = 5;

function innermost(error: unknown): unknown {
  let at = error;
  for (let depth = 0; depth < 5 && at instanceof Error; depth += 1) {
    const next: unknown = at instanceof AggregateError ? at.errors[0] : at.cause;
    if (next === undefined) {
      return at;
    }
    at = next;
  }
  return at;
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** The pauses, in ms, before the first and the second repetition of a request; chance makes each of them shorter. */
const pausesMs = [200, 800] as const;
const transient: ReadonlySet<string> = new Set<HostErrorCode>(['host.unavailable', 'host.answerLost']);

/**
 * Repeats a request that only reads (lists, resources, prompts) when it failed for a passing reason. A tool call must never
 * come through here: it may have done its work before its answer was lost.
 */
export async function retryRead<T>(read: () => Promise<T>, failureOf: (error: unknown) => AppError, signal: AbortSignal): Promise<T> {
  for (const pause of pausesMs) {
    try {
      return await read();
    } catch (error) {
      if (signal.aborted || !transient.has(failureOf(error).code)) {
        throw error;
      }
      await sleep(pause * (0.5 + Math.random() / 2), undefined, { signal, ref: false });
    }
  }
  return read();
}

/** The most characters of the error message of a server that are shown. */
const maxServerMessageLength = 4_000;

/** Translates an error of the SDK into one of ours. It compares codes, because bundles carry separate copies of the SDK's classes. */
export function fromSdkError(error: unknown, detail: string | undefined, timeoutMs: number): AppError {
  if (isAppError(error)) {
    return error;
  }
  const more = detail === undefined || detail === '' ? {} : { detail };
  if (hasCode(error, 'REQUEST_TIMEOUT')) {
    return timeoutError(timeoutMs, more);
  }
  if (hasCode(error, 'CONNECTION_CLOSED') || hasCode(error, 'NOT_CONNECTED') || hasCode(error, 'SEND_FAILED')) {
    return hostError('host.connectionClosed', {}, more);
  }
  const status = statusOf(error);
  if (status !== undefined) {
    return statusFailure(status, refusalTextOf(error));
  }
  if (isSilence(error)) {
    return hostError('host.silentTooLong', { minutes: silenceMinutes }, more);
  }
  const reason = revealInvisible(messageOf(error).slice(0, maxServerMessageLength));
  if (error instanceof Error && error.message === answerLost) {
    return hostError('host.answerLost', {}, more);
  }
  if (error instanceof Error && error.message === answerTooLarge) {
    return hostError('host.answerTooLarge', {}, more);
  }
  // When the server answers the greeting with a revision that nobody knows, the SDK throws a plain error without a code.
  if (hasCode(error, 'ERA_NEGOTIATION_FAILED') || reason.startsWith("Server's protocol version is not supported")) {
    return hostError('host.negotiationFailed', { reason }, more);
  }
  if (hasCode(error, 'INVALID_RESULT') || hasCode(error, 'CLIENT_HTTP_UNEXPECTED_CONTENT')) {
    return hostError('host.invalidAnswer', { reason }, more);
  }
  if (typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'number') {
    return hostError('host.serverError', { reason, code: error.code }, more);
  }
  return hostError('host.unexpected', { reason }, { cause: error, ...more });
}
