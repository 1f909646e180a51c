import { type Otherwise, packageManagerOf, readPackageCall } from './packageCall.ts';
import {
  concurrents,
  feeders,
  folderChanges,
  isOpaque,
  isRunner,
  manyScripts,
  mentionsScripts,
  nameOf,
  opaqueBuiltins,
  type Prefix,
  prefixes,
  serverTests,
  shells,
} from './programNames.ts';
import { readShellLine, type ShellWord } from './shellLine.ts';

/** Something that a command runs besides itself; a program that runs nothing else has none. */
export type Calls =
  | { readonly kind: 'line'; readonly text: string }
  | {
      readonly kind: 'scripts';
      readonly names: readonly string[];
      /** Whether `*` in a name stands for many scripts. */
      readonly hasWildcards: boolean;
      readonly args: readonly ShellWord[];
      readonly folder?: string;
      /** Whether the script runs alone, without its `pre…` and `post…` scripts. */
      readonly isAlone: boolean;
      readonly otherwise: Otherwise;
    }
  | { readonly kind: 'unknown' };

const unknown: readonly Calls[] = [{ kind: 'unknown' }];
const nothing: readonly Calls[] = [];

/** Words of a shell before a command. A command among several of these may never run, or run often. */
export const keywords: ReadonlySet<string> = new Set([
  'if',
  'then',
  'else',
  'elif',
  'fi',
  'do',
  'done',
  'while',
  'until',
  '!',
  '{',
  '}',
  'time',
]);
export const assignment = /^[A-Za-z_]\w*\+?=/;
/** Matches settings of package managers and shells that can lead them to other packages. */
const managerSetting = /^(?:(?:npm_config|npm_package|yarn|pnpm|bun|corepack)_|cdpath\b)/i;

/** What one command runs besides itself. */
export function readCommand(given: readonly ShellWord[]): readonly Calls[] {
  const start = given.findIndex(({ text }) => !keywords.has(text) && !assignment.test(text));
  if (given.slice(0, start < 0 ? undefined : start).some(({ text }) => managerSetting.test(text))) {
    return unknown;
  }
  const [program, ...args] = start < 0 ? [] : given.slice(start);
  if (program === undefined) {
    return nothing;
  }
  const name = nameOf(program.text);
  // A plain change of folder is followed with its line; one that comes here is wrapped in something else.
  if (program.isOpen || opaqueBuiltins.has(name) || isOpaque(name) || folderChanges.has(name)) {
    return unknown;
  }
  return readProgram(name, args);
}

function readProgram(name: string, args: readonly ShellWord[]): readonly Calls[] {
  const manager = packageManagerOf(name);
  if (manager !== undefined) {
    const call = readPackageCall(manager, args);
    switch (call.kind) {
      case 'scripts':
        return [{ ...call, hasWildcards: false, isAlone: false }];
      case 'command':
        return readCommand(call.words);
      case 'nothing':
        return nothing;
      case 'unknown':
        return unknown;
    }
  }
  if (manyScripts.has(name)) {
    return readScriptNames(args);
  }
  if (name === 'corepack' && /^(?:use|up|install)$/.test(args[0]?.text ?? '')) {
    return unknown; // it installs packages, which run scripts then
  }
  const prefix = prefixes.get(name);
  if (prefix !== undefined) {
    return readPrefixed(prefix, args);
  }
  if (shells.has(name)) {
    const { line, rest } = readShellCall(name, args);
    return line === undefined ? unknown : line === '' ? readArguments(rest) : [{ kind: 'line', text: line }];
  }
  if (concurrents.has(name)) {
    return args.flatMap(readConcurrent);
  }
  if (serverTests.has(name)) {
    return args.flatMap(readServerTest);
  }
  if (name === 'node' || name === 'nodejs') {
    return readNode(args);
  }
  if (name === 'cross-env-shell') {
    return args.some(({ isOpen }) => isOpen) ? unknown : [{ kind: 'line', text: args.map(({ text }) => text).join(' ') }];
  }
  const isSet = name === 'export' || name === 'set' || name === 'declare' || name === 'setx';
  if ((isSet && args.some(({ text }) => managerSetting.test(text))) || (name === 'deno' && args.some(({ text }) => text === 'task'))) {
    return unknown;
  }
  return feeders.has(name) ? readInDoubt(args) : readArguments(args);
}

