import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { hasCode } from '../../../base/errors.ts';
import { Slices } from '../../../base/slices.ts';
import { editorError } from '../../shared/editorErrors.ts';
import { runProgram, type ProgramRequest, type ProgramResult, type RunProgram } from '../../../platform/processes/runProgram.ts';
import { findRepository } from './folderWalk.ts';
import { parseMatches } from './ripgrepOutput.ts';
import {
  hiddenFolders,
  maxListedFiles,
  type LineMatch,
  type ListOptions,
  type OpenSearch,
  type SearchEngine,
  type SearchRoot,
  type TextPattern,
} from './searchEngine.ts';
import { badPattern } from './scriptEngine.ts';

/** The most bytes of file names that one run of ripgrep may write. */
const maxListBytes = 64 * 1024 * 1024;
/** The bytes of names that are read at once; more than any single name has. */
const namesBytes = 128 * 1024;
/** The most bytes of matches that one run of ripgrep may write. */
const maxMatchBytes = 32 * 1024 * 1024;
/** How long, in ms, one run of ripgrep may take; the search of a whole folder has a shorter limit. */
const timeoutMs = 20_000;
/** The longest, in ms, that the search of a whole folder may take; one that takes longer is searched piece by piece. */
const wholeFolderMs = 3_000;

/** The most characters of file names on one command line; Windows allows 32,767 for the whole line. */
const maxArgumentCharacters = process.platform === 'win32' ? 24_000 : 100_000;

