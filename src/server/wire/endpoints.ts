// wire/: how clients reach the protocol. http/ is the listener and everything that is checked before a request is read; transports/
// turns requests, streams and sockets into messages. This file says which path speaks which transport.
import type { Clock } from '../../base/clock.ts';
import type { CredentialStore } from '../access/credentials.ts';
import type { ServerTimings } from '../access/limits.ts';
import type { ListenerOptions } from './http/listener.ts';
import { FairUse } from './transports/fairUse.ts';
import { HttpSseEndpoint } from './transports/httpSse.ts';
import { StreamHub } from './transports/streamHub.ts';
import { type EndpointServices, StreamableHttpEndpoint } from './transports/streamableHttp.ts';
import { WebSocketEndpoint } from './transports/webSocket.ts';

export interface EndpointsOptions extends Omit<EndpointServices, 'hub' | 'fairUse'> {
  readonly clock: Clock;
  readonly timings: ServerTimings;
  readonly credentials: CredentialStore;
}

export interface Endpoints extends Pick<ListenerOptions, 'routes' | 'upgrades'> {
  readonly hub: StreamHub;
  readonly webSockets: WebSocketEndpoint;
}

/** Makes the transports and says which path speaks which of them. */
export function createEndpoints({ clock, timings, credentials, ...services }: EndpointsOptions): Endpoints {
  const { limits } = services;
  const hub = new StreamHub(limits.streams, clock, timings.streamKeepAlive, credentials);
  const endpoint = { ...services, hub, fairUse: new FairUse(limits.requestsPerSecond, clock) };
  const streamable = new StreamableHttpEndpoint(endpoint);
  const sse = new HttpSseEndpoint(endpoint);
  const webSockets = new WebSocketEndpoint({ ...endpoint, clock, timings, credentials });
  const upgrades = new Map([
    ['/ws', webSockets.take],
    ['/mcp', webSockets.take],
  ]);
  const routes = new Map([
    ['/mcp', streamable.methods],
    ['/sse', sse.streamMethods],
    ['/messages', sse.messageMethods],
    ['/ws', webSockets.methods],
  ]);
  return { hub, webSockets, routes, upgrades };
}

export interface ServerUrls {
  readonly mcp: string;
  readonly sse: string;
  readonly ws: string;
}

export function urlsOf(port: number, isSecure: boolean): ServerUrls {
  const origin = `127.0.0.1:${port}`;
  const [http, ws] = isSecure ? ['https', 'wss'] : ['http', 'ws'];
  return { mcp: `${http}://${origin}/mcp`, sse: `${http}://${origin}/sse`, ws: `${ws}://${origin}/ws` };
}

/** Both ways to write the listener's own address. */
export function originsOf(port: number, isSecure: boolean): readonly string[] {
  return ['127.0.0.1', 'localhost'].map((host) => new URL(`${isSecure ? 'https' : 'http'}://${host}:${port}`).origin);
}
