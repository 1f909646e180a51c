/** All times of the bridge, in milliseconds. */
export interface BridgeTimings {
  /** How long a connection attempt may take, the handshake included. */
  readonly connect: number;
  /** How long lists wait for the first connection before they are answered without a window. */
  readonly listHold: number;
  /** How long calls wait for a window that went away to come back. */
  readonly reloadHold: number;
  /** How long a window that went away is waited for before another one with the same folders takes its place. */
  readonly twinHold: number;
  /** How long a host may take to tell its roots before a window is chosen without them. */
  readonly rootsHold: number;
  /** How long a call may stay unanswered before its window is asked whether it still answers at all. */
  readonly callPatience: number;
  /** How long until a window that did not answer is asked again, before it is left or given up. */
  readonly silenceCheck: number;
  /**
   * How long a page may be away while its window serves: a network may come back, or a machine have slept. The window itself
   * waits as long.
   */
  readonly maxSilence: number;
  readonly minRetryDelay: number;
  /** The longest delay between two tries while calls may wait for a window. */
  readonly maxRetryDelay: number;
  /** The longest delay when there was no window for so long that no call waits for it: a laptop must be able to sleep. */
  readonly restingRetryDelay: number;
  /** How long answers on their way are waited for after the host has no more to say. */
  readonly shutdownGrace: number;
}

export const defaultTimings: BridgeTimings = {
  connect: 10_000,
  listHold: 1_500,
  reloadHold: 30_000,
  twinHold: 10_000,
  rootsHold: 3_000,
  callPatience: 5_000,
  silenceCheck: 2_000,
  maxSilence: 15_000,
  minRetryDelay: 200,
  maxRetryDelay: 3_000,
  restingRetryDelay: 10_000,
  shutdownGrace: 1_500,
};