/** Finds the ripgrep that VS Code brings along, in one of several places, by version and kind of build. */
export function findRipgrep(appRoot: string): string | undefined {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const packages = [
    ['@vscode', 'ripgrep-universal', 'bin', `${process.platform}-${process.arch}`, name],
    ['@vscode', 'ripgrep', 'bin', name],
  ];
  const candidates = ['node_modules', 'node_modules.asar.unpacked'].flatMap((modules) =>
    packages.map((segments) => join(appRoot, modules, ...segments)),
  );
  return candidates.find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * The engine that uses ripgrep. What ripgrep cannot do is left to the `script` engine: folders that are on no disk, and matching
 * globs.
 */
export function createRipgrepEngine(program: string, script: SearchEngine, run: RunProgram = runProgram): SearchEngine {
  const ripgrep: Ripgrep = (request, signal) => run({ program, ...request }, signal);
  return {
    list: (root, options, signal) =>
      root.path === undefined ? script.list(root, options, signal) : listFiles(ripgrep, root.path, options, signal),
    filter: (request, signal) => script.filter(request, signal),
    open: async (pattern, signal) => {
      const search = new RipgrepSearch(ripgrep, script, pattern, signal);
      if (pattern.isRegex) {
        await search.check(); // only a regular expression can be wrong
      }
      return search;
    },
  };
}

type Ripgrep = (request: Omit<ProgramRequest, 'program'>, signal: AbortSignal) => Promise<ProgramResult>;

/** The arguments that decide which files are looked at; the same for listing and for searching. */
async function fileArguments(folder: string, options: ListOptions): Promise<string[]> {
  const isInRepository = (await findRepository(folder)) !== undefined;
  return [
    '--no-config',
    '--null',
    '--hidden',
    '--no-messages',
    '--no-require-git',
    '--no-ignore-global',
    ...(isInRepository ? [] : ['--no-ignore-parent']),
    ...(options.includeIgnored ? ['--no-ignore'] : []),
    ...(options.maxBytes === undefined ? [] : ['--max-filesize', String(options.maxBytes)]),
    ...hiddenFolders.map((name) => `--glob=!${name}`),
    // Given as a file type, because a glob would bring back what ignore files leave out.
    ...(options.nameGlob === undefined ? [] : [`--type-add=wanted:${options.nameGlob}`, '--type=wanted']),
  ];
}

async function listFiles(ripgrep: Ripgrep, folder: string, options: ListOptions, signal: AbortSignal): Promise<string[]> {
  const args = ['--files', ...(await fileArguments(folder, options))];
  const { output, exitCode, isCut, errorText } = await ripgrep({ args, cwd: folder, maxBytes: maxListBytes, timeoutMs }, signal);
  if (exitCode !== null && exitCode > 1 && output.length === 0) {
    throw editorError('search.failed', {}, { detail: errorText });
  }
  const files = await namesIn(output);
  return isCut || files.length > maxListedFiles ? files.slice(0, maxListedFiles) : files;
}

/** The names in the output, read in slices between which others get their turn: there may be hundreds of thousands. */
async function namesIn(output: Buffer): Promise<string[]> {
  const slices = new Slices();
  const names: string[] = [];
  for (let from = 0; ;) {
    const end = output.lastIndexOf(0, from + namesBytes);
    if (end < from) {
      return names; // after the last separator there is nothing, or half a name
    }
    for (const name of output.toString('utf8', from, end).split('\0')) {
      names.push(process.platform === 'win32' ? name.replaceAll('\\', '/') : name);
    }
    from = end + 1;
    await slices.pauseIfUsedUp();
  }
}

class RipgrepSearch implements OpenSearch {
  readonly #ripgrep: Ripgrep;
  readonly #script: SearchEngine;
  readonly #pattern: TextPattern;
  readonly #signal: AbortSignal;

  constructor(ripgrep: Ripgrep, script: SearchEngine, pattern: TextPattern, signal: AbortSignal) {
    this.#ripgrep = ripgrep;
    this.#script = script;
    this.#pattern = pattern;
    this.#signal = signal;
  }

  async check(): Promise<void> {
    const { exitCode, errorText } = await this.#run(['-'], process.cwd(), '');
    if (exitCode !== null && exitCode > 1) {
      throw badPattern(this.#pattern.query, errorText);
    }
  }

  async filesWithMatch({ path }: SearchRoot, options: ListOptions): Promise<string[] | undefined> {
    if (path === undefined) {
      return undefined;
    }
    // A zero byte must not end the search, as it does not for files that are named.
    const args = [...(await fileArguments(path, options)), '--files-with-matches', '--binary', ...this.#patternArguments(), '.'];
    try {
      const request = { args, cwd: path, maxBytes: maxListBytes, timeoutMs: wholeFolderMs };
      const { output, exitCode, isCut } = await this.#ripgrep(request, this.#signal);
      const isWhole = !isCut && exitCode !== null && exitCode <= 1;
      return isWhole ? (await namesIn(output)).map((name) => (name.startsWith('./') ? name.slice(2) : name)) : undefined;
    } catch (error) {
      if (hasCode(error, 'program.tooSlow')) {
        return undefined;
      }
      throw error;
    }
  }

  async matching(root: SearchRoot, files: readonly string[]): Promise<ReadonlySet<string>> {
    const { path } = root;
    if (path === undefined) {
      return this.#matchingVirtual(root, files);
    }
    const found = new Set<string>();
    for (const batch of batches(files)) {
      const targets = batch.map((file) => `./${file}`);
      const { output } = await this.#run(targets, path, undefined, ['--files-with-matches', '--null']);
      for (const name of await namesIn(output)) {
        found.add(name.startsWith('./') ? name.slice(2) : name);
      }
    }
    return found;
  }

  /** Searches all texts together, since to start the program takes longer than to search most of them. */
  async searchTexts(texts: readonly string[]): Promise<readonly (readonly LineMatch[])[]> {
    // A zero byte would end the search of what follows it.
    const [only, ...more] = texts;
    if (only === undefined || more.length === 0) {
      return only === undefined ? [] : [await this.#searchOne(only)];
    }
    if (texts.some((text) => text.includes('\0'))) {
      return Promise.all(texts.map((text) => this.#searchOne(text)));
    }
    const result = await this.#run(['-'], process.cwd(), texts.join('\n'), ['--json']);
    if (result.isCut) {
      const half = Math.ceil(texts.length / 2);
      return [...(await this.searchTexts(texts.slice(0, half))), ...(await this.searchTexts(texts.slice(half)))];
    }
    const [matches = []] = (await parseMatches(result.output)).values();
    return byText(texts, matches);
  }

  dispose(): void {
    // Each program has ended by itself.
  }

  async #searchOne(text: string): Promise<readonly LineMatch[]> {
    const { output } = await this.#run(['-'], process.cwd(), text, ['--json']);
    const [matches = []] = (await parseMatches(output)).values(); // there is only one text
    return matches;
  }

  async #matchingVirtual(root: SearchRoot, files: readonly string[]): Promise<ReadonlySet<string>> {
    const search = await this.#script.open(this.#pattern, this.#signal);
    try {
      return await search.matching(root, files);
    } finally {
      search.dispose();
    }
  }

  #run(targets: readonly string[], cwd: string, input?: string, options: readonly string[] = []): Promise<ProgramResult> {
    const args = ['--no-config', '--no-messages', '--no-ignore', '--hidden', ...options, ...this.#patternArguments(), ...targets];
    return this.#ripgrep({ args, cwd, input, maxBytes: maxMatchBytes, timeoutMs }, this.#signal);
  }

  /** The arguments for the pattern; after them only what is to be searched may follow. */
  #patternArguments(): string[] {
    const { query, isRegex, isCaseSensitive } = this.#pattern;
    const letters = isCaseSensitive ? '--case-sensitive' : '--ignore-case';
    return ['--crlf', letters, ...(isRegex ? [] : ['--fixed-strings']), '--', query];
  }
}

/** Parts the matches in texts that were searched as one, line after line. */
function byText(texts: readonly string[], matches: readonly LineMatch[]): LineMatch[][] {
  let next = 0;
  let before = 0;
  return texts.map((text) => {
    const lines = countLines(text);
    const own: LineMatch[] = [];
    for (let match = matches[next]; match !== undefined && match.line <= before + lines; match = matches[next]) {
      own.push(before === 0 ? match : { ...match, line: match.line - before });
      next += 1;
    }
    before += lines;
    return own;
  });
}

function countLines(text: string): number {
  let lines = 1;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) {
    lines += 1;
  }
  return lines;
}

function* batches(files: readonly string[]): Generator<readonly string[]> {
  let batch: string[] = [];
  let characters = 0;
  for (const file of files) {
    if (characters + file.length + 3 > maxArgumentCharacters && batch.length > 0) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(file);
    characters += Buffer.byteLength(file) + 3;
  }
  if (batch.length > 0) {
    yield batch;
  }
}
