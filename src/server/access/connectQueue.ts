import { abortError } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { ConnectAnswer } from './clientApproval.ts';

/**
 * How long the next question of a credential has to wait after a denial or a withdrawal, in ms. The time doubles each time, up to
 * `maxPauseMs`.
 */
const firstPauseMs = { denied: 10_000, withdrawn: 1_000 } as const;
/** The longest pause before the next question of a credential, in ms. */
const maxPauseMs = 10 * 60_000;

export interface QueuedQuestion {
  readonly credentialId: string;
  /** Whether the question has been answered elsewhere; then it need not wait. */
  readonly isAnswered: () => boolean;
  readonly ask: () => Promise<ConnectAnswer>;
}

interface Waiting {
  readonly question: QueuedQuestion;
  readonly signal: AbortSignal;
  readonly begin: () => Promise<ConnectAnswer>;
  /** Removes the question from the queue before it was asked. */
  readonly giveUp: () => void;
}

/** The questions of one credential. */
interface Line {
  isAsking: boolean;
  readonly waiting: Waiting[];
  /** How many questions in a row were denied or withdrawn; an approval or a long quiet time resets it. */
  refusals: number;
  /** Before this time nothing is asked; a value of the clock's `now`. */
  notBefore: number;
  timer: Disposable | undefined;
}

/**
 * Keeps at most one connect question per credential open. A credential that was denied, or withdrew its question before anybody
 * could answer, has to wait: it cannot ask again at once, nor by opening one session after the other.
 */
export class ConnectQueue implements Disposable {
  readonly #clock: Clock;
  readonly #lines = new Map<string, Line>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Asks at once, or when the questions before it are answered. `signal` removes it from the queue. */
  ask(question: QueuedQuestion, signal: AbortSignal): Promise<ConnectAnswer> {
    const line = this.#lineOf(question.credentialId);
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        signal.removeEventListener('abort', giveUp);
        line.waiting.splice(line.waiting.indexOf(waiting), 1);
        reject(abortError('The question was withdrawn.'));
      };
      const waiting: Waiting = {
        question,
        signal,
        giveUp,
        begin: () => {
          signal.removeEventListener('abort', giveUp);
          const asking = question.ask();
          asking.then(resolve, reject);
          return asking;
        },
      };
      signal.addEventListener('abort', giveUp, { once: true });
      line.waiting.push(waiting);
      this.#proceed(line);
    });
  }

  /** How long nothing is asked for this credential, in ms; 0 if a question is open or could be opened. */
  pauseOf(credentialId: string): number {
    const line = this.#lines.get(credentialId);
    return line === undefined || line.isAsking ? 0 : Math.max(0, line.notBefore - this.#clock.now());
  }

  /** Lets questions proceed that the person has answered elsewhere. */
  reconsider(): void {
    for (const { waiting } of this.#lines.values()) {
      const answered = waiting.filter(({ question }) => question.isAnswered());
      for (const each of answered) {
        waiting.splice(waiting.indexOf(each), 1);
        each.begin().catch(() => undefined); // the caller gets the error
      }
    }
  }

  /** Forgets a credential and its denials; whoever waits in its queue is rejected. */
  forget(credentialId: string): void {
    const line = this.#lines.get(credentialId);
    this.#lines.delete(credentialId);
    line?.timer?.dispose();
    [...(line?.waiting ?? [])].forEach(({ giveUp }) => giveUp());
  }

  forgetAll(): void {
    for (const credentialId of [...this.#lines.keys()]) {
      this.forget(credentialId);
    }
  }

  dispose(): void {
    this.forgetAll();
  }

  #lineOf(credentialId: string): Line {
    const known = this.#lines.get(credentialId);
    const line = known ?? { isAsking: false, waiting: [], refusals: 0, notBefore: -Infinity, timer: undefined };
    this.#lines.set(credentialId, line);
    return line;
  }

  #proceed(line: Line): void {
    const [first] = line.waiting;
    if (line.isAsking || first === undefined) {
      return;
    }
    const pause = line.notBefore - this.#clock.now();
    if (pause > 0) {
      line.timer ??= this.#clock.schedule(pause, () => {
        line.timer = undefined;
        this.#proceed(line);
      });
      return;
    }
    line.waiting.shift();
    line.isAsking = true;
    void this.#askNow(line, first);
  }

  async #askNow(line: Line, { question, begin, signal }: Waiting): Promise<void> {
    try {
      const { kind } = await begin();
      if (kind === 'allowed') {
        line.refusals = 0;
      } else if (!question.isAnswered()) {
        // A stored denial causes no further question, so it needs no pause.
        this.#pauseAfter(line, 'denied');
      }
    } catch {
      // The caller gets the error; here it only counts whether the question was withdrawn.
      if (signal.aborted) {
        this.#pauseAfter(line, 'withdrawn');
      }
    }
    line.isAsking = false;
    this.#proceed(line);
  }

  #pauseAfter(line: Line, end: keyof typeof firstPauseMs): void {
    const now = this.#clock.now();
    const hasBeenQuiet = now - line.notBefore > 2 * maxPauseMs;
    line.refusals = hasBeenQuiet ? 1 : line.refusals + 1;
    line.notBefore = now + Math.min(firstPauseMs[end] * 2 ** (line.refusals - 1), maxPauseMs);
  }
}
