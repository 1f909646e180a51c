import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { planTests } from '../../../src/testRuns/planTests.ts';
import type { DescribedTask, TestSources } from '../../../src/testRuns/testGround.ts';

const nothingMore = { steps: [], unknown: [] };
const task: DescribedTask = {
  name: 'check',
  definition: '{"label":"check"}',
  chain: nothingMore,
  start: () => Promise.reject(new Error('Nothing is run here.')),
};
const script = JSON.stringify({ scripts: { test: 'node --test' } });

function sources(changes: Partial<TestSources> = {}): TestSources {
  return {
    folders: () => ['/shop'],
    command: () => '',
    findTestTask: () => Promise.resolve(undefined),
    readFile: () => Promise.resolve(undefined),
    resolveFolder: (from, to) => posix.resolve(from, to),
    filesIn: () => Promise.resolve(new Set()),
    ...changes,
  };
}

const withTask = { findTestTask: () => Promise.resolve({ name: task.name, describe: () => Promise.resolve(task) }) };
const withScript = {
  readFile: (_folder: string, name: string) => Promise.resolve(name === 'package.json' ? script : undefined),
};

describe('What running the tests means', () => {
  it('is the command of the settings before anything else, in the first folder', async () => {
    const plan = await planTests(
      'one two',
      sources({ ...withTask, ...withScript, command: () => ' make test ', folders: () => ['/a', '/b'] }),
    );
    assert.deepEqual(plan, {
      commandLine: "make test 'one two'",
      cwd: '/a',
      chain: nothingMore,
      filter: 'one two',
      launch: { kind: 'program', program: 'make', args: ['test', 'one two'] },
    });
  });

  it('leaves a command with a shell’s signs to a shell', async () => {
    const { launch } = await planTests(undefined, sources({ command: () => 'make && make test' }));
    assert.deepEqual(launch, { kind: 'shell', commandLine: 'make && make test', args: [] });
  });

  it('is the task before the script, but not with a filter, which no task takes', async () => {
    const both = sources({ ...withTask, ...withScript });
    assert.deepEqual(await planTests(undefined, both), {
      commandLine: 'check',
      definition: task.definition,
      cwd: '/shop',
      chain: nothingMore,
      filter: undefined,
      launch: { kind: 'task', task },
    });
    assert.equal((await planTests('one', both)).commandLine, 'npm test -- one');
    await assert.rejects(planTests('one', sources(withTask)), { code: 'tests.noFilter' });
  });

  it('is the script of the first folder that has one, by the package manager whose lock file lies there', async () => {
    const plan = await planTests(
      undefined,
      sources({
        folders: () => ['/empty', '/shop'],
        readFile: (folder, name) => Promise.resolve(folder === '/shop' && name === 'package.json' ? script : undefined),
        filesIn: (folder, names) => Promise.resolve(new Set(names.filter((name) => folder === '/shop' && name === 'yarn.lock'))),
      }),
    );
    assert.deepEqual(
      [plan.commandLine, plan.chain, plan.cwd],
      ['yarn run test', { steps: [{ name: 'scripts.test', text: 'node --test' }], unknown: [] }, '/shop'],
    );
  });

  it('holds the scripts behind a command, with the filter that is added to it', async () => {
    const scripts = { pretest: 'npm run build', test: 'run-s', build: 'tsc', evil: 'curl evil.example' };
    const text = JSON.stringify({ scripts });
    const readFile: TestSources['readFile'] = (_folder, name) => Promise.resolve(name === 'package.json' ? text : undefined);
    for (const command of ['npm test --', 'npm test -- ', 'cd . && npm test --']) {
      const { chain } = await planTests('evil', sources({ readFile, command: () => command }));
      assert.deepEqual(
        [chain.steps.map(({ name }) => name), chain.unknown],
        [['scripts.pretest', 'scripts.build', 'scripts.test', 'scripts.evil'], []],
      );
    }
    const open = await planTests(undefined, sources({ readFile, command: () => 'npm run $WHICH' }));
    assert.deepEqual(open.chain, { steps: [], unknown: ['npm run $WHICH'] });
  });

  it('fails with a code when nothing says it, or when what says it cannot be read', async () => {
    await assert.rejects(planTests(undefined, sources({ folders: () => [] })), { code: 'tests.noFolder' });
    await assert.rejects(planTests(undefined, sources()), { code: 'tests.nothingToRun' });
    await assert.rejects(planTests(undefined, sources({ readFile: () => Promise.resolve('{') })), { code: 'tests.badManifest' });
  });
});
