import type { Clock } from '../../../base/clock.ts';
import { windowProof, workbenchProof } from '../../../platform/windowProof.ts';
import { RateLimiter } from '../../access/rateLimiter.ts';
import type { Workbench } from '../../seen/workbench.ts';
import type { Refusal } from './refusals.ts';

const acceptedNonce = /^[\w+/=-]{16,128}$/;
/** For everybody together, since who asks is not known; far above what bridges need, and each costs no more than a refusal. */
const maxProofsPerSecond = 1_000;

export interface WindowProofsOptions {
  readonly token: () => string | undefined;
  readonly workbench: Pick<Workbench, 'answers'>;
  readonly clock: Clock;
}

/** Proves to a process of this window's user, before it sends a token, that it speaks to this window, and whether that can act. */
export class WindowProofs {
  readonly #options: WindowProofsOptions;
  readonly #limiter: RateLimiter;

  constructor(options: WindowProofsOptions) {
    this.#options = options;
    this.#limiter = new RateLimiter(maxProofsPerSecond, options.clock);
  }

  /** What the refusal of an upgrade without a credential says about a challenge, if it carried one that can be answered. */
  answer(nonce: string | readonly string[] | undefined, port: number, refusal: Refusal): Refusal | Promise<Refusal> {
    const token = this.#options.token();
    if (typeof nonce !== 'string' || !acceptedNonce.test(nonce) || token === undefined || refusal.status !== 401) {
      return refusal;
    }
    if (!this.#limiter.take('everybody', 1)) {
      return { status: 429, retryAfterSeconds: 1 };
    }
    const proof = windowProof(token, nonce, port);
    return this.#options.workbench.answers().then((answers) => {
      return { ...refusal, proof, workbench: workbenchProof(token, nonce, port, answers ? 'answers' : 'silent') };
    });
  }
}
