import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WireCredential } from '../../seen/viewer.ts';
import type { HttpRefusal } from './answers.ts';
import type { Upgrade } from './upgrade.ts';

/** A request that has passed the front door, so it has a valid credential. */
export interface Incoming {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly credential: WireCredential;
  readonly query: URLSearchParams;
  /** The connection, if the client wants to switch to WebSocket. */
  readonly upgrade: Upgrade | undefined;
  /**
   * Whether the request may still be served: the listener is not closing, and the credential is still valid. What was true of the head
   * need not be true when the body is there.
   */
  isCurrent(): boolean;
  refuse(refusal: HttpRefusal): void;
}

export type RouteHandler = (incoming: Incoming) => void;

/** Handlers by path, then by method. */
export type Routes = ReadonlyMap<string, ReadonlyMap<string, RouteHandler>>;

/** A request on a path that answers without a credential. */
export interface OpenIncoming extends Omit<Incoming, 'credential' | 'upgrade'> {
  /** The URL of this server as the client spells it, without a path. */
  readonly base: string;
}

export type OpenRouteHandler = (incoming: OpenIncoming) => void;
export type OpenRoutes = ReadonlyMap<string, ReadonlyMap<string, OpenRouteHandler>>;

export type BodyReading = { readonly kind: 'read'; readonly text: string } | { readonly kind: 'tooLarge' };

/**
 * Reads a body of at most `limit` bytes. A larger one is not kept, but the connection stays open. `done` is not called for a body
 * that breaks off, because nobody is left to answer.
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
      // The chunks are taken out of the array, because the request object may live as long as its connection.
      const pieces = chunks.splice(0);
      const [first] = pieces;
      done({ kind: 'read', text: first !== undefined && pieces.length === 1 ? first.toString() : Buffer.concat(pieces).toString() });
    }
  });
}

/** Whether a content type is `application/json`, with any parameters. */
export function isJson(contentType: string | undefined): boolean {
  return contentType !== undefined && /^application\/json\s*(?:;|$)/i.test(contentType);
}

/** Whether an `Accept` header accepts a media type, which may be written in capitals; a missing one accepts all. */
export function accepts(accept: string | undefined, type: 'application/json' | 'text/event-stream'): boolean {
  const given = accept?.toLowerCase();
  return given === undefined || [type, '*/*', `${type.slice(0, type.indexOf('/'))}/*`].some((accepted) => given.includes(accepted));
}
