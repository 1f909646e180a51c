import type { Links } from 'marked';
import { revealInContent } from '../../base/visibleText.ts';
import { asIs, namedBlocks, readPiece, type ReadTop, type TopBlock } from './parseMarkdown.ts';

/**
 * How many blocks at the end may still change when text is added: the last, and the one before it, which a list item or a row may
 * yet join.
 */
const maxOpenBlocks = 2;

/**
 * Reads Markdown that grows. Blocks that nothing can change any more are read once, so that new text costs the last blocks and
 * not the whole text. The result is the same as that of `parseMarkdown`.
 */
export class MarkdownReader {
  #text = '';
  /** The text up to its last line break, with invisible characters made visible: that is done line by line. */
  #revealed = '';
  #revealedFrom = 0;
  #done: TopBlock[] = [];
  #doneLength = 0;
  #links: Links = {};

  read(text: string): readonly TopBlock[] {
    if (!text.startsWith(this.#text)) {
      this.#reset();
    }
    this.#text = text;
    const source = this.#reveal(text);
    const rest = readPiece(source.slice(this.#doneLength), this.#links);
    if (rest !== undefined && !rest.tops.some(isDefinition)) {
      return this.#keep(rest.tops);
    }
    // A reference that is being defined may be used in any block above, so all blocks are read again.
    this.#forgetBlocks();
    const whole = readPiece(source);
    if (whole === undefined) {
      return [asIs(source)];
    }
    if (openOf(whole.tops).some(isDefinition)) {
      return namedBlocks(whole.tops.flatMap(({ blocks }) => blocks));
    }
    this.#links = whole.links;
    return this.#keep(whole.tops);
  }

  #reveal(text: string): string {
    const end = text.lastIndexOf('\n') + 1;
    if (end > this.#revealedFrom) {
      this.#revealed += revealInContent(text.slice(this.#revealedFrom, end));
      this.#revealedFrom = end;
    }
    return this.#revealed + revealInContent(text.slice(end));
  }

  #keep(tops: readonly ReadTop[]): readonly TopBlock[] {
    const drawn = [...this.#done, ...tops.flatMap(({ blocks }) => blocks)];
    for (const { blocks, length } of tops.slice(0, tops.length - openOf(tops).length)) {
      this.#done.push(...blocks);
      this.#doneLength += length;
    }
    return namedBlocks(drawn);
  }

  #forgetBlocks(): void {
    this.#done = [];
    this.#doneLength = 0;
    this.#links = {};
  }

  #reset(): void {
    this.#forgetBlocks();
    this.#text = '';
    this.#revealed = '';
    this.#revealedFrom = 0;
  }
}

function openOf(tops: readonly ReadTop[]): readonly ReadTop[] {
  const written = tops.flatMap(({ kind }, index) => (kind === 'space' ? [] : [index]));
  return tops.slice(written.at(-maxOpenBlocks) ?? 0);
}

function isDefinition({ kind }: ReadTop): boolean {
  return kind === 'definition';
}
