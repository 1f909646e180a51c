import { messageOf, type AppError } from '../../../base/errors.ts';
import { editorError } from '../../shared/editorErrors.ts';
import type { PatternSource } from '../../../contract/searchMessages.ts';
import { walkFolder } from './folderWalk.ts';
import { PatternThread, type SpareThread } from './patternThread.ts';
import { maxSearchedBytes, type LineMatch, type OpenSearch, type SearchEngine, type SearchRoot, type TextPattern } from './searchEngine.ts';

/**
 * The engine in JavaScript, for where there is no ripgrep and for folders that are on no disk. `threadProgram`: the file of its
 * threads' bundle.
 */
export function createScriptEngine(threadProgram: string, spare?: SpareThread): SearchEngine {
  return {
    list: (root, options, signal) => walkFolder(root, options.includeIgnored, signal),
    filter: async (request, signal) => {
      if (spare !== undefined) {
        return spare.use((thread) => thread.filter(request, signal));
      }
      const thread = new PatternThread(threadProgram, signal);
      try {
        return await thread.filter(request);
      } finally {
        thread.dispose();
      }
    },
    open: (pattern, signal) => Promise.resolve(new ScriptSearch(toExpression(pattern), new PatternThread(threadProgram, signal))),
  };
}

class ScriptSearch implements OpenSearch {
  readonly #pattern: PatternSource;
  readonly #thread: PatternThread;

  constructor(pattern: PatternSource, thread: PatternThread) {
    this.#pattern = pattern;
    this.#thread = thread;
  }

  async matching(root: SearchRoot, files: readonly string[]): Promise<ReadonlySet<string>> {
    const limits = { pattern: this.#pattern, maxLines: 1, maxBytes: maxSearchedBytes };
    if (root.path !== undefined) {
      return new Set((await this.#thread.search({ root: root.path, files, texts: [], ...limits })).keys());
    }
    const texts = await Promise.all(
      files.map(async (file) => [file, await root.reader.readText(file, maxSearchedBytes).catch(() => undefined)] as const),
    );
    const readable = texts.flatMap(([file, text]) => (text === undefined ? [] : [[file, text] as const]));
    return new Set((await this.#thread.search({ root: undefined, files: [], texts: readable, ...limits })).keys());
  }

  async searchTexts(texts: readonly string[]): Promise<readonly (readonly LineMatch[])[]> {
    const found = await this.#thread.search({
      root: undefined,
      files: [],
      texts: texts.map((text, index) => [String(index), text] as const),
      pattern: this.#pattern,
      maxLines: Number.MAX_SAFE_INTEGER,
      maxBytes: maxSearchedBytes,
    });
    return texts.map((_text, index) => found.get(String(index)) ?? []);
  }

  dispose(): void {
    this.#thread.dispose();
  }
}

function toExpression({ query, isRegex, isCaseSensitive }: TextPattern): PatternSource {
  const source = isRegex ? query : query.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  const flags = isCaseSensitive ? 'g' : 'gi';
  if (!isRegex) {
    return { source: source.replaceAll('\\-', '-'), flags: `${flags}u` };
  }
  if (looksBeyondMatch(source)) {
    throw badPattern(query, 'Look-around and back-references are not supported.');
  }
  // Strict first: it reads characters as ripgrep does. Harmless escapes that it refuses are allowed without it.
  for (const candidate of [`${flags}u`, flags]) {
    if (compiles(source, candidate)) {
      return { source, flags: candidate };
    }
  }
  throw badPattern(query, compileProblem(source, flags));
}

/**
 * Whether a pattern has look-around or back-references. They are refused, as by ripgrep, which has neither: with look-around,
 * what is told of shown text could depend on withheld text beside it.
 */
function looksBeyondMatch(source: string): boolean {
  const parts = source.matchAll(/\\[^]|\[(?:\\[^]|[^\]\\])*\]|\(\?<?[=!]/g);
  return [...parts].some(([part]) => part.startsWith('(?') || /^\\[1-9k]/.test(part));
}

function compiles(source: string, flags: string): boolean {
  return compileProblem(source, flags) === undefined;
}

function compileProblem(source: string, flags: string): string | undefined {
  try {
    new RegExp(source, flags);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

export function badPattern(query: string, detail: string | undefined): AppError {
  return editorError('search.badPattern', { query }, { detail });
}
