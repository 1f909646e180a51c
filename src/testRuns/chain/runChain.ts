// chain/: everything that runs when a command runs, as far as package scripts are concerned: a script, those around it, those it
// calls, and the files that are named as programs. Pure: files come through a port. shellLine.ts splits lines, commandCalls.ts
// knows plain calls of scripts and programs that run nothing else, and managerFiles.ts what package managers read first.
// Everything else counts as unknown, never as nothing: it can be allowed, but only once.
import { joinCommand } from '../../base/commandLine.ts';
import { isJsonObject, type JsonObject, parsedObject } from '../../base/json.ts';
import { type Calls, mentionsScripts, readCommand, readProgram } from './commandCalls.ts';
import { choicesIn, digestOf, doubtfulParts, type ManagerFile, managerFiles, shadows } from './managerFiles.ts';
import { readShellLine, type ShellWord } from './shellLine.ts';

/** A step of the chain: a script, a program in a file, or a file with settings of package managers. */
export interface ChainStep {
  /** The name of the step, such as `scripts.test` or `.yarnrc.yml`, with its folder before it where that is another one. */
  readonly name: string;
  /** The text of a script; empty for one that is not there, so that one which comes later is a change. Of a file, its digest. */
  readonly text: string;
}

export interface RunChain {
  readonly steps: readonly ChainStep[];
  /** The parts of which it cannot be known what they run, in their own words; empty when all is known. */
  readonly unknown: readonly string[];
}

export interface ChainStart {
  /** The command: a line for a shell, or a program with its arguments, each as a text or as a shell reads it. */
  readonly command: string | readonly (string | ShellWord)[];
  /** The folder it runs in, as an absolute path. */
  readonly folder: string;
}

export interface ChainSources {
  /** Reads a file, by its path as it is seen from the folder; `undefined` for one that is not there. Rejects when it cannot be read. */
  readFile(folder: string, path: string): Promise<string | undefined>;
  /** Which of these files are there. */
  filesIn(folder: string, names: readonly string[]): Promise<ReadonlySet<string>>;
  /** The absolute path of the folder `to`, as it is seen from the folder `from`. */
  resolveFolder(from: string, to: string): string;
}

export type ResolveChain = (starts: readonly ChainStart[], sources: ChainSources) => Promise<RunChain>;

const folderAbove = '..';
/** With so many scripts and files in a chain, further scripts are named as unknown. */
const maxSteps = 200;
/** How deep scripts may call one another; what lies deeper is named as unknown. */
const maxDepth = 40;
/** The most characters of one line that is taken apart; a longer one is named as unknown. */
const maxLine = 8_000;
/** The most characters of all lines together. */
const maxCharacters = 50_000;
/** The most parts that are named as unknown. */
const maxUnknown = 20;
/** The most characters of each part that is named as unknown. */
const maxShownPart = 300;
/** The most folders above a package that are looked at; more than folders are ever deep. */
const maxFolders = 50;

/**
 * Finds out all that runs with these commands. Scripts are read now; whoever keeps the answer compares it again before running
 * the commands.
 */
export const resolveChain: ResolveChain = async (starts, sources) => {
  const chain = new ChainReader(sources, starts[0]?.folder ?? '');
  for (const { command, folder } of starts) {
    if (typeof command === 'string') {
      await chain.line(command, { folder, args: [], depth: 0 });
    } else {
      await chain.command(
        command.map((word) => (typeof word === 'string' ? { text: word, isOpen: false } : word)),
        folder,
        0,
      );
    }
  }
  return chain.result();
};

interface LinePlace {
  readonly folder: string;
  /** The words that a package manager adds to the last command of the line. */
  readonly args: readonly ShellWord[];
  readonly depth: number;
}

class ChainReader {
  readonly #sources: ChainSources;
  readonly #home: string;
  readonly #steps = new Map<string, ChainStep>();
  readonly #unknown = new Set<string>();
  readonly #scripts = new Map<string, ReadonlyMap<string, string> | undefined>();
  /** The scripts that were followed, each with its arguments: once is enough. */
  readonly #followed = new Set<string>();
  #charactersLeft = maxCharacters;

  constructor(sources: ChainSources, home: string) {
    this.#sources = sources;
    this.#home = home;
  }

  result(): RunChain {
    return { steps: [...this.#steps.values()], unknown: [...this.#unknown] };
  }

  async line(text: string, { folder, args, depth }: LinePlace): Promise<void> {
    this.#charactersLeft -= text.length;
    const isTooMuch = text.length > maxLine || depth > maxDepth || this.#charactersLeft < 0;
    const commands = isTooMuch ? undefined : readShellLine(text.trim());
    if (commands === undefined) {
      this.#giveUp(text);
      return;
    }
    for (const [index, words] of commands.entries()) {
      await this.command(index === commands.length - 1 ? [...words, ...args] : words, folder, depth);
    }
  }

  async command(words: readonly ShellWord[], folder: string, depth: number): Promise<void> {
    await this.#follow(readCommand(words), words, folder, depth + 1);
  }

  async #follow(call: Calls, words: readonly ShellWord[], folder: string, depth: number): Promise<void> {
    switch (call.kind) {
      case 'nothing':
        return;
      case 'unknown':
        this.#giveUp(textOf(words));
        return;
      case 'file':
        await (call.isInstalled === true ? this.#installed(call.path, words, folder) : this.#file(call.path, words, folder));
        return;
      case 'script': {
        const scripts = await this.#package(folder);
        if (scripts === undefined || depth > maxDepth || this.#steps.size >= maxSteps) {
          this.#giveUp(textOf(words));
          return;
        }
        await this.#script(call, scripts, folder, depth);
      }
    }
  }

  /** Notes the program in a file by its digest. One that may run scripts by itself is not known to the end. */
  async #file(path: string, words: readonly ShellWord[], folder: string): Promise<void> {
    const text = await this.#read(folder, path);
    if (text === undefined || mentionsScripts(text)) {
      this.#giveUp(textOf(words));
    }
    if (text !== undefined) {
      this.#step(folder, path, digestOf(text));
    }
  }

  /** Notes a program that is usually too large to be read; what can be read may be a script that somebody put there. */
  async #installed(path: string, words: readonly ShellWord[], folder: string): Promise<void> {
    const text = await this.#sources.readFile(folder, path).catch(() => undefined);
    if (text?.startsWith('#!') === true && mentionsScripts(text)) {
      this.#giveUp(textOf(words));
    }
    if (text !== undefined) {
      this.#step(folder, path, digestOf(text));
    }
  }