/** Matches options by which many programs run what they are given in another folder. */
const folderOption = /^(?:-C|--(?:cwd|chdir|dir|directory|prefix|work-?dir)(?:=|$))/;

/**
 * Reads the arguments of an unknown program, which may run what it is given: where they name a program that runs scripts, that is
 * followed, too.
 */
function readArguments(args: readonly ShellWord[]): readonly Calls[] {
  const called = followArguments(args);
  // Only options before the program it runs count here; those after it are read with that program.
  const first = args.findIndex(({ text }) => isRunner(nameOf(text)) || (/\s/.test(text) && mentionsScripts(text)));
  return called.length > 0 && args.slice(0, Math.max(0, first)).some(({ text }) => folderOption.test(text)) ? unknown : called;
}

function followArguments(args: readonly ShellWord[]): readonly Calls[] {
  for (const [index, { text, isOpen }] of args.entries()) {
    const rest = args.slice(index + 1);
    const name = nameOf(text);
    if (!isOpen && (isRunner(name) || feeders.has(name) || ((name === 'node' || name === 'nodejs') && rest.length > 0))) {
      const called = readCommand(args.slice(index));
      return called.length > 0 ? called : readInDoubt(rest);
    }
    if (/\s/.test(text) && mentionsScripts(text)) {
      const line = text.replace(/^--?[\w-]+=/, '');
      return isOpen || !callsAnything(line) ? unknown : [{ kind: 'line', text: line }, ...followArguments(rest)];
    }
  }
  return nothing;
}

function callsAnything(line: string): boolean {
  return readShellLine(line).parts.some((part) => part.kind === 'command' && readCommand(part.words).length > 0);
}

/** Reads words of which it is not certain where the command begins: they are unknown if they may name scripts. */
function readInDoubt(args: readonly ShellWord[]): readonly Calls[] {
  return args.some(({ text }) => isRunner(nameOf(text)) || mentionsScripts(text)) ? unknown : nothing;
}

/** Reads the arguments of a program that takes options and variables, then a command. */
function readPrefixed(prefix: Prefix, args: readonly ShellWord[]): readonly Calls[] {
  let index = 0;
  for (; index < args.length; index += 1) {
    const { text, isOpen } = args[index] as ShellWord;
    if (managerSetting.test(text)) {
      return unknown;
    }
    if (prefix.withValue.has(text)) {
      index += 1;
      if (managerSetting.test(args[index]?.text ?? '') || args[index]?.isOpen === true) {
        return unknown;
      }
    } else if (text.startsWith('-') && text !== '--' && !prefix.flags.has(text) && prefix.skipped?.test(text) !== true) {
      const isWhole = !isOpen && /^--[\w-]+=/.test(text) && !mentionsScripts(text);
      if (prefix.isStrict || !isWhole) {
        return prefix.isStrict ? unknown : readInDoubt(args.slice(index));
      }
    } else if (!text.startsWith('-') && !assignment.test(text) && prefix.skipped?.test(text) !== true) {
      break;
    }
  }
  return readCommand(args.slice(index));
}

function readNode(args: readonly ShellWord[]): readonly Calls[] {
  const at = args.findIndex(({ text }) => text === '--run' || text.startsWith('--run='));
  if (at < 0) {
    return readArguments(args);
  }
  const option = args[at];
  const name = option?.text === '--run' ? args[at + 1] : option && { ...option, text: option.text.slice('--run='.length) };
  if (name === undefined || name.isOpen) {
    return unknown;
  }
  const rest = args.slice(args.findIndex(({ text }) => text === '--') + 1 || args.length);
  return [{ kind: 'scripts', names: [name.text], hasWildcards: false, args: rest, isAlone: true, otherwise: 'nothing' }];
}

/**
 * Reads names of scripts, as in `run-s lint "test:*" -- --watch`. Options change how they run, except those that say by which
 * program.
 */
function readScriptNames(args: readonly ShellWord[]): readonly Calls[] {
  const end = args.findIndex(({ text }) => text === '--');
  const named = (end < 0 ? args : args.slice(0, end)).filter(({ text }) => !text.startsWith('-'));
  // A pattern that the shell replaces by file names gives no other scripts than the pattern itself.
  const isStrange = ({ text, isOpen }: ShellWord): boolean =>
    (isOpen && !/^[\w:*-]+$/.test(text)) || /[{}[\]()?!+@]/.test(text) || text.startsWith('--npm-path');
  return args.some(isStrange)
    ? unknown
    : named.map(({ text }) => {
        const [name = '', ...more] = text.trim().split(/\s+/);
        return {
          kind: 'scripts',
          names: [name],
          hasWildcards: true,
          args: more.filter((word) => word !== '--').map((word) => ({ text: word, isOpen: false })),
          isAlone: false,
          otherwise: 'nothing',
        };
      });
}

