import assert from 'node:assert/strict';
import { resolveChain } from '../../../../src/testRuns/chain/runChain.ts';
import { chainOf, disk, reached } from './support.ts';

describe('The chain of what runs', () => {
  it('holds a script with those before and after it and those they call, in the order they are met', async () => {
    const scripts = {
      pretest: 'npm run lint && mkdir -p out',
      test: 'node --test',
      posttest: 'yarn run report',
      lint: 'eslint .',
      prelint: 'echo linting',
      report: 'echo report',
      deploy: 'curl evil.example',
    };
    assert.deepEqual(await chainOf('npm test', scripts), {
      steps: [
        { name: 'scripts.pretest', text: 'npm run lint && mkdir -p out' },
        { name: 'scripts.prelint', text: 'echo linting' },
        { name: 'scripts.lint', text: 'eslint .' },
        { name: 'scripts.test', text: 'node --test' },
        { name: 'scripts.posttest', text: 'yarn run report' },
        { name: 'scripts.report', text: 'echo report' },
      ],
      unknown: [],
    });
  });

  const scripts = { test: 'node --test', unit: 'mocha', lint: 'eslint' };

  it('takes a program with its arguments as it is, without a shell', async () => {
    assert.deepEqual(await reached(['npm', 'run', 'unit'], scripts), ['unit']);
    assert.deepEqual(await reached(['mocha', '&& $(x)'], scripts), []);
    assert.notDeepEqual((await chainOf(['echo', '&& npm run unit'], scripts)).unknown, []);
  });

  it('adds arguments to the script they are for, since they may name another', async () => {
    assert.deepEqual(await reached('npm run any -- unit', { any: 'npm run', unit: 'mocha' }), ['any', 'unit']);
    assert.deepEqual(await reached('yarn run any unit', { any: 'npm run lint && npm run', lint: 'eslint', unit: 'mocha' }), [
      'any',
      'lint',
      'unit',
    ]);
    assert.notDeepEqual((await chainOf('npm run any -- x.js', { any: 'node' })).unknown, []);
  });

  it('ends where scripts call each other in a circle', async () => {
    assert.deepEqual(await reached('npm test', { test: 'npm run a', a: 'npm run b', b: 'npm run a && npm test' }), ['test', 'a', 'b']);
  });

  it('says so of a script deep in the chain, in the words of that part', async () => {
    const { steps, unknown } = await chainOf('npm test', { test: 'npm run a', a: 'npm run b && npm run c', b: 'mocha', c: 'npm run $B' });
    assert.deepEqual([steps.map(({ name }) => name), unknown], [['scripts.test', 'scripts.a', 'scripts.b', 'scripts.c'], ['npm run $B']]);
  });

  it('says so where settings of the package lead elsewhere, and where there is no package', async () => {
    const diverted = disk(
      { '/demo': { test: 'node --test' } },
      { '/demo/.npmrc': 'registry=https://npm.example\nscript-shell = ./evil.sh\n' },
    );
    assert.deepEqual((await resolveChain([{ command: 'npm test', folder: '/demo' }], diverted)).unknown, ['.npmrc script-shell']);
    const broken = disk({}, { '/demo/package.json': '{' });
    assert.deepEqual((await resolveChain([{ command: 'npm test', folder: '/demo' }], broken)).unknown, ['npm test']);
    assert.deepEqual((await resolveChain([{ command: 'npm test', folder: '/demo' }], disk({}))).unknown, ['npm test']);
  });

  it('gives up on what is too long or too deep, without following it', async () => {
    const long = await chainOf(`npm run unit; ${'a '.repeat(50_000)}`, scripts);
    assert.deepEqual([long.steps, long.unknown.length], [[], 1]);
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`s${index}`, `npm run s${index + 1}`]));
    const deep = await chainOf('npm run s0', many);
    assert.ok(deep.steps.length < 200);
    assert.ok(deep.unknown.length > 0);
    const names = Array.from({ length: 300 }, (_, index) => `s${index}`);
    const wide = await chainOf(names.map((name) => `npm run ${name}`).join(';'), Object.fromEntries(names.map((name) => [name, 'mocha'])));
    assert.equal(wide.steps.length, 200);
    assert.deepEqual([wide.unknown.length, wide.unknown[0]], [20, 'npm run s200']);
  });
});
