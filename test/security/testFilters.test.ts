import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hasMatchedNothing } from '../../src/testRuns/testRun.ts';
import { RealWorkspace } from '../unit/testRuns/support/realWorkspace.ts';

const evil = "require('node:fs').writeFileSync('evil.txt', '');";
const test = "require('node:test').test('adds', () => {});";

describe('A filter for tests', function () {
  this.timeout(60_000);
  let workspace: RealWorkspace;
  afterEach(() => workspace.runner.dispose());

  function createWorkspace(script: string): void {
    const files = { 'test/cart.test.js': test, 'test/a$(touch evil.txt) b.test.js': test, 'evil.cjs': evil, '--require=.cjs': evil };
    workspace = new RealWorkspace({ 'package.json': JSON.stringify({ scripts: { test: script } }), ...files });
  }

  const isEvil = (): boolean => existsSync(join(workspace.folder, 'evil.txt'));

  it('is no command to the shell that runs a script', async () => {
    createWorkspace('echo first && node --test test/*.test.js');
    for (const filter of ['$(touch evil.txt)', "'; touch evil.txt; '", '" && touch evil.txt && "', 'x\ntouch evil.txt\n']) {
      const run = await workspace.run({ filter });
      assert.deepEqual([run.exitCode, hasMatchedNothing(run), isEvil()], [0, true, false], filter);
    }
  });

  it('is no command where it is the name of a file', async () => {
    createWorkspace('echo first && node --test test/*.test.js');
    const run = await workspace.run({ filter: 'test/a$(touch evil.txt) b.test.js' });
    assert.deepEqual([run.counts, isEvil()], [{ passed: 1, failed: 0, skipped: 0 }, false], run.output);
  });

  it('is no option of the test program, neither as a name nor as a file', async () => {
    createWorkspace('node --test');
    for (const filter of ['--require=./evil.cjs', '--import=./evil.cjs', '-r ./evil.cjs']) {
      const run = await workspace.run({ filter });
      assert.deepEqual([hasMatchedNothing(run), isEvil()], [true, false], filter);
    }
    const { parts } = await workspace.runner.plan({ filter: '--require=.cjs' });
    assert.equal(parts[0]?.commandLine, 'node --test ./--require=.cjs');
  });
});
