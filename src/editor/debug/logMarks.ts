import { randomBytes } from 'node:crypto';
import type { Disposable } from '../../base/lifecycle.ts';

/** Marks that one run of a program writes when it comes by. */
export interface RunMarks extends Disposable {
  /** What a log point writes: nothing in it is an expression, so that every adapter writes it as it is. */
  messageOf(index: number): string;
}

const mark = /duplex-passed-([0-9a-f]{16})-(\d{1,4})\.\r?\n?/g;
/** How many runs are remembered after their end: their last marks may come late. */
const maxPast = 50;

/** Knows the marks that log points write, and takes them out of what programs write. No program can guess one. */
export class LogMarks {
  readonly #runs = new Map<string, (index: number) => void>();

  /** Begins a run: `onPassed` hears of each mark, until the run is disposed of. */
  begin(onPassed: (index: number) => void): RunMarks {
    const id = randomBytes(8).toString('hex');
    this.#runs.set(id, onPassed);
    for (const old of [...this.#runs.keys()].slice(0, -maxPast)) {
      this.#runs.delete(old);
    }
    return { messageOf: (index) => `duplex-passed-${id}-${index}.`, dispose: () => void this.#runs.set(id, () => undefined) };
  }

  /** Takes the marks out of a text, and tells of them in their order. */
  take(text: string): string {
    return text.replace(mark, (whole, id: string, index: string) => {
      const onPassed = this.#runs.get(id);
      onPassed?.(Number(index));
      return onPassed === undefined ? whole : '';
    });
  }
}
