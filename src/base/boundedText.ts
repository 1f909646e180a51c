/** Text that keeps its beginning and its end when it grows too long. Whole lines only: half a secret is not known as one. */
export class BoundedText {
  readonly #headLimit: number;
  readonly #tailLimit: number;
  #head = '';
  #tail: string[] = [];
  #tailLength = 0;
  #leftOut = 0;
  /** What comes next belongs to a line whose beginning is not there any more. */
  #isInsideLine = false;

  constructor(headLimit: number, tailLimit: number) {
    this.#headLimit = headLimit;
    this.#tailLimit = tailLimit;
  }

  /** How many characters are not there any more. */
  get leftOut(): number {
    return this.#leftOut;
  }

  get length(): number {
    return this.#head.length + this.#tailLength;
  }

  append(text: string): void {
    const room = this.#tailLength === 0 && this.#leftOut === 0 ? this.#headLimit - this.#head.length : 0;
    this.#head += text.slice(0, room);
    const rest = this.#fromLineStart(text.slice(room));
    if (rest !== '') {
      this.#tail.push(rest);
      this.#tailLength += rest.length;
      // Rarely, not at every piece: joining costs the whole length.
      if (this.#tailLength > this.#tailLimit * 2) {
        this.#compact();
      }
    }
  }

  /** `mark` makes the sentence that stands where something is missing. */
  read(mark: (leftOut: number) => string): string {
    this.#compact();
    const tail = this.#tail.join('');
    return this.#leftOut === 0 ? this.#head + tail : `${this.#head}${mark(this.#leftOut)}${tail}`;
  }

  #compact(): void {
    const all = this.#tail.join('');
    const isTooLong = all.length > this.#tailLimit;
    if (isTooLong && this.#leftOut === 0) {
      const head = toLineEnd(this.#head);
      this.#leftOut += this.#head.length - head.length;
      this.#head = head;
    }
    let kept = all;
    if (isTooLong) {
      this.#leftOut += all.length - this.#tailLimit;
      this.#isInsideLine = all[all.length - this.#tailLimit - 1] !== '\n';
      kept = this.#fromLineStart(all.slice(all.length - this.#tailLimit));
    }
    this.#tail = kept === '' ? [] : [kept];
    this.#tailLength = kept.length;
  }

  #fromLineStart(text: string): string {
    if (!this.#isInsideLine || text === '') {
      return text;
    }
    const lineEnd = text.indexOf('\n');
    this.#isInsideLine = lineEnd < 0;
    const kept = lineEnd < 0 ? '' : text.slice(lineEnd + 1);
    this.#leftOut += text.length - kept.length;
    return kept;
  }
}

function toLineEnd(text: string): string {
  return text.slice(0, text.lastIndexOf('\n') + 1);
}

/** A text once, within bounds. */
export function boundText(text: string, headLimit: number, tailLimit: number, mark: (leftOut: number) => string): string {
  const bounded = new BoundedText(headLimit, tailLimit);
  bounded.append(text);
  return bounded.read(mark);
}

const previewCharacters = 300;

export interface LinePreview {
  readonly preview: string;
  /** Only of a part of the line: at which character it starts, from 1. */
  readonly previewStart?: number;
}

/** The line as it is; of a long one the part around the match. */
export function previewOf(line: string, start: number, end: number): LinePreview {
  if (line.length <= previewCharacters) {
    return { preview: line };
  }
  const room = Math.max(0, previewCharacters - (end - start));
  const from = Math.max(0, Math.min(start - Math.floor(room / 2), line.length - previewCharacters));
  return { preview: line.slice(from, from + previewCharacters), previewStart: from + 1 };
}
