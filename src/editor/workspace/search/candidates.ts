import type { ListOptions, OpenSearch, SearchEngine, SearchRoot } from './searchEngine.ts';

/**
 * Lists, in place of all files, those that have a match: one look over the whole folder is as quick as ripgrep itself. Files
 * with unsaved text are among them whatever the disk says. `isNarrowed` tells whether something was left out.
 */
export class Candidates implements Pick<SearchEngine, 'list' | 'filter'> {
  readonly #engine: SearchEngine;
  readonly #search: OpenSearch;
  readonly #unsaved: ReadonlyMap<string, string>;
  isNarrowed = false;

  constructor(engine: SearchEngine, search: OpenSearch, unsaved: ReadonlyMap<string, string>) {
    this.#engine = engine;
    this.#search = search;
    this.#unsaved = unsaved;
  }

  async list(root: SearchRoot, options: ListOptions, signal: AbortSignal): Promise<string[]> {
    const unsaved = [...this.#unsaved.keys()].filter((path) => path.startsWith(root.prefix));
    const [matching, listed] = await Promise.all([
      this.#search.filesWithMatch?.(root, options),
      unsaved.length === 0 ? undefined : this.#engine.list(root, options, signal),
    ]);
    if (matching === undefined) {
      return listed ?? this.#engine.list(root, options, signal);
    }
    this.isNarrowed = true;
    const isUnsaved = new Set(unsaved.map((path) => path.slice(root.prefix.length)));
    return [...new Set([...matching, ...(listed ?? []).filter((file) => isUnsaved.has(file))])];
  }

  filter(...request: Parameters<SearchEngine['filter']>): ReturnType<SearchEngine['filter']> {
    return this.#engine.filter(...request);
  }
}
