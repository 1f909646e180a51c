import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Refusal } from './refusals.ts';
import type { Upgrade } from './upgrade.ts';
import type { WireCredential } from '../../seen/viewer.ts';

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
