import { LineSplitter } from '../../platform/lineSplitter.ts';
import type { ErrorLines } from './serverProcess.ts';

const keptLines = 50;
const maxErrorLine = 2_000;
const linesPerSecond = 200;
const bytesPerSecond = 4 * 1024 * 1024;

/**
 * A server's standard error: the last lines are always at hand, the rest is passed on at a bounded rate. A flood is first
 * thinned out, then slowed down by not reading: the server waits, nobody else does.
 */
export class ErrorOutput {
  readonly #splitter = new LineSplitter(maxErrorLine, 'cut');
  readonly #now: () => number;
  #last: string[] = [];
  #windowStart = -Infinity;
  #windowLines = 0;
  #windowBytes = 0;
  #dropped = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** `pauseMs`: how long to stop reading. */
  push(chunk: Buffer): ErrorLines & { readonly pauseMs: number } {
    const elapsed = this.#now() - this.#windowStart;
    if (elapsed >= 1_000) {
      this.#windowStart = this.#now();
      this.#windowLines = 0;
      this.#windowBytes = 0;
    }
    this.#windowBytes += chunk.length;
    const passed = this.#pass(this.#splitter.push(chunk).lines);
    const pauseMs = this.#windowBytes > bytesPerSecond ? Math.max(1, 1_000 - (this.#now() - this.#windowStart)) : 0;
    return { ...passed, pauseMs };
  }

  end(): ErrorLines {
    this.#windowLines = 0;
    return this.#pass(this.#splitter.end());
  }

  lastLines(): readonly string[] {
    return this.#last;
  }

  #pass(raw: readonly Buffer[]): ErrorLines {
    const texts = raw.slice(-keptLines - linesPerSecond).map((line) => line.toString('utf8'));
    this.#last = [...this.#last, ...texts].slice(-keptLines);
    const room = Math.max(0, linesPerSecond - this.#windowLines);
    const lines = texts.slice(0, room);
    this.#windowLines += lines.length;
    this.#dropped += raw.length - lines.length;
    if (lines.length === 0 && raw.length > 0) {
      return { lines: [], dropped: 0 }; // told with the next lines that pass
    }
    const dropped = this.#dropped;
    this.#dropped = 0;
    return { lines, dropped };
  }
}
