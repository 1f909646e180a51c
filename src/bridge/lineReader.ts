const lineFeed = 0x0a;

export interface LineListener {
  line(text: string): void;
  /** A line longer than the bound: its bytes were thrown away. */
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

  /** What came without a line feed at the very end is a line too. */
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
