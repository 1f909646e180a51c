import { packageManagerOf, readPackageCall } from './packageCall.ts';
import type { ShellWord } from './shellLine.ts';

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
    }
  | { readonly kind: 'unknown' };

const unknown: readonly Calls[] = [{ kind: 'unknown' }];
const nothing: readonly Calls[] = [];

const keywords: ReadonlySet<string> = new Set(['if', 'then', 'else', 'elif', 'fi', 'do', 'done', 'while', 'until', '!', '{', '}', 'time']);
/** Programs whose first argument that is no option is a program again. */
const prefixes: ReadonlySet<string> = new Set(
  'exec command env nohup nice sudo doas cross-env dotenv dotenvx corepack npx bunx pnpx c8 nyc xvfb-run timeout'.split(' '),
);
/** What these do is written nowhere in their words, or changes what later words mean. */
const opaque: ReadonlySet<string> = new Set(
  'eval source . alias trap case select function turbo nx lerna wireit rush moon wsrun lage ultra nps per-env powershell pwsh'.split(' '),
);
const shells: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash', 'fish', 'cmd']);
const manyScripts: ReadonlySet<string> = new Set(['run-s', 'run-p', 'npm-run-all', 'npm-run-all2']);
const serverTests: ReadonlySet<string> = new Set(['start-server-and-test', 'server-test', 'start-test']);
/** They take what they run from what they are given to read. */
const feeders: ReadonlySet<string> = new Set(['xargs', 'parallel', 'find', 'fd', 'entr', 'watch']);
const mentionsScripts =
  /(?:^|[\s;&|("'/\\])(?:npm|pnpm|yarn|bun|npx|bunx|run-s|run-p|npm-run-all2?|turbo|nx|lerna|wireit|concurrently)(?:\.cmd|\.exe)?(?:$|[\s;&|)"':])|--run[\s=]/;
const assignment = /^[A-Za-z_]\w*\+?=/;
/** Settings of package managers, which can lead them to other packages. */
const managerSetting = /^(?:npm_config|npm_package|yarn|pnpm|bun|corepack)_/i;

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
  if (program.isOpen || opaque.has(name)) {
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
  if (prefixes.has(name)) {
    return readPrefixed(name, args);
  }
  if (shells.has(name)) {
    return readShell(args);
  }
  if (name === 'concurrently' || name === 'conc') {
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
  return feeders.has(name) && args.some(({ text }) => mentionsScripts.test(text)) ? unknown : readArguments(args);
}

/** A program nobody knows may run what it is given: where its arguments name a package manager, that is followed too. */
function readArguments(args: readonly ShellWord[]): readonly Calls[] {
  for (const [index, { text, isOpen }] of args.entries()) {
    const name = nameOf(text);
    if (!isOpen && (packageManagerOf(name) !== undefined || manyScripts.has(name) || name === 'concurrently')) {
      return readCommand(args.slice(index));
    }
    if (/\s/.test(text) && mentionsScripts.test(text)) {
      return isOpen ? unknown : [{ kind: 'line', text }, ...readArguments(args.slice(index + 1))];
    }
  }
  return nothing;
}

/** Options and variables, then a command. An option's value may be taken for the command: what follows is still looked at. */
function readPrefixed(name: string, args: readonly ShellWord[]): readonly Calls[] {
  const goesElsewhere = args.some(({ text }) => /^(?:-c|--call|-C|--chdir(?:=.*)?|-S|--split-string(?:=.*)?|-D)$/.test(text));
  const start = args.findIndex(({ text }) => !text.startsWith('-') && !assignment.test(text) && !/^\d+[smh]?$/.test(text));
  const before = start < 0 ? args : args.slice(0, start);
  if (
    (goesElsewhere && (name === 'env' || name.endsWith('px') || name === 'sudo')) ||
    before.some(({ text }) => managerSetting.test(text))
  ) {
    return unknown;
  }
  const called = start < 0 ? nothing : readCommand(args.slice(start));
  return called.length > 0 || start < 0 ? called : readArguments(args.slice(start + 1));
}

/** A script file is a program; what is given to read or as text is not. */
function readShell(args: readonly ShellWord[]): readonly Calls[] {
  const at = args.findIndex(({ text }) => /^-\w*c$/.test(text) || /^\/[ck]$/i.test(text));
  if (at >= 0) {
    const rest = /^\//.test(args[at]?.text ?? '') ? args.slice(at + 1) : args.slice(at + 1, at + 2);
    return rest.length === 0 || rest.some(({ isOpen }) => isOpen)
      ? unknown
      : [{ kind: 'line', text: rest.map(({ text }) => text).join(' ') }];
  }
  const file = args.find(({ text }) => !text.startsWith('-'));
  return file === undefined || file.isOpen || args.some(({ text }) => text === '-s') ? unknown : nothing;
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
  return [{ kind: 'scripts', names: [name.text], hasWildcards: false, args: rest, isAlone: true }];
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
    return text.startsWith('-') ? nothing : [{ kind: 'line', text }];
  }
  const rest: readonly Calls[] =
    /\S/.test(short[2] ?? '') && mentionsScripts.test(short[2] ?? '') ? [{ kind: 'line', text: short[2] ?? '' }] : [];
  const isPlain = !/[()!]/.test(short[1] ?? '');
  return isPlain ? [{ kind: 'scripts', names: [short[1] ?? ''], hasWildcards: true, args: [], isAlone: false }, ...rest] : unknown;
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
    : [{ kind: 'scripts', names: [word.text], hasWildcards: false, args: [], isAlone: false }];
}

/** Without folders and without what Windows adds; not every disk tells cases apart. */
function nameOf(program: string): string {
  const file = program.split(/[\\/]/).at(-1) ?? '';
  return file.replace(/\.(?:cmd|exe|bat|ps1)$/i, '').toLowerCase();
}
