import { createHash } from 'node:crypto';
import type { ShellWord } from './shellLine.ts';

/** What a call of a package manager runs, as far as its words tell. */
export type PackageCall =
  /** The call runs these scripts of the package, each with those before and after it; `args` are added to the first. */
  | {
      readonly kind: 'scripts';
      readonly names: readonly string[];
      readonly args: readonly ShellWord[];
      readonly folder?: string;
      readonly otherwise: Otherwise;
    }
  /** The call runs another command. */
  | { readonly kind: 'command'; readonly words: readonly ShellWord[] }
  /** The call runs nothing of the package. */
  | { readonly kind: 'nothing' }
  /** The call runs what stands in other packages, or what these words do not tell. */
  | { readonly kind: 'unknown' };

/** What runs where there is no script by a name: nothing of the package, or a program by that name. */
export type Otherwise = 'nothing' | 'program';

type Manager = 'npm' | 'pnpm' | 'yarn' | 'bun';

/** The package manager that a program is, by its name or as a file that Node runs. */
export function packageManagerOf(program: string): Manager | undefined {
  const plain = program.replace(/(?:-cli)?\.[cm]?js$/, '').replace(/^(yarn|pnpm)(?:pkg|-berry|-\d.*)$/, '$1');
  return (['npm', 'pnpm', 'yarn', 'bun'] as const).find((manager) => manager === plain);
}

interface Grammar {
  readonly flags: ReadonlySet<string>;
  readonly flagsWithValue: ReadonlySet<string>;
  readonly folderFlags: ReadonlySet<string>;
  /** Whether all that follows the script's name belongs to the script, or only what follows `--`. */
  readonly handsAllOn: boolean;
  readonly run: ReadonlySet<string>;
  readonly exec: ReadonlySet<string>;
  /** Commands that run scripts, by the names of these. */
  readonly scripts: Readonly<Record<string, readonly string[]>>;
  /** Commands that run nothing of the package. */
  readonly harmless: ReadonlySet<string>;
  /** Whether a word that is no command is taken for a script first, then for a program. */
  readonly takesAnyName: boolean;
  /** Commands that install, and so run what other packages say; 'all' means any other word. */
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
    takesAnyName: false,
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
    takesAnyName: true,
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
    exec: words('exec dlx'),
    scripts: lifecycle,
    harmless: words('why info list bin help outdated licenses'),
    takesAnyName: true,
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
    takesAnyName: true,
    installs: words('exec install i add remove rm update link unlink create init c upgrade publish patch build repl'),
  },
};

/** Reads a call of a package manager; `given` are the words after its name. */
export function readPackageCall(manager: Manager, given: readonly ShellWord[]): PackageCall {
  const grammar = grammars[manager];
  const read = readWords(grammar, given);
  if (read === undefined) {
    return { kind: 'unknown' };
  }
  const { command, rest, folder } = read;
  if (command === undefined) {
    // Without a command only Yarn does something: it installs.
    return { kind: manager === 'yarn' && !given.some(({ text }) => /^(?:-v|--version|-h|--help)$/.test(text)) ? 'unknown' : 'nothing' };
  }
  const inFolder = folder === undefined ? {} : { folder };
  if (grammar.run.has(command)) {
    const [name, ...args] = rest;
    return name === undefined ? { kind: 'nothing' } : scriptCall(manager, name, args, inFolder);
  }
  if (grammar.exec.has(command)) {
    // Options of `exec` itself may lead to other packages or to a shell.
    return folder === undefined && rest[0]?.text.startsWith('-') !== true ? { kind: 'command', words: rest } : { kind: 'unknown' };
  }
  const word = { text: command, isOpen: false };
  if (grammar.harmless.has(command)) {
    // Not every version has all of these, and one that lacks it takes it for a script.
    const isScript = manager === 'pnpm' || manager === 'yarn';
    return isScript ? { kind: 'scripts', names: [command], args: rest, ...inFolder, otherwise: 'nothing' } : { kind: 'nothing' };
  }
  if (Object.hasOwn(grammar.scripts, command)) {
    const otherwise = manager === 'yarn' ? 'program' : 'nothing';
    return { kind: 'scripts', names: grammar.scripts[command] ?? [], args: rest, ...inFolder, otherwise };
  }
  const isOther = grammar.installs === 'all' || grammar.installs.has(command);
  // Yarn takes a folder in this place for the package to run the rest in.
  const isFolder = manager === 'yarn' && /[\\/]/.test(command);
  return isOther || isFolder ? { kind: 'unknown' } : scriptCall(manager, word, rest, inFolder);
}

