import { useEffect, useReducer, useRef } from 'preact/hooks';
import { pageThread } from './pageThread.ts';
import type { Block } from './parseMarkdown.ts';
import { maxMarkdownLength, type Slice } from './slices.ts';

let readers = 0;

/** One text of the page, as far as the thread has read it. */
class Reading {
  readonly #onChange: () => void;
  #text: string | undefined;
  #slices: readonly Slice<Block>[] = [];
  #wanted = '';
  #reader: number | undefined;
  #isUnderWay = false;
  #tooSlow: string | undefined;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Has a text read, unless its beginning was too slow already. While one is being read, only the newest of the others counts. */
  want(text: string, isStreaming: boolean): void {
    this.#wanted = text;
    if (isStreaming) {
      this.#reader ??= readers += 1;
    }
    if (!this.#isUnderWay && text !== this.#text && text.length <= maxMarkdownLength && !this.#isTooSlow(text)) {
      void this.#read(text);
    }
  }

  /** What can be shown for a text: what was read of it last. Undefined when that is nothing. */
  shown(text: string): readonly Slice<Block>[] | undefined {
    const isOfIt = this.#text !== undefined && text.startsWith(this.#text) && !this.#isTooSlow(text);
    return isOfIt && text.length <= maxMarkdownLength ? this.#slices : undefined;
  }

  async #read(text: string): Promise<void> {
    this.#isUnderWay = true;
    const known = this.#text !== undefined && text.startsWith(this.#text) ? this.#slices : [];
    const answer = await pageThread.ask({ kind: 'markdown', text, reader: this.#reader, known: known.length });
    this.#isUnderWay = false;
    if (answer === undefined) {
      this.#tooSlow = text;
    } else {
      this.#text = text;
      this.#slices = [...known.slice(0, answer.from), ...answer.slices];
    }
    this.#onChange();
    this.want(this.#wanted, false);
  }

  #isTooSlow(text: string): boolean {
    return this.#tooSlow !== undefined && text.startsWith(this.#tooSlow);
  }
}

/** The blocks of a text, read in the page's thread; undefined as long as the text is to be shown as it is. */
export function useMarkdownBlocks(text: string, isStreaming: boolean, isPlain: boolean): readonly Slice<Block>[] | undefined {
  const [, drawAgain] = useReducer<number, void>((times) => times + 1, 0);
  const reading = useRef<Reading | undefined>(undefined);
  reading.current ??= new Reading(() => drawAgain());
  useEffect(() => {
    if (!isPlain) {
      reading.current?.want(text, isStreaming);
    }
  }, [text, isStreaming, isPlain]);
  return isPlain ? undefined : reading.current.shown(text);
}
