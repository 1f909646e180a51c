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
  /** `isSealed`: the last line, too, is what was written. */
  | { readonly kind: 'holds'; readonly count: number; readonly isSealed: boolean }
  /** The first line that is not what was written, or behind which one is missing. */
  | { readonly kind: 'broken'; readonly part: string; readonly number: number };

/** Goes over the lines one by one, oldest first. What stood in older parts, of which none is kept, is not known. */
export class ChainCheck {
  #last: StoredLine | undefined;
  #count = 0;
  #broken: StoredLine | undefined;

  /** The line read, or nothing when it is none. */
  take(line: StoredLine): AuditLine | undefined {
    const read = parse(line.text);
    if (this.#last !== undefined && read !== undefined && read.previous !== hashOf(this.#last.text)) {
      this.#broken ??= this.#last;
    }
    if (read === undefined) {
      this.#broken ??= line;
    }
    this.#last = line;
    this.#count += 1;
    return read;
  }

  /** At the end of the lines. */
  verdict(seal: string | undefined, key: string): ChainVerdict {
    // Two where a window died while it wrote.
    const seals = seal?.split('\n').filter((each) => isSealOf(each, key)) ?? [];
    const isSealed = seals.length > 0;
    if (this.#last !== undefined && isSealed && !seals.includes(sealOf(this.#last.text, key))) {
      this.#broken ??= this.#last;
    }
    return this.#broken === undefined
      ? { kind: 'holds', count: this.#count, isSealed }
      : { kind: 'broken', part: this.#broken.part, number: this.#broken.number };
  }
}

function parse(text: string): AuditLine | undefined {
  try {
    return auditLine.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