function scriptCall(manager: Manager, name: ShellWord, args: readonly ShellWord[], inFolder: { readonly folder?: string }): PackageCall {
  const { text, isOpen } = name;
  // pnpm takes an expression between slashes for all scripts that match it.
  if (isOpen || text.startsWith('/') || text.startsWith('-')) {
    return { kind: 'unknown' };
  }
  const isFile = manager === 'bun' && /\.[cm]?[jt]sx?$/.test(text);
  return {
    kind: 'scripts',
    names: [text],
    args,
    ...inFolder,
    otherwise: grammars[manager].takesAnyName && !isFile ? 'program' : 'nothing',
  };
}

interface ReadWords {
  readonly command: string | undefined;
  readonly rest: readonly ShellWord[];
  readonly folder: string | undefined;
}

/** Matches words that some versions take for the value of the option before, and others for the command. */
const flagValue = /^(?:true|false|null|always|never|auto|yes|no|on|off|\d+)$/i;

/** Splits words into command, arguments and folder; `undefined` when an option may change what runs or where. */
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
      if (target === undefined || target.isOpen || target.text.startsWith('-') || folder !== undefined) {
        return undefined;
      }
      folder = target.text;
    } else if (grammar.flagsWithValue.has(flag)) {
      const target = value === undefined ? given[(index += 1)] : word;
      if (target === undefined || target.isOpen || (value === undefined && target.text.startsWith('-'))) {
        return undefined;
      }
    } else if (grammar.flags.has(word.text) && flagValue.test(given[index + 1]?.text ?? '')) {
      return undefined;
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

/** Files besides package.json that can make package managers go elsewhere or run scripts differently. */
export const managerFiles = ['.npmrc', '.yarnrc.yml', '.yarnrc', 'pnpm-workspace.yaml', 'bunfig.toml'] as const;
export type ManagerFile = (typeof managerFiles)[number];

/** Settings that say how packages are fetched and shown, and nothing about scripts. All others may. */
const safeKeys: ReadonlySet<string> = new Set(
  (
    'registry always-auth strict-ssl email access provenance save-exact save-prefix save-dev save engine-strict fund audit audit-level ' +
    'package-lock lockfile package-lock-only prefer-frozen-lockfile prefer-offline progress loglevel color legacy-peer-deps ' +
    'strict-peer-dependencies strict-peer-deps auto-install-peers dedupe-peer-dependents shamefully-hoist hoist hoist-pattern ' +
    'public-hoist-pattern link-workspace-packages prefer-workspace-packages save-workspace-protocol node-linker resolution-mode ' +
    'update-notifier min-release-age minimum-release-age ignore-scripts side-effects-cache fetch-retries fetch-timeout ' +
    'fetch-retry-mintimeout fetch-retry-maxtimeout maxsockets network-concurrency tag-version-prefix message sign-git-tag ' +
    'install-links install-strategy use-node-version lockfile-include-tarball-url'
  ).split(' '),
);
const safePlace = /^(?:@[\w.-]+:registry|\/\/[\w.:/@~%-]+:(?:_authToken|_auth|_password|username|email|always-auth|certfile|keyfile))$/;

/** The names of settings in an .npmrc that may change what a script runs. */
export function doubtfulSettings(npmrc: string): readonly string[] {
  const lines = npmrc.replace(/^\uFEFF/, '').split(/[\r\n]+/);
  const keys = lines.map((line) => line.trim()).filter((line) => line !== '' && !/^[#;]/.test(line));
  return keys
    .map((line) => line.split('=', 1)[0]?.trim() ?? '')
    .filter((key) => !safeKeys.has(key.replace(/\[\]$/, '').toLowerCase()) && !safePlace.test(key));
}

/** Whether one of the other files names a shell for scripts. */
export function namesShell(text: string): boolean {
  return /script-?shell|^\s*shell\s*=/im.test(text);
}

/** A digest of a settings file. Some hold secrets, and all may be long; to compare them a digest is enough. */
export function digestOf(text: string): string {
  return `sha256 ${createHash('sha256').update(text).digest('hex')}`;
}
