import { hasMoreValues, isTooDeep } from '../../../base/jsonText.ts';
import type { Log } from '../../../base/log.ts';
import { handling } from '../../access/spreadWork.ts';
import { isTooLongBatch, tooLongBatch } from '../../protocol/legacy/batches.ts';
import { rpcCode } from '../../protocol/rpc/rpc.ts';
import { type BodyReading, type Incoming, isJson, readBody } from '../http/incoming.ts';
import type { FairUse, Peer, FairUseVerdict } from './fairUse.ts';

export interface JsonBodyOptions {
  readonly bodyBytes: number;
  readonly fairUse: FairUse;
  readonly log: Log;
  /** Handles a body beyond the rate limit. */
  readonly onLimited: (body: unknown) => void;
}

/**
 * Reads and parses the body of a POST; everything that can be wrong with it is answered here. A body that comes after its credential was
 * revoked is not looked at.
 */
export function takeJsonBody(incoming: Incoming, options: JsonBodyOptions, take: (body: unknown) => void): void {
  const { request } = incoming;
  if (!isJson(request.headers['content-type'])) {
    incoming.refuse({ status: 415 });
    return;
  }
  readBody(request, options.bodyBytes, (reading) =>
    handling.run(() => {
      if (!incoming.isCurrent()) {
        request.socket.destroy();
        return;
      }
      try {
        takeReading(incoming, reading, options, take);
      } catch (error) {
        options.log.error('A message failed.', error);
        incoming.refuse({ status: 500 });
      }
    }),
  );
}

function takeReading(incoming: Incoming, reading: BodyReading, options: JsonBodyOptions, take: (body: unknown) => void): void {
  const { request, credential } = incoming;
  const peer: Peer = { credential, connection: request.socket };
  if (reading.kind === 'tooLarge') {
    incoming.refuse({ status: 413 });
    return;
  }
  const why = whyUnread(reading.text);
  const parsed = why === undefined ? parseBody(reading.text) : undefined;
  if (parsed === undefined) {
    refuseUnread(incoming, why, options.fairUse.count(peer, undefined, reading.text.length));
    return;
  }
  switch (options.fairUse.count(peer, parsed.body, reading.text.length)) {
    case 'ok':
      take(parsed.body);
      break;
    case 'limited':
      options.onLimited(parsed.body);
      break;
    case 'flood':
      // Destroying the request would not close its socket, because it was read completely.
      request.socket.destroy();
      break;
  }
}

/** Refuses a body that is not even parsed, or is no JSON; it counts as one message. */
function refuseUnread(incoming: Incoming, why: string | undefined, verdict: FairUseVerdict): void {
  const rpc =
    why === undefined
      ? { code: rpcCode.parseError, message: 'Parse error' }
      : { code: rpcCode.invalidRequest, message: `Invalid request: ${why}` };
  incoming.refuse(verdict === 'ok' ? { status: 400, rpc } : { status: 429, retryAfterSeconds: 1 });
}

export function parseBody(text: string): { readonly body: unknown } | undefined {
  try {
    return { body: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** The most values in a message: parsing more would hold others up. A long text is one value. */
const maxValues = 50_000;
const tooManyValues = 'more than 50,000 values in a message; send it in parts';

/** Says why a message must not even be parsed; `undefined` if it may be. */
export function whyUnread(text: string): string | undefined {
  if (isTooLongBatch(text)) {
    return tooLongBatch;
  }
  return hasMoreValues(text, maxValues) ? tooManyValues : isTooDeep(text) ? 'nested too deeply' : undefined;
}
