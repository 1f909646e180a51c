import type { WrittenWord } from '../chain/shellLine.ts';
import { positionalsIn } from './positionals.ts';
import type { Framework, TestCommand } from './testPrograms.ts';

/** The tests that a filter names: those of a file or folder, those of a name, or one of a name in a file. */
export interface Selection {
  readonly path?: FoundPath | undefined;
  readonly name?: string | undefined;
}

export interface FoundPath {
  /** The path from the folder that the command runs in, with forward slashes. */
  readonly relative: string;
  readonly isFolder: boolean;
}

export interface SelectionGround {
  /** Finds what is at this path, as a client or a report writes it; `undefined` for what is not there. */
  find(path: string): Promise<FoundPath | undefined>;
  read(path: string): Promise<string | undefined>;
  /** The first number of the version of Node that runs tests; `undefined` where it is not known. */
  nodeVersion(): Promise<number | undefined>;
  /** Writes a text that tests are compared with as a pattern of this system's shell: whole, or as near as that shell allows. */
  pattern(parts: readonly PatternPart[]): string;
}

/** A part of a pattern: a text as it is, or an expression. */
export type PatternPart = { readonly text: string } | { readonly expression: string };

/** The words of a command: those that were there, and new ones as plain texts. */
export type NewWords = readonly (WrittenWord | string)[];

/** Says why a filter cannot be applied to a command. */
export type CannotSelect = 'folder' | 'files';

/** Makes a command run only these tests. */
export async function select(
  given: readonly WrittenWord[],
  { framework, at }: TestCommand,
  selection: Selection,
  ground: SelectionGround,
): Promise<NewWords | CannotSelect> {
  const before = given.slice(0, at + 1);
  const options = withoutNames(given.slice(at + 1), nameOptions[framework]);
  switch (framework) {
    case 'node':
      return selectInNode(before, options, selection, ground);
    case 'pytest':
      return selectInPytest(before, options, await inPythonFile(selection, ground));
    case 'unittest':
      return selectInUnittest(before, options, selection, ground);
    case 'go':
      return selectInGo(before, options, selection, ground);
    case 'vitest':
    case 'jest':
    case 'mocha': {
      // Older versions of Vitest put a space before the name of what is in no suite.
      const start = framework === 'vitest' ? '^ ?' : '^';
      const names = selection.name === undefined ? [] : [`${nameOption[framework]}=${wholeName(selection.name, ground, start)}`];
      if (framework === 'mocha' && selection.path !== undefined && (await namesFilesForMocha(ground))) {
        return 'files';
      }
      return withFile(framework, [...before, ...names], options, selection.path);
    }
  }
}

const nameOption = { vitest: '--testNamePattern', jest: '--testNamePattern', mocha: '--grep' } as const;

/** The options by which each program is told names already; a filter stands in their place. */
const nameOptions: Readonly<Record<Framework, readonly string[]>> = {
  node: ['--test-name-pattern'],
  vitest: ['-t', '--testNamePattern'],
  jest: ['-t', '--testNamePattern'],
  mocha: ['-g', '--grep', '-f', '--fgrep'],
  pytest: ['-k'],
  unittest: ['-k'],
  go: ['-run', '--run'],
};

function withoutNames(options: readonly WrittenWord[], names: readonly string[]): readonly WrittenWord[] {
  return options.filter(({ text }, index) => {
    const isValue = names.includes(options[index - 1]?.text ?? '');
    return !isValue && !names.includes(text.split('=', 1)[0] ?? '');
  });
}

/** The names from the outermost suite to the test, as results join them. */
const between = ' > ';

/** The beginning of a name that a result had no room for. */
const cutName = /^(.*)…$/s;

/**
 * The pattern of a whole name. Test programs join suite and test by a space; a title may itself have the sign by which results
 * join them.
 */
function wholeName(name: string, ground: SelectionGround, start = '^'): string {
  const whole = withoutHook(name);
  const cut = cutName.exec(whole)?.[1];
  const parts = (cut ?? whole).split(between).flatMap((text, index) => [...(index > 0 ? [{ expression: ' (?:> )?' }] : []), { text }]);
  return ground.pattern([{ expression: start }, ...parts, ...(cut === undefined ? [{ expression: '$' }] : [])]);
}

/** The pattern of the last part of a name. As a title may have the sign in it that joins parts, that is any number of the last ones. */
function ownTitle(name: string, ground: SelectionGround): string {
  const [first = '', ...more] = name.split(between);
  const parts = more.reduce<readonly PatternPart[]>(
    (before, text) => [{ expression: '(?:' }, ...before, { expression: ' (?:> )?' }, { expression: ')?' }, { text }],
    [{ text: first }],
  );
  return ground.pattern([{ expression: '^' }, ...parts, { expression: '$' }]);
}

