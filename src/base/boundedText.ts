/** A BoundedText keeps the beginning and the end of a text that grows too long. It cuts at line ends only: half a secret would not be recognised as one. */
export class BoundedText {
  readonly #headLimit: number;
  readonly #tailLimit: number;
  #head = '';
  #tail: string[] = [];
  #tailLength = 0;
  #leftOut = 0;
  /** Whether what is appended next belongs to a line whose beginning was left out. */
  #isInsideLine = false;

  constructor(headLimit: number, tailLimit: number) {
    this.#headLimit = headLimit;
    this.#tailLimit = tailLimit;
  }

  /** How many characters were left out. */
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
      // Not at every piece: joining costs as much as the whole length.
      if (this.#tailLength > this.#tailLimit * 2) {
        this.#compact();
      }
    }
  }

  /** How many characters were ever appended. */
  get total(): number {
    return this.length + this.#leftOut;
  }

  /** Returns the text; `mark` makes the sentence that stands where something was left out. `since`: without the first so many characters. */
  read(mark: (leftOut: number) => string, since = 0): string {
    this.#compact();
    const tail = this.#tail.join('');
    const newer = this.total - since;
    if (newer <= tail.length) {
      return tail.slice(tail.length - newer);
    }
    const rest = this.#head.slice(since) + (this.#leftOut === 0 ? '' : mark(this.#leftOut));
    return rest + tail;
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

/** Cuts one text to these bounds. */
export function boundText(text: string, headLimit: number, tailLimit: number, mark: (leftOut: number) => string): string {
  const bounded = new BoundedText(headLimit, tailLimit);
  bounded.append(text);
  return bounded.read(mark);
}

/** How much of a long line a preview shows. */
const previewCharacters = 300;

export interface LinePreview {
  readonly preview: string;
  /** At which character of the line the preview starts, counted from 1; left out where it is the whole line. */
  readonly previewStart?: number;
}

/** Returns a line as it is, or the part of a long line around the match. */
export function previewOf(line: string, start: number, end: number): LinePreview {
  if (line.length <= previewCharacters) {
    return { preview: line };
  }
  const room = Math.max(0, previewCharacters - (end - start));
  const from = Math.max(0, Math.min(start - Math.floor(room / 2), line.length - previewCharacters));
  return { preview: line.slice(from, from + previewCharacters), previewStart: from + 1 };
}
