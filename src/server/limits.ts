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
