import { isAbort } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import type { Role } from '../../contract/questions.ts';
import type { Clock } from '../clock.ts';
import type { ServerTimings } from '../limits.ts';
import type { ConnectAnswer } from '../ports/clientApproval.ts';
import { waitFor, waitingSentence, type Waiter } from './waiter.ts';

export type ApprovalState =
  | { readonly kind: 'notAsked' }
  | { readonly kind: 'asked' }
  | { readonly kind: 'allowed'; readonly role: Role }
  | { readonly kind: 'denied' };

export type Admission = { readonly kind: 'allowed'; readonly role: Role } | { readonly kind: 'denied' } | { readonly kind: 'waiting' };

export const deniedSentence = 'denied by the person in VS Code';

export interface ApprovalOptions {
  /** Opens the question; `signal` withdraws it. */
  readonly ask: (signal: AbortSignal) => Promise<ConnectAnswer>;
  readonly clock: Clock;
  readonly timings: ServerTimings;
  readonly log: Log;
  /** After every change of state. */
  readonly onDidChange: () => void;
}

/** One connect question: asked at the first need, open until answered or until its clients are gone. */
export class ConnectApproval implements Disposable {
  readonly #options: ApprovalOptions;
  readonly #waiting = new Set<() => void>();
  readonly #withdraw = new AbortController();
  #state: ApprovalState;

  constructor(options: ApprovalOptions, initial: ApprovalState) {
    this.#options = options;
    this.#state = initial;
  }

  get state(): ApprovalState {
    return this.#state;
  }

  /** Waits for the person, but not for ever; the question stays open after that. */
  async admit(waiter: Waiter): Promise<Admission> {
    if (this.#state.kind === 'notAsked') {
      this.#ask();
    }
    if (this.#state.kind === 'asked') {
      await this.#answerOrTime(waiter);
    }
    const state = this.#state;
    return state.kind === 'allowed' || state.kind === 'denied' ? state : { kind: 'waiting' };
  }

  dispose(): void {
    this.#withdraw.abort();
    this.#wake();
  }

  #ask(): void {
    const { ask, log } = this.#options;
    this.#change({ kind: 'asked' });
    ask(this.#withdraw.signal).then(
      (answer) => {
        if (!this.#withdraw.signal.aborted) {
          this.#change(answer);
        }
      },
      (error: unknown) => {
        if (!this.#withdraw.signal.aborted) {
          // Nobody was asked in the end: the next request asks again.
          this.#change({ kind: 'notAsked' });
          if (!isAbort(error)) {
            log.error('The connect question failed.', error);
          }
        }
      },
    );
  }

  #change(state: ApprovalState): void {
    this.#state = state;
    this.#options.onDidChange();
    if (state.kind !== 'asked') {
      this.#wake();
    }
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) {
      wake();
    }
  }

  #answerOrTime(waiter: Waiter): Promise<void> {
    const { clock, timings } = this.#options;
    return waitFor(waiter, { clock, limit: timings.approvalWait, pulse: timings.approvalProgress, message: waitingSentence }, (wake) => {
      this.#waiting.add(wake);
      return () => this.#waiting.delete(wake);
    });
  }
}
