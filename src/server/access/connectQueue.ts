import { abortError } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { ConnectAnswer } from './clientApproval.ts';

/** How long the next question of a credential waits at first; twice as long each time, up to a limit. */
const firstPauseMs = { denied: 10_000, withdrawn: 1_000 } as const;
const maxPauseMs = 10 * 60_000;

export interface QueuedQuestion {
  readonly credentialId: string;
  /** Whether it would be answered without a question by now: then it waits for nobody. */
  readonly isAnswered: () => boolean;
  readonly ask: () => Promise<ConnectAnswer>;
}

interface Waiting {
  readonly turn: QueuedQuestion;
  readonly signal: AbortSignal;
  readonly begin: () => Promise<ConnectAnswer>;
  /** Its turn never comes. */
  readonly giveUp: () => void;
}

/** Of one credential. */
interface Line {
  isAsking: boolean;
  readonly waiting: Waiting[];
  /** In a row; what the person allows ends the row, and so does a long quiet time. */
  refusals: number;
  /** By the clock's `now`. */
  notBefore: number;
  timer: Disposable | undefined;
}

/**
 * One open connect question per credential. Who is denied, or takes back its question before anybody could answer, does not
 * get to ask again at once: neither by asking again nor by opening session after session.
 */
export class ConnectQueue implements Disposable {
  readonly #clock: Clock;
  readonly #lines = new Map<string, Line>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Asks at once if it is its turn, and otherwise when it comes. `signal` gives the place up. */
  ask(turn: QueuedQuestion, signal: AbortSignal): Promise<ConnectAnswer> {
    const line = this.#lineOf(turn.credentialId);
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        signal.removeEventListener('abort', giveUp);
        line.waiting.splice(line.waiting.indexOf(waiting), 1);
        reject(abortError('The question was withdrawn.'));
      };
      const waiting: Waiting = {
        turn,
        signal,
        giveUp,
        begin: () => {
          signal.removeEventListener('abort', giveUp);
          const asking = turn.ask();
          asking.then(resolve, reject);
          return asking;
        },
      };
      signal.addEventListener('abort', giveUp, { once: true });
      line.waiting.push(waiting);
      this.#proceed(line);
    });
  }

  /** How long nothing is asked for this credential; 0 when a question is open or could be. */
  pauseOf(credentialId: string): number {
    const line = this.#lines.get(credentialId);
    return line === undefined || line.isAsking ? 0 : Math.max(0, line.notBefore - this.#clock.now());
  }

  /** The person may have answered elsewhere: those they answered need no turn. */
  reconsider(): void {
    for (const { waiting } of this.#lines.values()) {
      const answered = waiting.filter(({ turn }) => turn.isAnswered());
      for (const each of answered) {
        waiting.splice(waiting.indexOf(each), 1);
        each.begin().catch(() => undefined); // who asked hears of it
      }
    }
  }

  /** The credential is gone, and what it was denied with it; who waits in its line is told so. */
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

  async #askNow(line: Line, { turn, begin, signal }: Waiting): Promise<void> {
    try {
      const { kind } = await begin();
      if (kind === 'allowed') {
        line.refusals = 0;
      } else if (!turn.isAnswered()) {
        // A denial that was stored asks nothing, for as long as the person lets it stand.
        this.#pauseAfter(line, 'denied');
      }
    } catch {
      // Who asked hears of a failure; that it was taken back counts here.
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