/** A hook of Mocha that failed is named like a test; the test it belongs to is the one to run. */
function withoutHook(name: string): string {
  const segments = name.split(between);
  const [, test] = /^"(?:before|after) (?:each|all)" hook(?:[^"]*) for "(.*)"$/.exec(segments.at(-1) ?? '') ?? [];
  return test === undefined ? name : [...segments.slice(0, -1), test].join(between);
}

async function selectInNode(
  before: readonly WrittenWord[],
  options: readonly WrittenWord[],
  { name, path }: Selection,
  ground: SelectionGround,
): Promise<NewWords | CannotSelect> {
  // Before version 22, Node compared patterns only with a test's own title.
  const isWhole = name === undefined || ((await ground.nodeVersion()) ?? 0) >= 22;
  const names = name === undefined ? [] : [`--test-name-pattern=${isWhole ? wholeName(name, ground) : ownTitle(name, ground)}`];
  if (path?.isFolder === true) {
    return 'folder';
  }
  return withFile('node', [...before, ...names], options, path);
}

/** Puts a file in the place of those that the command names. */
function withFile(
  framework: Exclude<Framework, 'unittest' | 'go'>,
  before: NewWords,
  options: readonly WrittenWord[],
  path: FoundPath | undefined,
): NewWords | CannotSelect {
  if (path === undefined) {
    return [...before, ...options];
  }
  const named = positionalsIn(options, framework);
  if (named === undefined) {
    return 'files';
  }
  const file = asArgument(path.relative);
  const exact: readonly string[] =
    framework === 'jest' && !path.isFolder ? ['--runTestsByPath'] : framework === 'mocha' && path.isFolder ? ['--recursive'] : [];
  return [...before, ...options.filter((word) => !named.includes(word)), ...exact, file];
}

/** Whether a file of settings names files of tests: to Mocha they count beside those of the command. */
async function namesFilesForMocha(ground: SelectionGround): Promise<boolean> {
  const files = ['.mocharc.json', '.mocharc.jsonc', '.mocharc.yml', '.mocharc.yaml', '.mocharc.js', '.mocharc.cjs', '.mocharc.mjs'];
  const texts = await Promise.all(files.map((file) => ground.read(file).catch(() => undefined)));
  const manifest = (await ground.read('package.json').catch(() => undefined)) ?? '';
  return texts.some((text) => text !== undefined && /\bspec\b/.test(text)) || /"mocha"\s*:\s*\{[^{}]*"spec"/.test(manifest);
}

/** A path that no program takes for an option. */
function asArgument(path: string): string {
  return path === '' ? '.' : path.startsWith('-') ? `./${path}` : path;
}

/** Finds the file of a name that JUnit reports join by dots: `tests.test_cart.TestCart > test_add`. */
async function inPythonFile({ name, path }: Selection, ground: SelectionGround): Promise<PythonSelection> {
  if (name === undefined) {
    return { path };
  }
  if (path !== undefined) {
    const id = path.isFolder ? undefined : await idInFile(name, path.relative, ground);
    return id === undefined ? { path, words: wordsIn(name) } : { path, id };
  }
  const [dotted = '', ...values] = name.replace(between, '.').split('[');
  const parts = dotted.split('.').slice(0, 20);
  for (let count = parts.length - 1; count > 0; count -= 1) {
    const found = await ground.find(`${parts.slice(0, count).join('/')}.py`);
    if (found !== undefined && !found.isFolder) {
      return { path: found, id: [parts.slice(count).join('::'), ...values].join('[') };
    }
  }
  return { words: wordsIn(name) };
}

/** The tests that pytest is told: those of a file, the one with this id in it, or those whose names have all these words in them. */
interface PythonSelection {
  readonly path?: FoundPath | undefined;
  readonly id?: string | undefined;
  readonly words?: readonly string[] | undefined;
}

/** The words in a name, without the values of a parameter or of a subtest. */
function wordsIn(name: string): readonly string[] {
  return withoutValues(name).match(/\w+/g) ?? [];
}

function withoutValues(name: string): string {
  return name.split(/[[(]/, 1)[0] ?? '';
}

/**
 * What pytest calls a test behind the name of its file. The name may have that of its module before it, as JUnit reports write it;
 * `undefined` for one that does not begin with anything the file defines: a method without its class, for one.
 */
async function idInFile(name: string, file: string, ground: SelectionGround): Promise<string | undefined> {
  const dotted = withoutValues(name);
  if (dotted.includes('::')) {
    return name;
  }
  const parts = dotted.trimEnd().replaceAll(between, '.').split('.').slice(0, 20);
  const module = file.replace(/\.py$/, '').split('/');
  const isModule = (count: number): boolean => parts.slice(0, count).join('/') === module.slice(-count).join('/');
  const counts = parts.map((_part, index) => parts.length - 1 - index);
  const own = parts.slice(counts.find((count) => count > 0 && isModule(count)) ?? 0);
  const text = (await ground.read(file).catch(() => undefined)) ?? '';
  const defined = [...text.matchAll(/^(?:async def|def|class) (\w+)/gm)].map(([, each]) => each);
  return defined.includes(own[0]) ? `${own.join('::')}${name.slice(dotted.trimEnd().length)}` : undefined;
}

function selectInPytest(
  before: readonly WrittenWord[],
  options: readonly WrittenWord[],
  { path, id, words }: PythonSelection,
): NewWords | CannotSelect {
  const names = words === undefined ? [] : ['-k', words.length === 0 ? 'nothing_has_this_name' : words.join(' and ')];
  // A subtest, which its test is followed by in results, cannot be run by itself.
  const test = id?.replace(/^([^ [\]]+(?:\[[^\]]*\])?) [([].*$/, '$1');
  const file = path && { ...path, relative: test === undefined ? path.relative : `${path.relative}::${test}` };
  return withFile('pytest', [...before, ...names], options, file);
}

/** The options of unittest that have a value. */
const unittestValues = ['-s', '--start-directory', '-p', '--pattern', '-t', '--top-level-directory'];

async function selectInUnittest(
  before: readonly WrittenWord[],
  options: readonly WrittenWord[],
  { name, path }: Selection,
  ground: SelectionGround,
): Promise<NewWords | CannotSelect> {
  const isDiscovery = options[0]?.text === 'discover';
  const dotted = dottedName(name ?? '');
  const names = name === undefined ? [] : ['-k', `*${dotted}`, '-k', `*${dotted}.*`];
  if (path === undefined) {
    const rest = isDiscovery ? options.slice(1) : options;
    const start = rest[rest.findIndex(({ text }) => text === '-s' || text === '--start-directory') + 1]?.text ?? '';
    const file = options.every(({ text }) => /^(?:-[vqfbcs]|discover)$/.test(text) || text === start)
      ? await moduleFile(dotted, start, ground)
      : undefined;
    // A module that cannot be imported fails whatever is wanted: others are not even looked at.
    return file === undefined
      ? [...before, ...options.slice(0, isDiscovery ? 1 : 0), ...names, ...rest]
      : [...before, 'discover', '-p', file, ...names, ...rest];
  }
  if (path.isFolder) {
    return 'folder';
  }
  if (isDiscovery) {
    return [...before, ...withoutNames(options, ['-p', '--pattern']), '-p', path.relative.split('/').at(-1) ?? '', ...names];
  }
  const kept = options.filter(({ text }, index) => text.startsWith('-') || unittestValues.includes(options[index - 1]?.text ?? ''));
  return [...before, ...names, ...kept, asArgument(path.relative)];
}

/** The name of the file in which a test with this dotted name is. */
async function moduleFile(dotted: string, start: string, ground: SelectionGround): Promise<string | undefined> {
  const parts = dotted.split('.').slice(0, 20);
  for (let count = parts.length; count > 0; count -= 1) {
    const path = `${parts.slice(0, count).join('/')}.py`;
    if ((await ground.find(start === '' ? path : `${start}/${path}`)) !== undefined) {
      return `${parts[count - 1] ?? ''}.py`;
    }
  }
  return undefined;
}

/** The dotted name of a test, without the values of a subtest, and of the class alone where its set-up failed. */
function dottedName(name: string): string {
  const [, owner] = /^(?:setUp|tearDown)(?:Class|Module) \(([\w.]+)\)$/.exec(name) ?? [];
  const plain = owner ?? name.split(/ [[(]/, 1)[0] ?? '';
  return plain
    .replaceAll(between, '.')
    .replaceAll('::', '.')
    .replaceAll(/[^\w.]/g, '?');
}

/** The flags of `go test` that have a value. */
const goValues = new Set(
  '-bench -count -timeout -tags -coverprofile -covermode -coverpkg -cpu -parallel -p -o -exec -mod -ldflags -gcflags -shuffle -skip -vet'.split(
    ' ',
  ),
);

async function selectInGo(
  before: readonly WrittenWord[],
  options: readonly WrittenWord[],
  { name, path }: Selection,
  ground: SelectionGround,
): Promise<NewWords | CannotSelect> {
  const flags = options.filter(({ text }, index) => text.startsWith('-') || goValues.has(options[index - 1]?.text ?? ''));
  if (path !== undefined) {
    const folder = path.isFolder ? path.relative : path.relative.split('/').slice(0, -1).join('/');
    const tests = path.isFolder ? undefined : testsIn((await ground.read(path.relative)) ?? '');
    const run = tests === undefined ? [] : [`-run=^(?:${tests.join('|')})$`];
    return [...before, ...flags, ...run, `./${folder}${path.isFolder ? '/...' : ''}`];
  }
  const segments = (name ?? '').split(between);
  const test = segments.at(-1) ?? '';
  const isPackage = segments.length === 1 && /[./]/.test(test) && !/^(?:Test|Example|Fuzz)/.test(test);
  const owner = isPackage ? test : segments.slice(0, -1).join(between);
  const kept = owner === '' ? options : flags;
  const run = isPackage
    ? []
    : [
        `-run=${test
          .split('/')
          .map((part) => ground.pattern([{ expression: '^' }, { text: part }, { expression: '$' }]))
          .join('/')}`,
      ];
  return [...before, ...run, ...kept, ...(owner === '' ? [] : [asArgument(owner)])];
}

/** The names of the tests in a file of Go, which can run only a package, or tests by their names. */
function testsIn(text: string): readonly string[] {
  return [...text.matchAll(/^func ((?:Test|Example|Fuzz)\w*)\(/gm)].slice(0, 500).map(([, name = '']) => name);
}