  async #script(
    { name, args, isAlone, otherwise }: Extract<Calls, { readonly kind: 'script' }>,
    scripts: ReadonlyMap<string, string>,
    folder: string,
    depth: number,
  ): Promise<void> {
    for (const each of isAlone ? [name] : [`pre${name}`, name, `post${name}`]) {
      const text = scripts.get(each);
      if (text === undefined && each !== name) {
        continue;
      }
      const label = this.#step(folder, `scripts.${each}`, text ?? '');
      if (text === undefined) {
        const words = [{ text: name, isOpen: false }, ...args];
        const call: Calls = otherwise === 'program' ? readProgram(name, args) : { kind: otherwise };
        await this.#follow(call, words, folder, depth);
        continue;
      }
      const added = each === name ? args : [];
      const key = `${label}\n${text}\n${textOf(added)}`;
      if (!this.#followed.has(key)) {
        this.#followed.add(key);
        await this.line(text, { folder, args: added, depth });
      }
    }
  }

  /** The scripts of the package in the folder; `undefined` where there is none that could be read. */
  async #package(folder: string): Promise<ReadonlyMap<string, string> | undefined> {
    if (!this.#scripts.has(folder)) {
      const manifest = await this.#manifest(folder);
      this.#scripts.set(folder, manifest === undefined ? undefined : scriptsOf(manifest));
      await this.#readSettings(folder);
    }
    return this.#scripts.get(folder);
  }

  /**
   * Reads what package managers read, in the folders above, too. What is above the root of the packages is the person's own and
   * does not count.
   */
  async #readSettings(folder: string): Promise<void> {
    const above = this.#foldersFrom(folder);
    const manifests = await Promise.all(above.map((each) => this.#manifest(each)));
    const files = await Promise.all(above.map((each) => this.#settingsIn(each)));
    const isRoot = above.map(
      (each, index) =>
        each === this.#home || files[index]?.has('pnpm-workspace.yaml') === true || manifests[index]?.['workspaces'] !== undefined,
    );
    const root = Math.max(0, isRoot.lastIndexOf(true));
    for (const [index, each] of above.slice(0, root + 1).entries()) {
      for (const [name, text] of files[index] ?? []) {
        const label = this.#step(each, name, digestOf(text));
        doubtfulParts(name, text).forEach((part) => this.#giveUp(`${label} ${part}`));
      }
      for (const { name, text, isKnown } of choicesIn(manifests[index] ?? {})) {
        const label = this.#step(each, name, text);
        if (!isKnown) {
          this.#giveUp(label);
        }
      }
      const found = await this.#sources.filesIn(each, shadows);
      found.forEach((name) => this.#giveUp(this.#label(each, name)));
    }
  }

  #foldersFrom(folder: string): readonly string[] {
    const found = [folder];
    for (let above = this.#sources.resolveFolder(folder, folderAbove); !found.includes(above) && found.length < maxFolders;) {
      found.push(above);
      above = this.#sources.resolveFolder(above, folderAbove);
    }
    return found;
  }

  async #settingsIn(folder: string): Promise<ReadonlyMap<ManagerFile, string>> {
    const texts = await Promise.all(managerFiles.map(async (name) => [name, await this.#read(folder, name)] as const));
    return new Map(texts.filter((each): each is readonly [ManagerFile, string] => each[1] !== undefined));
  }

  async #manifest(folder: string): Promise<JsonObject | undefined> {
    return readManifest((await this.#read(folder, 'package.json')) ?? '');
  }

  #step(folder: string, name: string, text: string): string {
    const label = this.#label(folder, name);
    this.#steps.set(label, { name: label, text });
    return label;
  }

  #label(folder: string, name: string): string {
    return folder === this.#home ? name : `${folder} ${name}`;
  }

  async #read(folder: string, name: string): Promise<string | undefined> {
    try {
      return await this.#sources.readFile(folder, name);
    } catch {
      this.#giveUp(name);
      return undefined;
    }
  }

  #giveUp(part: string): void {
    const text = part.trim();
    if (this.#unknown.size < maxUnknown) {
      this.#unknown.add(text.length > maxShownPart ? `${text.slice(0, maxShownPart)}…` : text);
    }
  }
}

function textOf(words: readonly ShellWord[]): string {
  return words.map(({ text, isOpen }) => (isOpen ? text : joinCommand([text]))).join(' ');
}

/** Reads package.json; `undefined` for a text that is none, whose scripts cannot be known. */
function readManifest(text: string): JsonObject | undefined {
  return parsedObject(text.replace(/^\uFEFF/, ''));
}

function scriptsOf(manifest: JsonObject): ReadonlyMap<string, string> {
  const scripts = isJsonObject(manifest['scripts']) ? manifest['scripts'] : {};
  return new Map(Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
