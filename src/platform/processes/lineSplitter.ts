const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** What happens to a line over the limit. `fail`: it ends the stream. `cut`: it is handed out in pieces. */
export type OverflowPolicy = 'fail' | 'cut';

export type SplitResult = { readonly lines: readonly Buffer[]; readonly tooLong: boolean };

/** A LineSplitter cuts a stream of bytes into lines, and never holds more than one line of the given length. */
export class LineSplitter {
  readonly #longest: number;
  readonly #policy: OverflowPolicy;
  #partial: Buffer[] = [];
  #partialLength = 0;

  constructor(longest: number, policy: OverflowPolicy) {
    this.#longest = longest;
    this.#policy = policy;
  }

  push(chunk: Buffer): SplitResult {
    const lines: Buffer[] = [];
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      if (!this.#take(chunk.subarray(start, end), lines)) {
        return { lines, tooLong: true };
      }
      lines.push(this.#finish());
      start = end + 1;
    }
    const fits = this.#take(chunk.subarray(start), lines);
    return { lines, tooLong: !fits };
  }

  /** Returns what came after the last line break. */
  end(): readonly Buffer[] {
    return this.#partialLength === 0 ? [] : [this.#finish()];
  }

  #take(piece: Buffer, lines: Buffer[]): boolean {
    let rest = piece;
    while (this.#partialLength + rest.length > this.#longest) {
      if (this.#policy === 'fail') {
        this.#partial = [];
        this.#partialLength = 0;
        return false;
      }
      const room = this.#longest - this.#partialLength;
      this.#keep(rest.subarray(0, room));
      rest = rest.subarray(room);
      lines.push(this.#finish());
    }
    this.#keep(rest);
    return true;
  }

  #keep(piece: Buffer): void {
    if (piece.length > 0) {
      this.#partial.push(piece);
      this.#partialLength += piece.length;
    }
  }

  #finish(): Buffer {
    const [only] = this.#partial;
    const line = only !== undefined && this.#partial.length === 1 ? only : Buffer.concat(this.#partial, this.#partialLength);
    this.#partial = [];
    this.#partialLength = 0;
    return line.at(-1) === carriageReturn ? line.subarray(0, -1) : line;
  }
}
