import type { ShellWord } from './shellLine.ts';

/** What a call of a package manager does, as far as it can be read off its words. */
export type PackageCall =
  /** Runs these scripts of the package, each with those around it; `args` are added to the first. */
  | { readonly kind: 'scripts'; readonly names: readonly string[]; readonly args: readonly ShellWord[]; readonly folder?: string }
  /** Runs another command. */
  | { readonly kind: 'command'; readonly words: readonly ShellWord[] }
  /** Runs nothing of the package. */
  | { readonly kind: 'nothing' }
  /** Runs what stands in other packages, or what these words do not tell. */
  | { readonly kind: 'unknown' };

type Manager = 'npm' | 'pnpm' | 'yarn' | 'bun';

/** By the names under which they are called, also as a file that Node runs. */
export function packageManagerOf(program: string): Manager | undefined {
  if (/^npm-cli\.c?js$/.test(program)) {
    return 'npm';
  }
  const plain = program.replace(/(?:-[\d.]+)?\.c?js$/, '');
  return (['npm', 'pnpm', 'yarn', 'bun'] as const).find((manager) => manager === plain);
}

interface Grammar {
  readonly flags: ReadonlySet<string>;
  readonly flagsWithValue: ReadonlySet<string>;
  readonly folderFlags: ReadonlySet<string>;
  /** Whether what follows the script's name belongs to the script, or only what follows `--`. */
  readonly handsAllOn: boolean;
  readonly run: ReadonlySet<string>;
  readonly exec: ReadonlySet<string>;
  /** Commands that are the name of a script. */
  readonly scripts: Readonly<Record<string, readonly string[]>>;
  readonly harmless: ReadonlySet<string>;
  /** Any other word: a script if there is one, or something that runs what other packages say. */
  readonly installs: ReadonlySet<string> | 'all';
}

const lifecycle: Grammar['scripts'] = { test: ['test'], start: ['start'], stop: ['stop'], restart: ['restart', 'stop', 'start'] };
const quiet = ['-s', '--silent', '-q', '--quiet', '--if-present', '--color', '--no-color', '--offline', '--prefer-offline'];
const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const grammars: Readonly<Record<Manager, Grammar>> = {
  npm: {
    flags: new Set([...quiet, '-d', '-dd', '-ddd', '--verbose', '--foreground-scripts', '--ignore-scripts', '--no-audit', '--no-fund']),
    flagsWithValue: words('--loglevel --registry --cache'),
    folderFlags: words('--prefix -C'),
    handsAllOn: false,
    run: words('run run-script rum urn'),
    exec: words('exec x'),
    scripts: { ...lifecycle, t: ['test'], tst: ['test'] },
    harmless: words('ls list la ll root bin prefix view info show outdated help whoami ping explain why fund search docs'),
    installs: 'all',
  },
  pnpm: {
    flags: new Set([...quiet, '--stream', '--use-stderr', '--no-bail']),
    flagsWithValue: words('--loglevel --reporter'),
    folderFlags: words('-C --dir'),
    handsAllOn: true,
    run: words('run run-script'),
    exec: words('exec dlx'),
    scripts: { ...lifecycle, t: ['test'] },
    harmless: words('ls list why root bin outdated help licenses'),
    installs: words(
      'install i add remove rm uninstall un update up upgrade import rebuild rb pack publish deploy link ln unlink patch patch-commit ci fetch prune install-test it create init dedupe env setup server store config c audit recursive multi m',
    ),
  },
  yarn: {
    flags: new Set([...quiet, '--verbose', '--frozen-lockfile']),
    flagsWithValue: new Set(),
    folderFlags: words('--cwd'),
    handsAllOn: true,
    run: words('run'),
    exec: words('exec node dlx'),
    scripts: lifecycle,
    harmless: words('why info list bin help outdated licenses'),
    installs: words(
      'install add remove up upgrade upgrade-interactive pack publish npm link unlink rebuild import dedupe patch patch-commit plugin set init create workspace workspaces global version stage unplug config cache policies',
    ),
  },
  bun: {
    flags: new Set([...quiet, '--bun', '-b']),
    flagsWithValue: new Set(),
    folderFlags: words('--cwd'),
    handsAllOn: true,
    run: words('run'),
    exec: words('x'),
    scripts: {},
    harmless: words('test pm help'),
    installs: words('install i add remove rm update link unlink create init c upgrade publish patch build repl'),
  },
};

