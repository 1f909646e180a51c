import { isAbort } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import type { Role } from '../../contract/questions.ts';
import type { Clock } from '../clock.ts';
import type { ServerTimings } from '../limits.ts';
import type { ConnectAnswer } from '../ports.ts';
import type { RequestContext } from './inFlight.ts';

export type ApprovalState =
  | { readonly kind: 'notAsked' }
  | { readonly kind: 'asked' }
  | { readonly kind: 'allowed'; readonly role: Role }
  | { readonly kind: 'denied' };

export type Admission = { readonly kind: 'allowed'; readonly role: Role } | { readonly kind: 'denied' } | { readonly kind: 'waiting' };

export const waitingSentence = 'waiting for approval in VS Code';
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

/** One connect question per session: asked at the first need, open until answered or until the session ends. */
export class SessionApproval implements Disposable {
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
  async admit(request: RequestContext): Promise<Admission> {
    if (this.#state.kind === 'notAsked') {
      this.#ask();
    }
    if (this.#state.kind === 'asked') {
      await this.#answerOrTime(request);
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

  #answerOrTime(request: RequestContext): Promise<void> {
    const { clock, timings } = this.#options;
    return new Promise((resolve) => {
      let beats = 0;
      const beat = (): Disposable => {
        request.reportProgress((beats += 1), waitingSentence);
        return clock.schedule(timings.approvalProgress, () => {
          pulse = beat();
        });
      };
      let pulse = request.progressToken === undefined ? undefined : beat();
      const stop = (): void => {
        this.#waiting.delete(stop);
        pulse?.dispose();
        limit.dispose();
        request.signal.removeEventListener('abort', stop);
        resolve();
      };
      const limit = clock.schedule(timings.approvalWait, stop);
      request.signal.addEventListener('abort', stop);
      this.#waiting.add(stop);
    });
  }
}
