// The thread of a page that reads Markdown and highlights code: a text that was made to be slow must hold up nothing else. Its code
// is a text in the page's own code (build/pages.mjs), because a page of VS Code can make a thread of a blob only.
import { highlightCode } from './highlightCode.ts';
import { MarkdownReader } from './markdownReader.ts';
import { type Block, parseMarkdown } from './parseMarkdown.ts';
import { type Slice, sliceBlocks, sliceCode } from './slices.ts';
import type { ThreadAnswer, ThreadRequest } from './pageThread.ts';

/** How many texts that grow are read on from where they were; more would only be read from their beginning. */
const maxReaders = 8;

interface Growing {
  readonly reader: MarkdownReader;
  readonly slices: readonly Slice<Block>[];
  readonly keys: readonly string[];
}

/** Answers requests. Of a text that grows, only the slices that are new since the last answer are sent. */
export class TextThread {
  readonly #growing = new Map<number, Growing>();

  answer(request: ThreadRequest): ThreadAnswer {
    switch (request.kind) {
      case 'code':
        return { kind: 'code', slices: sliceCode(request.code, highlightCode(request.code, request.language)) };
      case 'markdown':
        return request.reader === undefined
          ? { kind: 'markdown', from: 0, slices: sliceBlocks(parseMarkdown(request.text)) }
          : this.#read(request.reader, request.text, request.known);
    }
  }

  #read(id: number, text: string, known: number): ThreadAnswer {
    const before = this.#growing.get(id);
    const reader = before?.reader ?? new MarkdownReader();
    const slices = sliceBlocks(reader.read(text));
    const keys = slices.map(({ value }) => JSON.stringify(value));
    this.#growing.delete(id);
    this.#growing.set(id, { reader, slices, keys });
    for (const oldest of [...this.#growing.keys()].slice(0, -maxReaders)) {
      this.#growing.delete(oldest);
    }
    // The page may know less than was sent, but never more.
    const same = keys.findIndex((key, index) => index >= known || key !== before?.keys[index]);
    const from = same === -1 ? keys.length : same;
    return { kind: 'markdown', from, slices: slices.slice(from) };
  }
}

interface ThreadScope {
  onmessage: ((event: { readonly data: ThreadRequest }) => void) | null;
  postMessage(message: ThreadAnswer | 'ready'): void;
}

/** Makes the global scope of a thread answer what the page asks. */
export function answerIn(scope: ThreadScope): void {
  const thread = new TextThread();
  scope.onmessage = ({ data }) => scope.postMessage(thread.answer(data));
  scope.postMessage('ready');
}