/** `given` are the words after the package manager itself. */
export function readPackageCall(manager: Manager, given: readonly ShellWord[]): PackageCall {
  const grammar = grammars[manager];
  const read = readWords(grammar, given);
  if (read === undefined) {
    return { kind: 'unknown' };
  }
  const { command, rest, folder } = read;
  if (command === undefined) {
    // Yarn alone installs, and so does no other.
    return { kind: manager === 'yarn' && !given.some(({ text }) => /^(?:-v|--version|-h|--help)$/.test(text)) ? 'unknown' : 'nothing' };
  }
  const inFolder = folder === undefined ? {} : { folder };
  if (grammar.run.has(command)) {
    const [name, ...args] = rest;
    return name === undefined ? { kind: 'nothing' } : scriptCall([name], args, inFolder);
  }
  if (grammar.exec.has(command)) {
    return folder === undefined ? { kind: 'command', words: rest } : { kind: 'unknown' };
  }
  if (grammar.harmless.has(command)) {
    return { kind: 'nothing' };
  }
  const known = Object.hasOwn(grammar.scripts, command) ? grammar.scripts[command] : undefined;
  if (known !== undefined) {
    return { kind: 'scripts', names: known, args: rest, ...inFolder };
  }
  const isOther = grammar.installs === 'all' || grammar.installs.has(command);
  return isOther ? { kind: 'unknown' } : scriptCall([{ text: command, isOpen: false }], rest, inFolder);
}

function scriptCall(names: readonly ShellWord[], args: readonly ShellWord[], inFolder: { readonly folder?: string }): PackageCall {
  // pnpm takes an expression between slashes for all scripts that match it.
  const isKnown = names.every(({ text, isOpen }) => !isOpen && !text.startsWith('/') && !text.startsWith('-'));
  return isKnown ? { kind: 'scripts', names: names.map(({ text }) => text), args, ...inFolder } : { kind: 'unknown' };
}

interface ReadWords {
  readonly command: string | undefined;
  readonly rest: readonly ShellWord[];
  readonly folder: string | undefined;
}

/** `undefined` when an option is not known to leave open what runs where. */
function readWords(grammar: Grammar, given: readonly ShellWord[]): ReadWords | undefined {
  const named: ShellWord[] = [];
  let folder: string | undefined;
  for (let index = 0; index < given.length; index += 1) {
    const word = given[index] as ShellWord;
    const isScriptNamed = named.length > 0 && !(named.length === 1 && grammar.run.has(named[0]?.text ?? ''));
    if (word.text === '--' || (grammar.handsAllOn && isScriptNamed)) {
      named.push(...given.slice(word.text === '--' && !grammar.handsAllOn ? index + 1 : index).filter(({ text }) => text !== '--'));
      break;
    }
    if (!word.text.startsWith('-') || word.text === '-') {
      named.push(word);
      continue;
    }
    const [flag = '', value] = word.text.split(/=(.*)/s);
    if (grammar.folderFlags.has(flag)) {
      const target = value === undefined ? given[(index += 1)] : { text: value, isOpen: word.isOpen };
      if (target === undefined || target.isOpen || folder !== undefined) {
        return undefined;
      }
      folder = target.text;
    } else if (grammar.flagsWithValue.has(flag)) {
      index += value === undefined ? 1 : 0;
    } else if (word.isOpen || !grammar.flags.has(word.text)) {
      const isQuestion = named.length === 0 && given.length === 1 && /^(?:-v|--version|-h|--help)$/.test(word.text);
      if (!isQuestion) {
        return undefined;
      }
    }
  }
  const [command, ...rest] = named;
  return command?.isOpen === true ? undefined : { command: command?.text, rest, folder };
}
