import type { Clock } from '../../base/clock.ts';

interface Bucket {
  tokens: number;
  refilledAt: number;
}

/** A bucket per credential that refills by the second. */
export class RateLimiter {
  readonly #limit: () => number;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, Bucket>();

  /** A function where the limit may change while buckets are in use. */
  constructor(perSecond: number | (() => number), clock: Clock) {
    this.#limit = typeof perSecond === 'number' ? () => perSecond : perSecond;
    this.#clock = clock;
  }

  get #perSecond(): number {
    return this.#limit();
  }

  /** Takes `cost`, or returns false and takes nothing. A cost above a whole bucket needs a full one. */
  take(credentialId: string, cost: number): boolean {
    const bucket = this.#refill(credentialId);
    if (bucket.tokens < Math.min(cost, this.#perSecond)) {
      return false;
    }
    bucket.tokens -= cost;
    return true;
  }

  /** For what must never be dropped; false once the debt exceeds a second's worth: then the connection goes. */
  takeOnCredit(credentialId: string): boolean {
    const bucket = this.#refill(credentialId);
    bucket.tokens -= 1;
    return bucket.tokens > -this.#perSecond;
  }

  #refill(credentialId: string): Bucket {
    const now = this.#clock.now();
    let bucket = this.#buckets.get(credentialId);
    if (bucket === undefined) {
      bucket = { tokens: this.#perSecond, refilledAt: now };
      this.#buckets.set(credentialId, bucket);
    }
    bucket.tokens = Math.min(this.#perSecond, bucket.tokens + ((now - bucket.refilledAt) / 1_000) * this.#perSecond);
    bucket.refilledAt = now;
    return bucket;
  }
}
