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

/** What a command runs besides itself. A program that runs nothing else has none of these. */
export type Calls =
  | { readonly kind: 'line'; readonly text: string }
  | {
      readonly kind: 'scripts';
      readonly names: readonly string[];
      /** Whether `*` in a name stands for many. */
      readonly hasWildcards: boolean;
      readonly args: readonly ShellWord[];
      readonly folder?: string;
      /** Without the scripts before and after it. */
      readonly isAlone: boolean;
      readonly otherwise: Otherwise;
    }
  | { readonly kind: 'unknown' };

const unknown: readonly Calls[] = [{ kind: 'unknown' }];
const nothing: readonly Calls[] = [];

/** Words of a shell before a command; a command among several of these may never run, or run often. */
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
/** Settings of package managers and shells, which can lead them to other packages. */
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
  // Whoever follows a line knows where it goes; a change of folder that comes here has been wrapped.
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
    return unknown; // it installs, and packages run scripts then
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

/** By which many programs run what they are given in another folder. */
const folderOption = /^(?:-C|--(?:cwd|chdir|dir|directory|prefix|work-?dir)(?:=|$))/;

/** A program nobody knows may run what it is given: where its arguments name one that runs scripts, that is followed too. */
function readArguments(args: readonly ShellWord[]): readonly Calls[] {
  const called = followArguments(args);
  // The options of what it runs come later, and are read by those who know it.
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

/** Where it is not sure which of these words is the command. */
function readInDoubt(args: readonly ShellWord[]): readonly Calls[] {
  return args.some(({ text }) => isRunner(nameOf(text)) || mentionsScripts(text)) ? unknown : nothing;
}

/** Options and variables, then a command. */
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

/** `run-s lint "test:*" -- --watch`: options change how they run, except for those that say by which program. */
function readScriptNames(args: readonly ShellWord[]): readonly Calls[] {
  const end = args.findIndex(({ text }) => text === '--');
  const named = (end < 0 ? args : args.slice(0, end)).filter(({ text }) => !text.startsWith('-'));
  // A pattern that the shell fills in with names of files gives no other scripts than it would itself.
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

/** `npm:NAME` is short for a script; everything else that is no option is a command. */
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

/** Names of scripts, commands, ports and addresses stand side by side. */
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

/** How a shell is called. */
export interface ShellCall {
  /** What it is given to run as text; empty where it runs a file, and `undefined` where it cannot be known. */
  readonly line: string | undefined;
  /** What the file is given. */
  readonly rest: readonly ShellWord[];
}

const unknownShellCall: ShellCall = { line: undefined, rest: [] };
/** Of one letter each; those that take a value or change what is read are missing. */
const letters = /^[-+][abefhiklmnprtuvxBCEHPc]+$/;
const longFlags: ReadonlySet<string> = new Set(['--login', '--norc', '--noprofile', '--no-config', '--posix', '--interactive']);

/** A script file is a program; what is given to read or as text is not. */
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

/** `cmd /d /s /c "…"`: all that follows is the command, also without a space. */
function readWindowsShell(args: readonly ShellWord[]): ShellCall {
  const command = /^(?:\/\/?[adsquefv](?::\w+)?)*\/\/?[ckr](.*)$/is;
  const at = args.findIndex(({ text }) => command.test(text));
  const attached = command.exec(args[at]?.text ?? '')?.[1] ?? '';
  const words = [attached, ...args.slice(at + 1).map(({ text }) => text)].join(' ').trim();
  return at < 0 || words === '' || args.some(({ isOpen }) => isOpen) ? unknownShellCall : { line: words, rest: [] };
}
