import type { ShellWord } from './shellLine.ts';

/** What one command runs besides itself, as far as its words tell. */
export type Calls =
  /** The command runs this script of the package; `args` are added to it. */
  | {
      readonly kind: 'script';
      readonly name: string;
      readonly args: readonly ShellWord[];
      /** Whether the script runs alone, without its `pre…` and `post…` scripts. */
      readonly isAlone: boolean;
      /** What happens where there is no such script: nothing, or a program by that name runs. */
      readonly otherwise: 'nothing' | 'program' | 'unknown';
    }
  /** The command runs the program in this file. An installed one may be a binary of any size; to put another in its place is a change. */
  | { readonly kind: 'file'; readonly path: string; readonly isInstalled?: boolean }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'unknown' };

const unknown: Calls = { kind: 'unknown' };
const nothing: Calls = { kind: 'nothing' };
const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Programs that run what their own files and the tests say, and nothing that their arguments name. */
const plainPrograms = words(
  'vitest jest mocha ava tap tape jasmine karma uvu playwright tsc vue-tsc eslint oxlint prettier biome stylelint vite webpack esbuild swc babel astro next nuxt typedoc publint attw pytest phpunit rspec echo true rm rimraf mkdir mkdirp touch',
);
/** Programs that name nothing else to run when their first argument is one of these words. */
const plainCommands: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['cargo', words('test build check clippy fmt')],
  ['go', words('test build vet')],
  ['dotnet', words('test build')],
]);
/** Programs that run the command after them. */
const prefixes = words('cross-env c8 nyc');
/** Programs that run the file which their first argument names. */
const interpreters = words('node tsx ts-node python python3 sh bash');
/** Matches the Python of a project's own environment. */
const ownPython = /^\.?venv\/(?:bin\/python|Scripts\/python\.exe)$/;
/** Variables that say how programs report, and not what they run. */
const harmlessVariable = /^(?:NODE_ENV|CI|FORCE_COLOR|NO_COLOR|TZ|LANG|LC_ALL)=/;
const assignment = /^[A-Za-z_]\w*\+?=/;
/** Matches programs that run package scripts, in an argument or in a program's text. */
const scriptRunner = /\b(?:npm|npx|pnpm|pnpx|yarn|yarnpkg|bun|bunx|corepack|npm_execpath|run-s|run-p|turbo|nx|lerna)\b|--run\b/i;
/** Matches arguments by which one program runs another. */
const runsAnother = /^(?:--?[\w.-]*(?:exec|command|success|tool|[rR]unner|on[A-Z])|[-/]{1,2}p(?:roperty)?[:=])/;
/** Options of Node that do not decide what it runs. */
const nodeFlag =
  /^--(?:watch|enable-source-maps|no-warnings|test-[\w-]+(?:=[\w.-]+)?|experimental-(?:strip-types|test-coverage|vm-modules))$/;
const scriptName = /^\w[\w:. -]*$/;

/** Whether a text may run package scripts by their names. */
export function mentionsScripts(text: string): boolean {
  return scriptRunner.test(text);
}

/**
 * Reads what one command runs. Plain calls of package scripts, programs that run nothing else, and files are known; of everything
 * else it is not known.
 */
export function readCommand(given: readonly ShellWord[]): Calls {
  let at = 0;
  while (harmlessVariable.test(given[at]?.text ?? '') || (prefixes.has(given[at]?.text ?? '') && given[at]?.isOpen === false)) {
    at += 1;
  }
  const [program, ...args] = given.slice(at);
  if (program === undefined || program.isOpen || assignment.test(program.text)) {
    return program === undefined && given.every(({ text }) => harmlessVariable.test(text)) ? nothing : unknown;
  }
  switch (program.text) {
    case 'npm':
      return readNpm(args);
    case 'npx':
      return readPlainOnly(args);
    case 'pnpm':
    case 'yarn':
      return readOther(program.text, args);
    default: {
      if (ownPython.test(program.text)) {
        const call = readInterpreter('python', args);
        return call.kind === 'nothing' ? { kind: 'file', path: program.text, isInstalled: true } : call;
      }
      return interpreters.has(program.text) ? readInterpreter(program.text, args) : readProgram(program.text, args);
    }
  }
}

/** Reads a program that runs none of its arguments, or a file. */
export function readProgram(program: string, args: readonly ShellWord[]): Calls {
  const isPlain = plainPrograms.has(program) || plainCommands.get(program)?.has(args[0]?.text ?? '') === true;
  if (isPlain) {
    const isTold = ({ text }: ShellWord): boolean => runsAnother.test(text) || (program === 'cargo' && text.startsWith('--config'));
    return args.some((word) => mentionsScripts(word.text) || isTold(word)) ? unknown : nothing;
  }
  // An option of a program before it is none, even where there is a file of that name.
  return program.includes('/') && !program.startsWith('-') && !args.some(({ text, isOpen }) => isOpen || mentionsScripts(text))
    ? { kind: 'file', path: program }
    : unknown;
}

