import assert from 'node:assert/strict';
import { chainOf, reached } from './support.ts';

const here = { build: 'echo decoy', test: 'echo decoy' };
const there = { '/demo/pkg': { build: 'tsc', test: 'mocha' } };

describe('The folder of a command', () => {
  for (const command of [
    'X=1 cd pkg && npm test',
    'command cd pkg && npm test',
    'builtin cd -- pkg; npm test',
    '(true && cd pkg && npm test)',
  ]) {
    it(`is the one that ${JSON.stringify(command)} goes to, or is not known`, async () => {
      const { steps, unknown } = await chainOf(command, here, there);
      assert.ok(unknown.length > 0 || steps.every(({ name }) => name.startsWith('/demo/pkg ')), JSON.stringify({ steps, unknown }));
    });
  }

  it('is followed behind a variable and a wrapper of the shell', async () => {
    assert.deepEqual(await reached('X=1 cd pkg && npm test', here, there), ['/demo/pkg test']);
    assert.deepEqual(await reached('command cd pkg && npm test', here, there), ['/demo/pkg test']);
    assert.deepEqual(await reached('(true && cd pkg && npm test) && npm run build', here, there), ['/demo/pkg test', 'build']);
  });

  const unknowable = [
    '{ cd pkg; npm run build; }',
    '{ true; cd pkg; npm run build; }',
    'if true; then cd pkg; npm run build; fi',
    'if true; then echo; cd pkg; fi; npm run build',
    'while false; do cd pkg; done; npm run build',
    '! cd pkg; npm run build',
    'time cd pkg; npm run build',
    'env -Cpkg npm run build',
    'env --chdir=pkg npm run build',
    'sudo -D pkg npm run build',
    'CDPATH=/other cd pkg && npm run build',
    'CDPATH=/other; cd pkg && npm run build',
    'export CDPATH=/other; cd pkg && npm run build',
    'false && cd pkg; npm run build',
    'false || cd pkg && npm run build',
    'cd pkg && false || npm run build',
    'cd pkg && true & npm run build',
    'echo | cd pkg && npm run build',
    'builtin pushd pkg && npm run build',
    'Set-Location pkg; npm run build',
    'nodemon --cwd pkg --exec "npm run build"',
    'some-wrapper -Cpkg npm run build',
    'some-wrapper --directory=pkg npm run build',
    'docker compose run web npm run build',
    'ssh elsewhere npm run build',
  ];
  for (const command of unknowable) {
    it(`is not known after ${JSON.stringify(command)}`, async () => {
      assert.notDeepEqual((await chainOf(command, here, there)).unknown, []);
    });
  }

  it('is not known where a change of it comes without a shell', async () => {
    for (const words of [
      ['cd', 'pkg'],
      ['sudo', 'cd', 'pkg'],
      ['env', 'pushd', 'pkg'],
    ]) {
      assert.deepEqual((await chainOf(words, here, there)).unknown, [words.join(' ')]);
    }
  });
});
