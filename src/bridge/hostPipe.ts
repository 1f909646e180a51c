import type { Readable, Writable } from 'node:stream';

/** The longest line that is taken; far more than a window takes by default. The rest of a longer line is thrown away as it comes. */
const maxLineBytes = 64 * 1024 * 1024;

export interface HostListener {
  line(text: string): void;
  /** Called when the host has read what it was sent. */
  drained(): void;
  /** Called when the host says no more; it may still read. */
  ended(): void;
  /** Called when the host does not read any more. */
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

  /** Sends a message to the host; false when the host reads too slowly. */
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

const lineFeed = 0x0a;

export interface LineListener {
  line(text: string): void;
  /** Called for a line longer than the limit, whose bytes were thrown away. */
  tooLong(): void;
}

/** Cuts a stream of bytes into lines and never holds more than one line of the greatest length. */
export class LineReader {
  readonly #maxBytes: number;
  readonly #listener: LineListener;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #isSkipping = false;

  constructor(maxBytes: number, listener: LineListener) {
    this.#maxBytes = maxBytes;
    this.#listener = listener;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      this.#hold(chunk.subarray(start, end));
      this.#finishLine();
      start = end + 1;
    }
    this.#hold(chunk.subarray(start));
  }

  /** Ends the stream: what came last without a line feed is a line, too. */
  end(): void {
    this.#finishLine();
  }

  #hold(part: Buffer): void {
    if (this.#isSkipping || part.length === 0) {
      return;
    }
    this.#bytes += part.length;
    if (this.#bytes > this.#maxBytes) {
      this.#isSkipping = true;
      this.#chunks = [];
      this.#listener.tooLong();
    } else {
      this.#chunks.push(part);
    }
  }

  #finishLine(): void {
    const text = Buffer.concat(this.#chunks).toString().trim();
    this.#chunks = [];
    this.#bytes = 0;
    this.#isSkipping = false;
    if (text !== '') {
      this.#listener.line(text);
    }
  }
}
