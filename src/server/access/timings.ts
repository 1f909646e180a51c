/** Every wait of the server in milliseconds, so that tests need not live through them. */
export interface ServerTimings {
  /** How long a request waits for the person before it says that it is waiting. */
  readonly approvalWait: number;
  readonly approvalProgress: number;
  /** The same for acting questions, for requests that asked for progress. */
  readonly actWait: number;
  /** The same for calls by the chat and the other surfaces here, which wait for as long as the person lets them. */
  readonly ownWait: number;
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
  ownWait: 24 * 60 * 60_000,
  updateInterval: 250,
  streamKeepAlive: 15_000,
  headers: 10_000,
  requestBody: 30_000,
  refusedBody: 2_000,
  registryRefresh: 500,
  stop: 1_500,
};
