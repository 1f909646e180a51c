import { abortError } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { clientError, clientSentence } from '../errors/serverErrors.ts';
import type { ServerTimings } from './limits.ts';

type Outcome = { readonly kind: 'answered'; readonly value: unknown } | { readonly kind: 'failed'; readonly error: unknown };

interface OpenQuestion {
  readonly withdraw: AbortController;
  readonly wakes: Set<() => void>;
  waiting: number;
  /** Those who were told "waiting" and may come back. */
  expected: number;
  outcome: Outcome | undefined;
  /** Somebody has the answer already. */
  isTaken: boolean;
  isClosed: boolean;
  forget: Disposable | undefined;
}

/** How long an answer nobody was there to hear is kept for the retry. */
const keepAnswerMs = 10 * 60_000;
const maxQuestions = 64;

/**
 * Questions that outlive the request that opened them: a request waits for a while, is told that the question is still open,
 * and an identical one later gets its answer. A cancelled request withdraws its question, unless another one waits for it too.
 */
export class SharedQuestions implements Disposable {
  readonly #clock: Clock;
  readonly #timings: ServerTimings;
  readonly #isOutside: () => boolean;
  readonly #open = new Map<string, OpenQuestion>();

  /** The chat of this very editor is not `isOutside`: its person sees the question, so it waits and needs no telling. */
  constructor(clock: Clock, timings: ServerTimings, isOutside: () => boolean = () => true) {
    this.#clock = clock;
    this.#timings = timings;
    this.#isOutside = isOutside;
  }

  /** `isForOne`: such an answer is for one request alone; others that waited for it ask anew. */
  async join<T>(
    key: string,
    waiter: Waiter,
    ask: (signal: AbortSignal) => Promise<T>,
    isForOne: (value: T) => boolean = () => false,
  ): Promise<T> {
    for (;;) {
      const question = this.#open.get(key) ?? this.#begin(key, ask);
      question.expected = Math.max(0, question.expected - 1);
      question.waiting += 1;
      if (question.outcome === undefined) {
        await this.#wait(question, waiter);
      }
      const value = this.#leave(key, question, waiter) as T;
      if (!question.isTaken || !isForOne(value)) {
        question.isTaken = true;
        return value;
      }
    }
  }

  dispose(): void {
    for (const [key, question] of [...this.#open]) {
      this.#close(key, question);
    }
  }

  #begin<T>(key: string, ask: (signal: AbortSignal) => Promise<T>): OpenQuestion {
    if (this.#open.size >= maxQuestions) {
      throw clientError('server.tooManyQuestions');
    }
    const question: OpenQuestion = {
      withdraw: new AbortController(),
      wakes: new Set(),
      waiting: 0,
      expected: 0,
      outcome: undefined,
      isTaken: false,
      isClosed: false,
      forget: undefined,
    };
    this.#open.set(key, question);
    const settle = (outcome: Outcome): void => {
      question.outcome = outcome;
      for (const wake of [...question.wakes]) {
        wake();
      }
      if (!question.isClosed) {
        question.forget = this.#clock.schedule(keepAnswerMs, () => this.#close(key, question));
      }
    };
    ask(question.withdraw.signal).then(
      (value) => settle({ kind: 'answered', value }),
      (error: unknown) => settle({ kind: 'failed', error }),
    );
    return question;
  }

  #wait(question: OpenQuestion, waiter: Waiter): Promise<void> {
    const { actWait, approvalWait, ownWait, approvalProgress } = this.#timings;
    const limits = this.#isOutside()
      ? { limit: waiter.wantsProgress ? actWait : approvalWait, message: clientSentence('server.stillWaiting') }
      : { limit: ownWait, message: undefined };
    return waitFor(waiter, { clock: this.#clock, pulse: approvalProgress, ...limits }, (wake) => {
      question.wakes.add(wake);
      return () => question.wakes.delete(wake);
    });
  }

  #leave(key: string, question: OpenQuestion, waiter: Waiter): unknown {
    const { outcome } = question;
    question.waiting -= 1;
    if (waiter.signal.aborted) {
      if (question.waiting === 0 && question.expected === 0) {
        this.#close(key, question);
      }
      throw abortError('The request was cancelled.');
    }
    if (outcome === undefined) {
      question.expected += 1;
      throw clientError('server.waiting');
    }
    this.#close(key, question);
    if (outcome.kind === 'failed') {
      throw outcome.error;
    }
    return outcome.value;
  }

  #close(key: string, question: OpenQuestion): void {
    if (this.#open.get(key) === question) {
      this.#open.delete(key);
    }
    question.isClosed = true;
    question.forget?.dispose();
    question.withdraw.abort();
    question.wakes.forEach((wake) => wake());
  }
}

/** A request that waits for a person. */
export interface Waiter {
  readonly signal: AbortSignal;
  readonly wantsProgress: boolean;
  reportProgress(progress: number, message?: string): void;
  /** Of a call by the chat or another surface here: the id under which it is known. */
  readonly ownCallId?: string | undefined;
}

export interface WaitLimits {
  readonly clock: Clock;
  /** Without one it waits for as long as it takes. */
  readonly limit: number | undefined;
  /** How often to say that it waits, to those who asked for progress. */
  readonly pulse: number;
  readonly message: string | undefined;
}

/** Resolves when woken, when the time is up, or when the request is cancelled; the caller looks which. */
export function waitFor(waiter: Waiter, limits: WaitLimits, listen: (wake: () => void) => () => void): Promise<void> {
  const { clock, limit, pulse, message } = limits;
  if (waiter.signal.aborted) {
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    let beats = 0;
    const beat = (): Disposable => {
      waiter.reportProgress((beats += 1), message);
      return clock.schedule(pulse, () => {
        heart = beat();
      });
    };
    let heart = waiter.wantsProgress ? beat() : undefined;
    const stop = (): void => {
      unlisten();
      heart?.dispose();
      timer?.dispose();
      waiter.signal.removeEventListener('abort', stop);
      resolve();
    };
    const timer = limit === undefined ? undefined : clock.schedule(limit, stop);
    waiter.signal.addEventListener('abort', stop);
    const unlisten = listen(stop);
  });
}
