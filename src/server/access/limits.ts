import type { Clock } from '../../base/clock.ts';
import { limitsSetting, type LimitsSetting } from '../../contract/settings/serverSettings.ts';

/** What the server of one window allows at most: limits that the person can set, and one that they cannot. */
export interface ServerLimits extends LimitsSetting {
  /** How many requests of one session may be unanswered at the same time. */
  readonly requestsInFlight: number;
}

export const defaultLimits: ServerLimits = { ...limitsSetting().parse({}), requestsInFlight: 256 };

/** Every wait of the server in milliseconds. They are options so that tests need not wait as long. */
export interface ServerTimings {
  /** How long a request waits for the person before it is answered with "waiting". */
  readonly approvalWait: number;
  readonly approvalProgress: number;
  /** How long a request that asked for progress waits for the person when the question is about an act. */
  readonly actWait: number;
  /** How long calls by the chat and other parts of Duplex itself wait: as long as the person lets them. */
  readonly ownWait: number;
  /** The least time between two `resources/updated` notifications for the same URI in one session. */
  readonly updateInterval: number;
  readonly streamKeepAlive: number;
  readonly headers: number;
  readonly requestBody: number;
  /** How long a refused sender may go on sending before it is cut off. */
  readonly refusedBody: number;
  readonly registryRefresh: number;
  readonly stop: number;
}

export const defaultServerTimings: ServerTimings = {
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

/**
 * A token bucket. It holds what is allowed in one second and refills continuously; it never goes below zero, so that a large cost
 * blocks it for a second at most.
 */
export class Bucket {
  readonly #limit: () => number;
  readonly #clock: Clock;
  #tokens: number;
  #refilledAt: number;

  constructor(limit: () => number, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
    this.#tokens = limit();
    this.#refilledAt = clock.now();
  }

  get isFull(): boolean {
    this.#refill();
    return this.#tokens >= this.#limit();
  }

  /** Takes `cost`, or returns false and takes nothing. A cost above a whole bucket needs a full one. */
  take(cost: number): boolean {
    this.#refill();
    if (this.#tokens < Math.min(cost, this.#limit())) {
      return false;
    }
    this.#tokens = Math.max(0, this.#tokens - cost);
    return true;
  }

  #refill(): void {
    const now = this.#clock.now();
    const perSecond = this.#limit();
    this.#tokens = Math.min(perSecond, this.#tokens + ((now - this.#refilledAt) / 1_000) * perSecond);
    this.#refilledAt = now;
  }
}

/** With more buckets than this, full ones are forgotten: they are like new ones. */
const maxKept = 1_000;

/** Limits rates with a separate bucket for each key. */
export class RateLimiter {
  readonly #limit: () => number;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, Bucket>();

  /** `perSecond` is a function if the limit may change while buckets are in use. */
  constructor(perSecond: number | (() => number), clock: Clock) {
    this.#limit = typeof perSecond === 'number' ? () => perSecond : perSecond;
    this.#clock = clock;
  }

  take(key: string, cost: number): boolean {
    let bucket = this.#buckets.get(key);
    if (bucket === undefined) {
      this.#forgetFull();
      bucket = new Bucket(this.#limit, this.#clock);
      this.#buckets.set(key, bucket);
    }
    return bucket.take(cost);
  }

  #forgetFull(): void {
    if (this.#buckets.size >= maxKept) {
      [...this.#buckets].filter(([, { isFull }]) => isFull).forEach(([key]) => this.#buckets.delete(key));
    }
  }
}
