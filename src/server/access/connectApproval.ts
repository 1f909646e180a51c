import { isAbort } from '../../base/errors.ts';
import { Emitter } from '../../base/events.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import type { Role } from '../../contract/questions/rolesAndClaims.ts';
import type { Clock } from '../../base/clock.ts';
import { clientSentence } from '../errors/serverErrors.ts';
import type { ConnectAnswer, StandingAnswer } from './clientApproval.ts';
import type { ServerTimings } from './limits.ts';
import { higherOf } from './roles.ts';
import { waitFor, type Waiter } from './sharedQuestions.ts';

export type ApprovalState =
  | { readonly kind: 'notAsked' }
  | { readonly kind: 'asked' }
  | { readonly kind: 'allowed'; readonly role: Role }
  | { readonly kind: 'denied' };

export type ConnectAdmission =
  | { readonly kind: 'allowed'; readonly role: Role }
  /** With `isStored`, the denial is an answer that stays until the person takes it back. */
  | { readonly kind: 'denied'; readonly isStored: boolean }
  /** `pauseMs` is how long no question is asked, because earlier ones of the same credential were denied. */
  | { readonly kind: 'waiting'; readonly pauseMs: number };

export interface ConnectApprovalOptions {
  /** Opens the question, at once or after others in the queue; `signal` withdraws it. */
  readonly ask: (signal: AbortSignal, onOpen: () => void) => Promise<ConnectAnswer>;
  /** How long nothing is asked for the credential, in ms. */
  readonly pause: () => number;
  /** An earlier answer that still holds. */
  readonly standing: () => StandingAnswer | undefined;
  /** Called when the person takes back what they had allowed. */
  readonly onRevoked: () => void;
  readonly clock: Clock;
  readonly timings: ServerTimings;
  readonly log: Log;
}

/**
 * The most requests that wait for the answer. Beyond that the oldest is answered with "waiting", so that they do not use up the
 * places of others.
 */
const maxWaiting = 64;

/** One connect question. It is asked when it is first needed, and stays open until it is answered or its clients are gone. */
export class ConnectApproval implements Disposable {
  readonly #options: ConnectApprovalOptions;
  readonly #waiting = new Set<() => void>();
  readonly #withdraw = new AbortController();
  readonly #changed = new Emitter<void>();
  #state: ApprovalState;
  #standing: StandingAnswer | undefined;
  #raised: Role | undefined;
  #isOpen = false;
  /** Why the last question came to nothing although nobody withdrew it, such as a disk that is full. */
  #failure: Error | undefined;

  /** Fires after every change of `state`. */
  readonly onDidChange = this.#changed.event;

  constructor(options: ConnectApprovalOptions, initial?: ApprovalState) {
    this.#options = options;
    this.#standing = options.standing();
    this.#state = initial ?? toState(this.#standing);
  }

  get state(): ApprovalState {
    const state = this.#state;
    return state.kind === 'allowed' && this.#raised !== undefined ? { kind: 'allowed', role: higherOf(state.role, this.#raised) } : state;
  }

  /** Whether the person sees the question at this moment. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Raises the role until this approval ends or the person chooses another role. */
  raise(role: Role): void {
    this.#raised = higherOf(this.#raised ?? role, role);
    this.#changed.fire();
  }

  /** Looks again at the earlier answers: one may have been given, changed or taken back elsewhere. */
  reconsider(): void {
    const standing = this.#options.standing();
    if (standing?.id === this.#standing?.id || this.#state.kind === 'asked') {
      return; // an open question ends by itself when it is answered elsewhere
    }
    const wasAllowed = this.#state.kind === 'allowed';
    this.#standing = standing;
    this.#raised = undefined;
    this.#change(toState(standing));
    if (wasAllowed && this.#state.kind !== 'allowed') {
      this.#options.onRevoked();
    }
  }

  /** Forgets a denial that was not stored: it held for its connection only, and the person is asked again about the next one. */
  forgetRefusal(): void {
    if (this.#state.kind === 'denied' && this.#standing === undefined) {
      this.#change({ kind: 'notAsked' });
    }
  }

  /** Waits for the person, but not for ever; the question stays open when the waiting ends. Rejects with the reason when the answer cannot count. */
  async admit(waiter: Waiter): Promise<ConnectAdmission> {
    if (this.#state.kind === 'notAsked') {
      this.#ask();
    }
    if (this.#state.kind === 'asked') {
      await this.#answerOrTime(waiter);
    }
    const { state } = this;
    switch (state.kind) {
      case 'allowed':
        return state;
      case 'denied':
        return { kind: 'denied', isStored: this.#standing?.kind === 'denied' };
      case 'notAsked':
      case 'asked':
        if (this.#failure !== undefined) {
          throw this.#failure;
        }
        return { kind: 'waiting', pauseMs: this.#options.pause() };
    }
  }

  dispose(): void {
    this.#withdraw.abort();
    this.#wake();
    this.#changed.dispose();
  }

  #ask(): void {
    const { ask, log } = this.#options;
    this.#failure = undefined;
    this.#change({ kind: 'asked' });
    const onOpen = (): void => {
      this.#isOpen = true;
    };
    ask(this.#withdraw.signal, onOpen).then(
      (answer) => {
        if (!this.#withdraw.signal.aborted) {
          this.#standing = this.#options.standing();
          this.#change(answer);
        }
      },
      (error: unknown) => {
        if (!this.#withdraw.signal.aborted) {
          // The question was not answered: the next request asks again.
          if (!isAbort(error)) {
            this.#failure = error instanceof Error ? error : new Error(String(error));
            log.error('The connect question failed.', error);
          }
          this.#change({ kind: 'notAsked' });
        }
      },
    );
  }

  #change(state: ApprovalState): void {
    this.#state = state;
    this.#isOpen = false;
    this.#changed.fire();
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
    return waitFor(
      waiter,
      { clock, limit: timings.approvalWait, pulse: timings.approvalProgress, message: clientSentence('server.stillWaiting') },
      (wake) => {
        const [first] = this.#waiting;
        this.#waiting.add(wake);
        if (this.#waiting.size > maxWaiting) {
          first?.();
        }
        return () => this.#waiting.delete(wake);
      },
    );
  }
}

function toState(standing: StandingAnswer | undefined): ApprovalState {
  if (standing === undefined) {
    return { kind: 'notAsked' };
  }
  return standing.kind === 'allowed' ? { kind: 'allowed', role: standing.role } : { kind: 'denied' };
}
