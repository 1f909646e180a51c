import assert from 'node:assert/strict';
import { planTests } from '../../../src/testRuns/planTests.ts';
import type { TestSources } from '../../../src/testRuns/testGround.ts';
import type { DescribedTask } from '../../../src/testRuns/testTask.ts';

const task: DescribedTask = {
  name: 'check',
  definition: '{"label":"check"}',
  isFullyKnown: true,
  start: () => Promise.reject(new Error('Nothing is run here.')),
};
const script = JSON.stringify({ scripts: { test: 'node --test' } });

function sources(changes: Partial<TestSources> = {}): TestSources {
  return {
    folders: () => ['/shop'],
    command: () => '',
    findTestTask: () => Promise.resolve(undefined),
    readManifest: () => Promise.resolve(undefined),
    filesIn: () => Promise.resolve(new Set()),
    ...changes,
  };
}

const withTask = { findTestTask: () => Promise.resolve({ name: task.name, describe: () => Promise.resolve(task) }) };
const withScript = { readManifest: () => Promise.resolve(script) };

describe('What running the tests means', () => {
  it('is the command of the settings before anything else, in the first folder', async () => {
    const plan = await planTests(
      'one two',
      sources({ ...withTask, ...withScript, command: () => ' make test ', folders: () => ['/a', '/b'] }),
    );
    assert.deepEqual(plan, {
      commandLine: "make test 'one two'",
      script: 'make test',
      cwd: '/a',
      isFullyKnown: true,
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
      script: task.definition,
      cwd: '/shop',
      isFullyKnown: true,
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
        readManifest: (folder) => Promise.resolve(folder === '/shop' ? script : undefined),
        filesIn: (folder, names) => Promise.resolve(new Set(names.filter((name) => folder === '/shop' && name === 'yarn.lock'))),
      }),
    );
    assert.deepEqual([plan.commandLine, plan.script, plan.cwd], ['yarn run test', 'node --test', '/shop']);
  });

  it('fails with a code when nothing says it, or when what says it cannot be read', async () => {
    await assert.rejects(planTests(undefined, sources({ folders: () => [] })), { code: 'tests.noFolder' });
    await assert.rejects(planTests(undefined, sources()), { code: 'tests.nothingToRun' });
    await assert.rejects(planTests(undefined, sources({ readManifest: () => Promise.resolve('{') })), { code: 'tests.badManifest' });
  });
});