function readNpm(given: readonly ShellWord[]): Calls {
  const end = given.findIndex(({ text }) => text === '--');
  const own = (end < 0 ? given : given.slice(0, end)).filter(({ text }) => !/^(?:-s|--silent|--if-present)$/.test(text));
  const after = end < 0 ? [] : given.slice(end + 1);
  const [command, ...rest] = own;
  if (own.some(({ text, isOpen }) => text.startsWith('-') || isOpen)) {
    return unknown;
  }
  switch (command?.text ?? '') {
    case 'test':
    case 't':
    case 'tst':
      return script('test', [...rest, ...after], 'nothing');
    case 'start':
      return script('start', [...rest, ...after], 'unknown'); // npm runs server.js in its place
    case 'run':
    case 'run-script': {
      const [name, ...args] = rest;
      return name === undefined ? unknown : script(name.text, [...args, ...after], 'nothing');
    }
    case 'exec':
      return readPlainOnly([...rest, ...after]);
    default:
      return unknown;
  }
}

/** Names of scripts that no package manager has a command by. */
const usualNames = words('test start build lint format check typecheck unit e2e coverage');

/** Reads a call of pnpm or Yarn, which hand on all that follows the name of the script. */
function readOther(manager: 'pnpm' | 'yarn', given: readonly ShellWord[]): Calls {
  const [first, ...rest] = given.filter(({ text }, index) => index > 0 || !/^(?:-s|--silent)$/.test(text));
  if (first === undefined || first.isOpen) {
    return unknown;
  }
  if (first.text === 'run') {
    const [name, ...args] = rest;
    return name === undefined || name.isOpen ? unknown : script(name.text, args, 'program');
  }
  if (first.text === 'exec' && manager === 'pnpm') {
    return readPlainOnly(rest);
  }
  return usualNames.has(first.text) || plainPrograms.has(first.text) ? script(first.text, rest, 'program') : unknown;
}

/** Reads what comes behind `npx` and its kin, which look for a program in the package first. */
function readPlainOnly([program, ...args]: readonly ShellWord[]): Calls {
  return program?.isOpen === false && plainPrograms.has(program.text) ? readProgram(program.text, args) : unknown;
}

function script(name: string, args: readonly ShellWord[], otherwise: 'nothing' | 'program' | 'unknown', isAlone = false): Calls {
  const handedOn = args.filter(({ text }) => text !== '--');
  return scriptName.test(name) ? { kind: 'script', name, args: handedOn, isAlone, otherwise } : unknown;
}

function readInterpreter(program: string, given: readonly ShellWord[]): Calls {
  if (program === 'node') {
    const [option, name, ...rest] = given;
    const attached = /^--run=(.+)$/.exec(option?.text ?? '')?.[1];
    if (option?.isOpen === false && attached !== undefined) {
      return script(attached, given.slice(1), 'nothing', true);
    }
    if (option?.text === '--run' && name?.isOpen === false) {
      return script(name.text, rest, 'nothing', true);
    }
    const [first, ...args] = given.filter(({ text, isOpen }) => isOpen || !nodeFlag.test(text));
    return first?.text === '--test' ? readTests(args) : readFile(first, args);
  }
  const [first, second, ...rest] = given;
  const isModule = program.startsWith('python') && first?.text === '-m' && /^(?:pytest|unittest)$/.test(second?.text ?? '');
  if (!isModule) {
    return readFile(first, given.slice(1));
  }
  // These say where unittest looks for tests; to pytest, one of them means a plugin.
  return readTests(second?.text === 'unittest' ? rest.filter(({ text }) => !/^-[sptfbc]$/.test(text)) : rest);
}

function readTests(args: readonly ShellWord[]): Calls {
  const isOption = ({ text }: ShellWord): boolean => text.startsWith('-') && !/^--?(?:test-[\w-]+|[vqxk])(?:=|$)/.test(text);
  return args.some((word) => isOption(word) || mentionsScripts(word.text)) ? unknown : nothing;
}

function readFile(file: ShellWord | undefined, args: readonly ShellWord[]): Calls {
  const isKnown = file !== undefined && !file.isOpen && !file.text.startsWith('-') && file.text !== '';
  return isKnown && !args.some(({ text, isOpen }) => isOpen || mentionsScripts(text)) ? { kind: 'file', path: file.text } : unknown;
}
