import type { Log } from '../../../base/log.ts';
import { countMessages } from './fairUse.ts';
import type { Incoming } from '../http/incoming.ts';
import type { RateLimiter } from '../../access/rateLimiter.ts';
import { isTooDeep } from '../../../base/jsonDepth.ts';
import { isJson, readBody, type BodyReading } from '../http/requestBody.ts';
import { rpcCode } from '../../protocol/rpc/rpc.ts';

export interface JsonBodyOptions {
  readonly bodyBytes: number;
  readonly limiter: RateLimiter;
  readonly log: Log;
  /** For transports that answer a limited request in their own way; otherwise it is a 429. */
  readonly onLimited?: ((body: unknown) => void) | undefined;
}

/** Reads and parses the body of a POST; everything that can be wrong with it is answered here. */
export function takeJsonBody(incoming: Incoming, options: JsonBodyOptions, take: (body: unknown) => void): void {
  const { request } = incoming;
  if (!isJson(request.headers['content-type'])) {
    incoming.refuse({ status: 415 });
    return;
  }
  readBody(request, options.bodyBytes, (reading) => {
    try {
      takeReading(incoming, reading, options, take);
    } catch (error) {
      options.log.error('A message failed.', error);
      incoming.refuse({ status: 500 });
    }
  });
}

function takeReading(incoming: Incoming, reading: BodyReading, options: JsonBodyOptions, take: (body: unknown) => void): void {
  const { request, credential } = incoming;
  if (reading.kind === 'tooLarge') {
    incoming.refuse({ status: 413 });
    return;
  }
  if (reading.kind === 'read' && isTooDeep(reading.text)) {
    incoming.refuse({ status: 400, rpc: { code: rpcCode.invalidRequest, message: 'Invalid request: nested too deeply' } });
    return;
  }
  const parsed = reading.kind === 'read' ? parseBody(reading.text) : undefined;
  if (parsed === undefined) {
    incoming.refuse({ status: 400, rpc: { code: rpcCode.parseError, message: 'Parse error' } });
    return;
  }
  switch (countMessages(options.limiter, credential.id, parsed.body)) {
    case 'ok':
      take(parsed.body);
      break;
    case 'limited':
      if (options.onLimited === undefined) {
        incoming.refuse({ status: 429, retryAfterSeconds: 1 });
      } else {
        options.onLimited(parsed.body);
      }
      break;
    case 'flood':
      // A request that was read whole no longer takes its socket with it.
      request.socket.destroy();
      break;
  }
}

export function parseBody(text: string): { readonly body: unknown } | undefined {
  try {
    return { body: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
