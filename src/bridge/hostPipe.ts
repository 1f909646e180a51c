import type { Readable, Writable } from 'node:stream';
import { LineReader } from './lineReader.ts';

/** Far more than a window takes by default; what a longer line goes on with is thrown away as it comes. */
const maxLineBytes = 64 * 1024 * 1024;

export interface HostListener {
  line(text: string): void;
  /** The host has read what it was sent. */
  drained(): void;
  /** It says no more; it may still read. */
  ended(): void;
  /** It does not read any more. */
  gone(): void;
}

/** The host's end of standard input and output: a message is a line, and nothing else is ever written. */
export class HostPipe {
  readonly #input: Readable;
  readonly #output: Writable;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  listen(listener: HostListener, complain: (text: string) => void): void {
    const reader = new LineReader(maxLineBytes, {
      line: (text) => listener.line(text),
      tooLong: () => complain('A line that is longer than any message may be was skipped.\n'),
    });
    this.#output.on('drain', () => listener.drained());
    this.#output.on('error', () => listener.gone());
    this.#input.on('data', (chunk: Buffer) => reader.push(chunk));
    this.#input.once('end', () => {
      reader.end();
      listener.ended();
    });
    this.#input.once('error', () => listener.ended());
  }

  /** False: the host reads too slowly. */
  write(text: string): boolean {
    return this.#output.write(`${text}\n`);
  }

  read(isWanted: boolean): void {
    if (isWanted) {
      this.#input.resume();
    } else {
      this.#input.pause();
    }
  }

  close(): void {
    this.#input.destroy();
  }
}
