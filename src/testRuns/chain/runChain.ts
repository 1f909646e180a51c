// chain/: everything that runs when a command runs, as far as package scripts are concerned: a script, those around it, those it
// calls. Pure: package.json comes through a port. shellLine.ts splits lines, packageCall.ts knows the package managers, and
// commandCalls.ts the programs that run other commands. This file follows the chain to its programs, which end it.
import { isJsonObject } from '../../base/json.ts';
import { joinCommand } from '../../base/commandLine.ts';
import { readCommand, type Calls } from './commandCalls.ts';
import { readShellLine, type ShellSign, type ShellWord } from './shellLine.ts';

/** A script by the name under which the chain reaches it. */
export interface ChainStep {
  /** `scripts.test`, with its folder before it where that is another one. */
  readonly name: string;
  /** Empty for a script that is not there: one that comes later is a change. */
  readonly text: string;
}

export interface RunChain {
  readonly steps: readonly ChainStep[];
  /** The parts of which it cannot be known what they run, in their own words; none when all is known. */
  readonly unknown: readonly string[];
}

export interface ChainStart {
  /** A line for a shell, or a program with its arguments. */
  readonly command: string | readonly string[];
  /** Absolute. */
  readonly folder: string;
}

export interface ChainSources {
  /** `undefined` for a file that is not there; rejects when it cannot be read. */
  readFile(folder: string, name: 'package.json' | '.npmrc'): Promise<string | undefined>;
  /** An absolute folder, from one as it is seen from another. */
  resolveFolder(from: string, to: string): string;
}

export type ResolveChain = (starts: readonly ChainStart[], sources: ChainSources) => Promise<RunChain>;

const maxSteps = 200;
const maxDepth = 40;
const maxLine = 8_000;
/** Of all lines together. */
const maxCharacters = 50_000;
const maxUnknown = 20;
const maxShownPart = 300;

/** What runs from these commands on. Scripts are read now: whoever holds on to the answer compares it before they run it. */
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
  readonly scripts: ReadonlyMap<string, string>;
  /** What patterns stand for, once looked up. */
  readonly matching: Map<string, readonly string[]>;
}

/** Settings of npm by which scripts run in another shell or in other packages. */
const divertingSetting = /^\s*(?:script-shell|shell|workspaces?|include-workspace-root|prefix|dir|node-options)\s*=/im;

class ChainReader {
  readonly #sources: ChainSources;
  readonly #home: string;
  readonly #steps = new Map<string, ChainStep>();
  readonly #unknown = new Set<string>();
  readonly #manifests = new Map<string, Manifest | undefined>();
  /** A script is followed once for the same arguments. */
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

  /** A line for a shell. `folder` is `undefined` where it cannot be known. */
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
    const outer: (string | undefined)[] = [];
    let here = folder;
    for (const [index, part] of parts.entries()) {
      if (part.kind === 'operator') {
        here = enterOrLeave(part.sign, here, outer);
        continue;
      }
      const next = parts[index + 1];
      const moved = this.#folderAfter(part.words, here, next?.kind === 'operator' ? next.sign : ';');
      if (moved === undefined) {
        await this.command(part.words, here, depth);
      } else {
        here = moved.folder;
      }
    }
  }

  /** One program with its arguments. */
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
          await this.#script(name, { folder: there, manifest, args: call.args, isAlone: call.isAlone }, depth);
        }
      }
    }
  }

  async #script(name: string, at: ScriptPlace, depth: number): Promise<void> {
    const { folder, manifest, args, isAlone } = at;
    for (const each of isAlone ? [name] : [`pre${name}`, name, `post${name}`]) {
      const text = manifest.scripts.get(each);
      const label = folder === this.#home ? `scripts.${each}` : `${folder} scripts.${each}`;
      if (text === undefined && each !== name) {
        continue;
      }
      this.#steps.set(label, { name: label, text: text ?? '' });
      const line = `${text ?? ''}${each === name ? args.map(argumentText).join('') : ''}`;
      const key = `${label}\n${line}`;
      if (!this.#followed.has(key) && line.trim() !== '') {
        this.#followed.add(key);
        await this.line(line, folder, depth);
      }
    }
  }

  async #manifest(folder: string): Promise<Manifest | undefined> {
    if (!this.#manifests.has(folder)) {
      const [text, settings] = await Promise.all([this.#read(folder, 'package.json'), this.#read(folder, '.npmrc')]);
      this.#manifests.set(folder, text === undefined ? undefined : readManifest(text));
      const diverting = divertingSetting.exec(settings ?? '')?.[0];
      if (diverting !== undefined) {
        this.#giveUp(`.npmrc ${diverting.trim()}`);
      }
    }
    return this.#manifests.get(folder);
  }

  async #read(folder: string, name: Parameters<ChainSources['readFile']>[1]): Promise<string | undefined> {
    try {
      return await this.#sources.readFile(folder, name);
    } catch {
      this.#giveUp(name);
      return undefined;
    }
  }

  /** For `cd`: where the next command runs. `undefined` for any other command. */
  #folderAfter(words: readonly ShellWord[], folder: string | undefined, next: ShellSign): { folder: string | undefined } | undefined {
    const [program, target, ...more] = words;
    if (program === undefined || !/^(?:cd|chdir|pushd|popd)$/.test(program.text)) {
      return undefined;
    }
    const isPlain = program.text === 'cd' && target !== undefined && !target.isOpen && !target.text.startsWith('-') && more.length === 0;
    // After anything but success it is not known whether the folder is another one.
    const isSure = isPlain && folder !== undefined && (next === '&&' || next === ';' || next === ')');
    return { folder: isSure ? this.#sources.resolveFolder(folder, target.text) : undefined };
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
  /** Without those before and after it. */
  readonly isAlone: boolean;
}

/** What goes to a folder within parentheses comes back after them. */
function enterOrLeave(sign: ShellSign, folder: string | undefined, outer: (string | undefined)[]): string | undefined {
  if (sign === '(') {
    outer.push(folder);
  }
  return sign === ')' ? outer.pop() : folder;
}

function textOf(words: readonly ShellWord[]): string {
  return words.map(({ text, isOpen }) => (isOpen ? text : joinCommand([text]))).join(' ');
}

/** As the package manager adds it to the script. What is not known yet stays unknown there. */
function argumentText({ text, isOpen }: ShellWord): string {
  return isOpen ? ' "$0"' : ` ${joinCommand([text])}`;
}

/** A text that is no package.json has no scripts that could be known. */
function readManifest(text: string): Manifest | undefined {
  try {
    const parsed: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    const scripts = isJsonObject(parsed) && isJsonObject(parsed['scripts']) ? parsed['scripts'] : {};
    const named = Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    return { scripts: new Map(named), matching: new Map() };
  } catch {
    return undefined;
  }
}

/** `test:*` means many. */
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
