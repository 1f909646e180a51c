import { auditLine, hashOf, isSealOf, sealOf, type AuditLine } from './auditLine.ts';

/** A line of the record, and where it stands. */
export interface StoredLine {
  /** The name of the file. */
  readonly part: string;
  /** In it, from 1. */
  readonly number: number;
  readonly text: string;
}

export type ChainVerdict =
  | { readonly kind: 'holds'; readonly count: number }
  /** The lines follow each other; nothing vouches for the end. */
  | { readonly kind: 'unsealed'; readonly count: number }
  /** The first line that is not what was written, or beside which one is missing. */
  | { readonly kind: 'broken'; readonly part: string; readonly number: number }
  /** A seal is there, and no line. */
  | { readonly kind: 'emptied' };

/** Goes over the lines one by one, oldest first. */
export class ChainCheck {
  readonly #hasAllParts: boolean;
  #last: StoredLine | undefined;
  #count = 0;
  #broken: StoredLine | undefined;

  /** Unless the oldest parts were let go of, the first line is the first of all. */
  constructor(hasAllParts: boolean) {
    this.#hasAllParts = hasAllParts;
  }

  /** The line read, or nothing when it is none. */
  take(line: StoredLine): AuditLine | undefined {
    const read = parse(line.text);
    if (read === undefined) {
      this.#broken ??= line;
    } else if (this.#last === undefined) {
      this.#broken ??= this.#hasAllParts && read.previous !== '' ? line : undefined;
    } else if (read.previous !== hashOf(this.#last.text)) {
      this.#broken ??= this.#last;
    }
    this.#last = line;
    this.#count += 1;
    return read;
  }

  /** At the end of the lines. */
  verdict(seal: string | undefined, key: string): ChainVerdict {
    if (this.#last === undefined) {
      return seal === undefined || seal === '' ? { kind: 'holds', count: 0 } : { kind: 'emptied' };
    }
    // Several where a window died while it wrote.
    const seals = seal?.split('\n').filter((each) => isSealOf(each, key)) ?? [];
    const isSealed = seals.length > 0;
    if (isSealed && !seals.includes(sealOf(this.#last.text, key))) {
      this.#broken ??= this.#last;
    }
    if (this.#broken !== undefined) {
      return { kind: 'broken', part: this.#broken.part, number: this.#broken.number };
    }
    return { kind: isSealed ? 'holds' : 'unsealed', count: this.#count };
  }
}

function parse(text: string): AuditLine | undefined {
  try {
    return auditLine().parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
