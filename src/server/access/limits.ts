/** `duplex.server.limits`: what one window's server grants, at most. */
export interface ServerLimits {
  readonly bodyBytes: number;
  readonly sessions: number;
  readonly streams: number;
  /** Per credential; a batch counts by its items. */
  readonly requestsPerSecond: number;
  /** Calls of acting tools, per credential. */
  readonly actingPerSecond: number;
  /** Requests on the OAuth paths, of everybody together. */
  readonly oauthPerSecond: number;
  readonly idleSessionMinutes: number;
  /** Requests of one session that may be unanswered at a time. */
  readonly requestsInFlight: number;
}

export const defaultLimits: ServerLimits = {
  bodyBytes: 4 * 1024 * 1024,
  sessions: 256,
  streams: 1_024,
  requestsPerSecond: 5_000,
  actingPerSecond: 10,
  oauthPerSecond: 10,
  idleSessionMinutes: 30,
  requestsInFlight: 256,
};

/** Every wait of the server in milliseconds, so that tests need not live through them. */
export interface ServerTimings {
  /** How long a request waits for the person before it says that it is waiting. */
  readonly approvalWait: number;
  readonly approvalProgress: number;
  /** The same for acting questions, for requests that asked for progress. */
  readonly actWait: number;
  /** At most one `resources/updated` per this time, URI and session. */
  readonly updateInterval: number;
  readonly streamKeepAlive: number;
  readonly headers: number;
  readonly requestBody: number;
  /** How long a refused sender may go on sending before it is cut off. */
  readonly refusedBody: number;
  readonly registryRefresh: number;
  readonly stop: number;
}

export const defaultTimings: ServerTimings = {
  approvalWait: 25_000,
  approvalProgress: 8_000,
  actWait: 10 * 60_000,
  updateInterval: 100,
  streamKeepAlive: 15_000,
  headers: 10_000,
  requestBody: 30_000,
  refusedBody: 2_000,
  registryRefresh: 500,
  stop: 1_500,
};