/** Reads an argument of `concurrently`: `npm:NAME` is short for a script, and everything else that is no option is a command. */
function readConcurrent(word: ShellWord): readonly Calls[] {
  const { text, isOpen } = word;
  if (isOpen || text === '-P' || text === '--passthrough-arguments') {
    return unknown;
  }
  const short = /^(?:npm|pnpm|yarn|bun|node|deno):(\S+)(.*)$/s.exec(text);
  if (short === null) {
    return text.startsWith('-') ? readInDoubt([word]) : [{ kind: 'line', text }];
  }
  const [, name = '', more = ''] = short;
  const rest: readonly Calls[] = mentionsScripts(more) ? [{ kind: 'line', text: more }] : [];
  const isPlain = !/[()!]/.test(name) && !text.startsWith('deno:');
  const otherwise = /^(?:npm|node):/.test(text) ? 'nothing' : 'program';
  return isPlain ? [{ kind: 'scripts', names: [name], hasWildcards: true, args: [], isAlone: false, otherwise }, ...rest] : unknown;
}

/** Reads an argument of `start-server-and-test`, where names of scripts, commands, ports and addresses stand side by side. */
function readServerTest(word: ShellWord): readonly Calls[] {
  if (word.isOpen) {
    return unknown;
  }
  const isPlace = /^[\d:|]+$|^[a-z-]+:\/\/|^-/.test(word.text);
  if (isPlace) {
    return nothing;
  }
  return /\s/.test(word.text)
    ? [{ kind: 'line', text: word.text }]
    : [{ kind: 'scripts', names: [word.text], hasWildcards: false, args: [], isAlone: false, otherwise: 'program' }];
}

/** What a call of a shell runs. */
export interface ShellCall {
  /** The text that the shell is given to run; empty where it runs a file, and `undefined` where it cannot be known. */
  readonly line: string | undefined;
  /** The arguments of the file. */
  readonly rest: readonly ShellWord[];
}

const unknownShellCall: ShellCall = { line: undefined, rest: [] };
/** Matches options of one letter each, without those that take a value or change what is read. */
const letters = /^[-+][abefhiklmnprtuvxBCEHPc]+$/;
const longFlags: ReadonlySet<string> = new Set(['--login', '--norc', '--noprofile', '--no-config', '--posix', '--interactive']);

/** Reads a call of a shell, which runs a file or a text. */
function readShellCall(name: string, args: readonly ShellWord[]): ShellCall {
  return name === 'cmd' ? readWindowsShell(args) : readPosixShell(args);
}

function readPosixShell(args: readonly ShellWord[]): ShellCall {
  let isText = false;
  for (const [index, { text, isOpen }] of args.entries()) {
    if (isOpen) {
      return unknownShellCall;
    }
    const attached = /^--command=(.*)$/s.exec(text)?.[1];
    if (attached !== undefined) {
      return { line: attached, rest: [] };
    }
    if (text === '--command' || letters.test(text)) {
      isText ||= text === '--command' || (text.startsWith('-') && text.includes('c'));
    } else if (text.startsWith('-') && text !== '--' && !longFlags.has(text)) {
      return unknownShellCall;
    } else if (!text.startsWith('-')) {
      return isText ? { line: text === '' ? ' ' : text, rest: [] } : { line: '', rest: args.slice(index + 1) };
    }
  }
  return unknownShellCall;
}

/** Reads `cmd /d /s /c "…"`, where all that follows is the command, even without a space. */
function readWindowsShell(args: readonly ShellWord[]): ShellCall {
  const command = /^(?:\/\/?[adsquefv](?::\w+)?)*\/\/?[ckr](.*)$/is;
  const at = args.findIndex(({ text }) => command.test(text));
  const attached = command.exec(args[at]?.text ?? '')?.[1] ?? '';
  const words = [attached, ...args.slice(at + 1).map(({ text }) => text)].join(' ').trim();
  return at < 0 || words === '' || args.some(({ isOpen }) => isOpen) ? unknownShellCall : { line: words, rest: [] };
}
