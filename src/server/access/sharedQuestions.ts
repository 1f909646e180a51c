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
  /** How many requests were answered with "waiting" and may come back. */
  expected: number;
  outcome: Outcome | undefined;
  /** Whether somebody has received the answer. */
  isTaken: boolean;
  isClosed: boolean;
  forget: Disposable | undefined;
}

/** How long an answer that nobody received is kept for a retry, in ms. */
const keepAnswerMs = 10 * 60_000;
/** The most questions of one client that are open at the same time. */
const maxQuestions = 64;

/**
 * Questions that outlive the request that opened them. A request waits for a while and is then told that the question is still
 * open; an identical request later gets the answer. A cancelled request withdraws its question, unless another request waits for
 * it.
 */
export class SharedQuestions implements Disposable {
  readonly #clock: Clock;
  readonly #timings: ServerTimings;
  readonly #isOutside: () => boolean;
  readonly #open = new Map<string, OpenQuestion>();

  /**
   * `isOutside` is false for the chat of this editor: its person sees the question, so it waits until the answer and is not told
   * that it waits.
   */
  constructor(clock: Clock, timings: ServerTimings, isOutside: () => boolean = () => true) {
    this.#clock = clock;
    this.#timings = timings;
    this.#isOutside = isOutside;
  }

  /**
   * Joins the question with this key, or opens it. If `isForOne` says that an answer is for one request only, the others that
   * waited ask again.
   */
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

/** A request that waits for the person. */
export interface Waiter {
  readonly signal: AbortSignal;
  readonly wantsProgress: boolean;
  reportProgress(progress: number, message?: string): void;
  /** The id of a call by the chat or another part of Duplex itself. */
  readonly ownCallId?: string | undefined;
}

export interface WaitLimits {
  readonly clock: Clock;
  /** How long to wait at most, in ms; without it there is no limit. */
  readonly limit: number | undefined;
  /** How often progress is reported to a request that asked for it, in ms. */
  readonly pulse: number;
  readonly message: string | undefined;
}

/** Resolves when `wake` is called, when the time is over, or when the request is cancelled; the caller has to look which of them it was. */
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
