import type { Clock } from '../../../base/clock.ts';
import { windowProof } from '../../../platform/windowProof.ts';
import { RateLimiter } from '../../access/rateLimiter.ts';
import type { Refusal } from './refusals.ts';

const acceptedNonce = /^[\w+/=-]{16,128}$/;
/** For everybody together, since who asks is not known; far above what bridges need, and each costs no more than a refusal. */
const maxProofsPerSecond = 1_000;

/** Proves to a process of this window's user, before it sends a token, that it speaks to this window. */
export class WindowProofs {
  readonly #token: () => string | undefined;
  readonly #limiter: RateLimiter;

  constructor(token: () => string | undefined, clock: Clock) {
    this.#token = token;
    this.#limiter = new RateLimiter(maxProofsPerSecond, clock);
  }

  /** What the refusal of an upgrade without a credential says about a challenge, if it carried one that can be answered. */
  answer(nonce: string | readonly string[] | undefined, port: number, refusal: Refusal): Refusal {
    const token = this.#token();
    if (typeof nonce !== 'string' || !acceptedNonce.test(nonce) || token === undefined || refusal.status !== 401) {
      return refusal;
    }
    return this.#limiter.take('everybody', 1)
      ? { ...refusal, proof: windowProof(token, nonce, port) }
      : { status: 429, retryAfterSeconds: 1 };
  }
}
