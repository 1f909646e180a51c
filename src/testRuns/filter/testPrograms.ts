// filter/: a command line that runs all tests becomes one that runs those which a filter names: this file knows test programs by
// their words, selections.ts knows how each is told which tests to run, and filteredLine.ts writes the line anew.
import type { ShellWord } from '../chain/shellLine.ts';

/** The test programs that can be told which tests to run. */
export type Framework = 'node' | 'vitest' | 'jest' | 'mocha' | 'pytest' | 'unittest' | 'go';

/** A command that runs tests. */
export interface TestCommand {
  readonly framework: Framework;
  /** The index of the word behind which the options of the test program begin. */
  readonly at: number;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const assignment = /^[A-Za-z_]\w*=/;
/** Programs that run the one which is named behind them and their own options. */
const wrappers = words('cross-env c8 nyc npx bunx pnpx uvx env time xvfb-run');
/** Package managers that do so behind one of their commands, or at once. */
const managers = words('npm pnpm yarn bun uv poetry pipenv hatch pdm rye');
const managerWords = words('exec run dlx x --');
const byName: ReadonlyMap<string, Framework> = new Map([
  ['vitest', 'vitest'],
  ['jest', 'jest'],
  ['mocha', 'mocha'],
  ['_mocha', 'mocha'],
  ['pytest', 'pytest'],
  ['py.test', 'pytest'],
]);
const vitestCommands = words('run watch dev');
const nodePrograms = words('node tsx');
/** Test programs of which it is not known here how they choose tests. */
const otherPrograms = words('ava tap tape jasmine karma uvu playwright cypress phpunit rspec cargo dotnet deno wtr tox nox');

/** The name of a program without its folder and its ending. */
function programName({ text }: ShellWord): string {
  const name = text.split(/[\\/]/).at(-1) ?? '';
  return name.replace(/\.(?:cmd|exe|bat|ps1|[cm]?js)$/i, '');
}

/** Finds the test program in a command; `other` is one that cannot be told which tests to run. */
export function testCommandIn(given: readonly ShellWord[]): TestCommand | 'other' | undefined {
  const start = programAt(given);
  const program = given[start];
  if (program === undefined) {
    return undefined;
  }
  const name = programName(program);
  const framework = byName.get(name);
  if (framework !== undefined) {
    const isCommand = framework === 'vitest' && vitestCommands.has(given[start + 1]?.text ?? '');
    return { framework, at: isCommand ? start + 1 : start };
  }
  if (nodePrograms.has(name)) {
    return inNode(given, start);
  }
  if (/^python[\d.]*$/.test(name)) {
    return inPython(given, start);
  }
  if (name === 'go' && given[start + 1]?.text === 'test') {
    return { framework: 'go', at: start + 1 };
  }
  return otherPrograms.has(name) ? 'other' : undefined;
}

/** The index of the program itself, behind variables and programs that only run it. */
function programAt(given: readonly ShellWord[]): number {
  let at = 0;
  let isWrapped = false;
  for (; at < given.length; at += 1) {
    const { text } = given[at] ?? { text: '' };
    const isManager = managers.has(text);
    const isSkipped = assignment.test(text) || wrappers.has(text) || (isWrapped && (text.startsWith('-') || managerWords.has(text)));
    if (!isManager && !isSkipped) {
      return at;
    }
    isWrapped ||= isManager || wrappers.has(text);
  }
  return at;
}

/** Node runs tests itself, or the program of another framework in a file. */
function inNode(given: readonly ShellWord[], start: number): TestCommand | undefined {
  const at = given.findIndex(({ text }, index) => index > start && text === '--test');
  const file = given.findIndex(({ text }, index) => index > start && /(?:^|[\\/])node_modules[\\/]/.test(text));
  const framework = file < 0 ? undefined : byName.get(programName(given[file] ?? { text: '', isOpen: false }));
  if (framework !== undefined) {
    return { framework, at: file };
  }
  return at < 0 ? undefined : { framework: 'node', at };
}

function inPython(given: readonly ShellWord[], start: number): TestCommand | undefined {
  const at = given.findIndex(({ text }, index) => index > start && text === '-m') + 1;
  const module = at === 0 ? undefined : given[at]?.text;
  return module === 'pytest' || module === 'unittest' ? { framework: module, at } : undefined;
}
