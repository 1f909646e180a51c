import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WireCredential } from '../../seen/viewer.ts';
import type { Refusal } from './answers.ts';
import type { Upgrade } from './upgrade.ts';

/** A request that passed the front door. */
export interface Incoming {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly credential: WireCredential;
  readonly query: URLSearchParams;
  /** Set when the client wants to speak WebSocket from here on. */
  readonly upgrade: Upgrade | undefined;
  refuse(refusal: Refusal): void;
}

export type RouteHandler = (incoming: Incoming) => void;

/** Path, then method. */
export type Routes = ReadonlyMap<string, ReadonlyMap<string, RouteHandler>>;

/** A request on a path that answers without a credential. */
export interface OpenIncoming extends Omit<Incoming, 'credential' | 'upgrade'> {
  /** This server's URL as the client spells it, without a path. */
  readonly base: string;
}

export type OpenRouteHandler = (incoming: OpenIncoming) => void;
export type OpenRoutes = ReadonlyMap<string, ReadonlyMap<string, OpenRouteHandler>>;

export type BodyReading = { readonly kind: 'read'; readonly text: string } | { readonly kind: 'tooLarge' };

/**
 * Reads a body of at most `limit` bytes; at the first byte above it keeps nothing more, but does not cut the connection. Says
 * nothing of a body that breaks off: there is nobody left to answer.
 */
export function readBody(request: IncomingMessage, limit: number, done: (reading: BodyReading) => void): void {
  if (Number(request.headers['content-length'] ?? 0) > limit) {
    done({ kind: 'tooLarge' });
    return;
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    const wasWithin = bytes <= limit;
    bytes += chunk.length;
    if (bytes <= limit) {
      chunks.push(chunk);
    } else if (wasWithin) {
      chunks.length = 0;
      done({ kind: 'tooLarge' });
    }
  });
  request.on('end', () => {
    if (bytes <= limit) {
      // Taken out: the request may be remembered as long as its connection is.
      const pieces = chunks.splice(0);
      const [first] = pieces;
      done({ kind: 'read', text: first !== undefined && pieces.length === 1 ? first.toString() : Buffer.concat(pieces).toString() });
    }
  });
}

/** `application/json`, whatever its parameters. */
export function isJson(contentType: string | undefined): boolean {
  return contentType !== undefined && /^application\/json\s*(?:;|$)/i.test(contentType);
}

/** Whether an `Accept` header takes a media type; an absent one takes all. */
export function accepts(accept: string | undefined, type: 'application/json' | 'text/event-stream'): boolean {
  return (
    accept === undefined || accept.includes(type) || accept.includes('*/*') || accept.includes(`${type.slice(0, type.indexOf('/'))}/*`)
  );
}
