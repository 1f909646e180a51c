// chain/: everything that runs when a command runs, as far as package scripts are concerned: a script, those around it, those it
// calls. Pure: files come through a port. shellLine.ts splits lines, packageCall.ts knows the package managers, and
// commandCalls.ts the programs that run other commands. This file follows the chain to its programs, which end it.
// What is not recognised where a script could hide counts as unknown, never as nothing.
import { isJsonObject } from '../../base/json.ts';
import { joinCommand } from '../../base/commandLine.ts';
import { readCommand, type Calls } from './commandCalls.ts';
import { digestOf, doubtfulSettings, type ManagerFile, managerFiles, namesShell, type Otherwise } from './packageCall.ts';
import { isKnownProgram } from './programNames.ts';
import { readShellLine, type ShellWord } from './shellLine.ts';
import { WorkingFolder } from './workingFolder.ts';

/** A step of the chain: a script, or a file with settings of package managers. */
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
  /** The command: a line for a shell, or a program with its arguments. */
  readonly command: string | readonly string[];
  /** The folder it runs in, as an absolute path. */
  readonly folder: string;
}

export interface ChainSources {
  /** Reads a file; `undefined` for one that is not there. Rejects when it cannot be read. */
  readFile(folder: string, name: 'package.json' | ManagerFile): Promise<string | undefined>;
  /** The absolute path of the folder `to`, as it is seen from the folder `from`. */
  resolveFolder(from: string, to: string): string;
}

export type ResolveChain = (starts: readonly ChainStart[], sources: ChainSources) => Promise<RunChain>;

const folderAbove = '..';
const maxSteps = 200;
const maxDepth = 40;
const maxLine = 8_000;
/** The most characters of all lines together. */
const maxCharacters = 50_000;
const maxUnknown = 20;
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
      await chain.line(command, folder, 0);
    } else {
      await chain.command(
        command.map((text) => ({ text, isOpen: false })),
        folder,
        0,
      );
    }
  }
  return chain.result();
};

interface Manifest {
  /** Whether the package is the root of other packages. */
  readonly isRoot: boolean;
  readonly scripts: ReadonlyMap<string, string>;
  /** The scripts that patterns stand for, once looked up. */
  readonly matching: Map<string, readonly string[]>;
}

class ChainReader {
  readonly #sources: ChainSources;
  readonly #home: string;
  readonly #steps = new Map<string, ChainStep>();
  readonly #unknown = new Set<string>();
  readonly #manifests = new Map<string, Manifest | undefined>();
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

