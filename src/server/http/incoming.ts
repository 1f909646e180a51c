import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WireCredential } from '../credentials.ts';
import type { Refusal } from './refusals.ts';

/** A request that passed the front door. */
export interface Incoming {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly credential: WireCredential;
  readonly query: URLSearchParams;
  refuse(refusal: Refusal): void;
}

export type RouteHandler = (incoming: Incoming) => void;

/** Path, then method. */
export type Routes = ReadonlyMap<string, ReadonlyMap<string, RouteHandler>>;
