import type { TestSources } from './testGround.ts';

/** What of a project tells about its tests, and what in it says that pytest runs them; a file without a text says so by being there. */
const pytestSigns: readonly (readonly [file: string, sign: RegExp | undefined])[] = [
  ['pyproject.toml', /^\s*\[tool\.pytest[\].]/m],
  ['pytest.ini', undefined],
  ['.pytest.ini', undefined],
  ['setup.cfg', /^\s*\[tool:pytest\]/m],
  ['tox.ini', /^\s*\[pytest\]/m],
  ['conftest.py', undefined],
  ['tests/conftest.py', undefined],
  ['test/conftest.py', undefined],
];

/** The folders in which Python's projects have their tests. */
const testFolders = ['', 'tests', 'test'] as const;
/** The most test files that are read to see what they are written for. */
const maxRead = 20;

/** The command that runs a Python project's tests; `undefined` if the folder has none. */
export async function pythonTests(folder: string, sources: TestSources): Promise<readonly [string, ...string[]] | undefined> {
  const found = await Promise.all(testFolders.map(async (path) => ({ path, names: await sources.listFiles(folder, path) })));
  const homes = found
    .map(({ path, names }) => ({ path, names, tests: names.filter((name) => /^test.*\.py$|_test\.py$/.test(name)) }))
    .filter(({ tests }) => tests.length > 0);
  const isPytest = await saysPytest(folder, sources);
  if (!isPytest && homes.length === 0) {
    return undefined;
  }
  if (isPytest || !(await areForUnittest(folder, homes, sources))) {
    return [await python(folder, sources), '-m', 'pytest'];
  }
  return [await python(folder, sources), '-m', 'unittest', ...discoveryIn(homes)];
}

interface TestHome {
  readonly path: string;
  readonly names: readonly string[];
  readonly tests: readonly string[];
}

async function saysPytest(folder: string, sources: TestSources): Promise<boolean> {
  const signs = await Promise.all(
    pytestSigns.map(async ([file, sign]) => {
      const text = await sources.readFile(folder, file).catch(() => undefined);
      return text !== undefined && (sign === undefined || sign.test(text));
    }),
  );
  return signs.includes(true);
}

/** Whether the tests are classes of unittest; plain functions, and whatever uses pytest, only pytest finds. */
async function areForUnittest(folder: string, homes: readonly TestHome[], sources: TestSources): Promise<boolean> {
  const files = homes.flatMap(({ path, tests }) => tests.map((name) => (path === '' ? name : `${path}/${name}`)));
  const texts = await Promise.all(files.slice(0, maxRead).map((file) => sources.readFile(folder, file).catch(() => undefined)));
  const usesPytest = texts.some((text) => text !== undefined && /^\s*(?:import|from) pytest\b/m.test(text));
  return !usesPytest && texts.some((text) => text !== undefined && /\bunittest\b/.test(text));
}

/** Discovery from the project's folder finds tests there and in packages; a folder that is no package is where it has to start. */
function discoveryIn(homes: readonly TestHome[]): readonly string[] {
  const isFound = homes.some(({ path, names }) => path === '' || names.includes('__init__.py'));
  return isFound ? [] : ['discover', '-s', homes[0]?.path ?? ''];
}

/** The Python of the project's own environment, else the one that the person has. */
async function python(folder: string, sources: TestSources): Promise<string> {
  const own = ['.venv', 'venv'].flatMap((home) => (sources.shell === 'windows' ? [`${home}/Scripts/python.exe`] : [`${home}/bin/python`]));
  const there = await sources.filesIn(folder, own);
  return own.find((file) => there.has(file)) ?? (await sources.findProgram(['python3', 'python'])) ?? 'python3';
}