  get #isFull(): boolean {
    return this.#steps.size >= maxSteps || this.#charactersLeft < 0;
  }

  /** Follows a line for a shell. `folder` is `undefined` where it cannot be known. */
  async line(text: string, folder: string | undefined, depth: number): Promise<void> {
    this.#charactersLeft -= text.length;
    if (text.length > maxLine || depth > maxDepth || this.#charactersLeft < 0) {
      this.#giveUp(text);
      return;
    }
    const { parts, hidesCommands } = readShellLine(text);
    if (hidesCommands) {
      this.#giveUp(text);
    }
    const place = new WorkingFolder(folder, (from, to) => this.#sources.resolveFolder(from, to));
    for (const [index, part] of parts.entries()) {
      if (part.kind === 'operator') {
        place.pass(part.sign);
        continue;
      }
      const next = parts[index + 1];
      if (!place.follow(part.words, next?.kind === 'operator' ? next.sign : ';')) {
        await this.command(part.words, place.here, depth);
      }
    }
  }

  /** Follows one program with its arguments. */
  async command(words: readonly ShellWord[], folder: string | undefined, depth: number): Promise<void> {
    for (const call of readCommand(words)) {
      await this.#call(call, words, folder, depth + 1);
    }
  }

  async #call(call: Calls, words: readonly ShellWord[], folder: string | undefined, depth: number): Promise<void> {
    switch (call.kind) {
      case 'unknown':
        this.#giveUp(textOf(words));
        return;
      case 'line':
        await this.line(call.text, folder, depth);
        return;
      case 'scripts': {
        const there = folder !== undefined && call.folder !== undefined ? this.#sources.resolveFolder(folder, call.folder) : folder;
        const manifest = there === undefined ? undefined : await this.#manifest(there);
        if (there === undefined || manifest === undefined || depth > maxDepth) {
          this.#giveUp(textOf(words));
          return;
        }
        const names = call.names.flatMap((name) => namesLike(name, manifest, call.hasWildcards));
        for (const name of names) {
          if (this.#isFull) {
            this.#giveUp(textOf(words));
            return;
          }
          await this.#script(name, { folder: there, manifest, args: call.args, isAlone: call.isAlone, otherwise: call.otherwise }, depth);
        }
      }
    }
  }

  async #script(name: string, at: ScriptPlace, depth: number): Promise<void> {
    const { folder, manifest, args, isAlone } = at;
    for (const each of isAlone ? [name] : [`pre${name}`, name, `post${name}`]) {
      const text = manifest.scripts.get(each);
      const label = this.#label(folder, `scripts.${each}`);
      if (text === undefined && each !== name) {
        continue;
      }
      this.#steps.set(label, { name: label, text: text ?? '' });
      if (text === undefined) {
        await this.#program(name, at, depth);
        continue;
      }
      const line = `${text}${each === name ? args.map(argumentText).join('') : ''}`;
      const key = `${label}\n${line}`;
      if (!this.#followed.has(key) && line.trim() !== '') {
        this.#followed.add(key);
        await this.line(line, folder, depth);
      }
    }
  }

  /** Follows what runs in place of a script that is not there. */
  async #program(name: string, { folder, args, otherwise }: ScriptPlace, depth: number): Promise<void> {
    const words = [{ text: name, isOpen: false }, ...args];
    if (otherwise === 'nothing') {
      return;
    }
    if (!isKnownProgram(name)) {
      this.#giveUp(textOf(words));
    }
    await this.command(words, folder, depth);
  }

  async #manifest(folder: string): Promise<Manifest | undefined> {
    if (!this.#manifests.has(folder)) {
      this.#manifests.set(folder, await this.#readManifest(folder));
      await this.#readSettings(folder);
    }
    return this.#manifests.get(folder);
  }

  async #readManifest(folder: string): Promise<Manifest | undefined> {
    const text = await this.#read(folder, 'package.json');
    return text === undefined ? undefined : readManifest(text);
  }

  /**
   * Reads settings of package managers, which look for them in the folders above, too. What is above the root of the packages is
   * the person's own and does not count.
   */
  async #readSettings(folder: string): Promise<void> {
    const above = this.#foldersFrom(folder);
    const files = await Promise.all(above.map((each) => this.#settingsIn(each)));
    const isRoot = await Promise.all(
      above.map(
        async (each, index) => each === this.#home || files[index]?.has('pnpm-workspace.yaml') === true || (await this.#isRoot(each)),
      ),
    );
    const root = Math.max(0, isRoot.lastIndexOf(true));
    for (const [index, each] of above.slice(0, root + 1).entries()) {
      for (const [name, text] of files[index] ?? []) {
        this.#setting(this.#label(each, name), name, text);
      }
    }
  }

  #setting(label: string, name: ManagerFile, text: string): void {
    this.#steps.set(label, { name: label, text: digestOf(text) });
    if (name === '.npmrc') {
      doubtfulSettings(text).forEach((key) => this.#giveUp(`${label} ${key}`));
    } else if (namesShell(text)) {
      this.#giveUp(label);
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

  async #isRoot(folder: string): Promise<boolean> {
    return (await this.#readManifest(folder))?.isRoot === true;
  }

  #label(folder: string, name: string): string {
    return folder === this.#home ? name : `${folder} ${name}`;
  }

  async #read(folder: string, name: Parameters<ChainSources['readFile']>[1]): Promise<string | undefined> {
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

interface ScriptPlace {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly args: readonly ShellWord[];
  /** Whether the scripts before and after it (`pre…`, `post…`) do not run. */
  readonly isAlone: boolean;
  readonly otherwise: Otherwise;
}

function textOf(words: readonly ShellWord[]): string {
  return words.map(({ text, isOpen }) => (isOpen ? text : joinCommand([text]))).join(' ');
}

/** An argument as the package manager adds it to the script. One that a shell fills in stays unknown there. */
function argumentText({ text, isOpen }: ShellWord): string {
  return isOpen ? ' "$0"' : ` ${joinCommand([text])}`;
}

/** Reads package.json; `undefined` for a text that is none, whose scripts cannot be known. */
function readManifest(text: string): Manifest | undefined {
  try {
    const parsed: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    const isRoot = isJsonObject(parsed) && parsed['workspaces'] !== undefined;
    const scripts = isJsonObject(parsed) && isJsonObject(parsed['scripts']) ? parsed['scripts'] : {};
    const named = Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    return { isRoot, scripts: new Map(named), matching: new Map() };
  } catch {
    return undefined;
  }
}

/** The scripts that a name stands for: `test:*` may mean many. */
function namesLike(name: string, { scripts, matching }: Manifest, hasWildcards: boolean): readonly string[] {
  if (!hasWildcards || !name.includes('*')) {
    return [name];
  }
  const pieces = name.split(/\*+/);
  const names = matching.get(name) ?? [...scripts.keys()].filter((script) => matchesPieces(script, pieces));
  matching.set(name, names);
  return names;
}

function matchesPieces(text: string, pieces: readonly string[]): boolean {
  const [first = '', ...rest] = pieces;
  const last = rest.pop() ?? '';
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found < 0) {
      return false;
    }
    at = found + piece.length;
  }
  return text.startsWith(first) && text.endsWith(last) && text.length - last.length >= at;
}
