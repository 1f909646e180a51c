import type { Log } from '../../base/log.ts';
import { strayMark } from '../shared/logMarks.ts';
import { revealInvisible } from '../../base/visibleText.ts';

const maxShownLength = 200;
const maxLinesPerSecond = 20;

/** Many servers greet on standard output before they speak. Such lines are logged, within measure, and otherwise ignored. */
export class StrayOutput {
  readonly #log: Log;
  #window = { since: -Infinity, lines: 0 };

  constructor(log: Log) {
    this.#log = log;
  }

  report(line: string): void {
    const now = performance.now();
    if (now - this.#window.since > 1_000) {
      this.#window = { since: now, lines: 0 };
    }
    this.#window.lines += 1;
    if (this.#window.lines <= maxLinesPerSecond) {
      this.#log.warn(`${strayMark}${revealInvisible(line.slice(0, maxShownLength))}`);
    }
  }
}
