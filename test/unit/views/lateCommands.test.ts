import assert from 'node:assert/strict';
import { lateCommands } from '../../../src/views/lateCommands.ts';
import { commands } from '../../../src/contract/commands.ts';
import type { CommandHandlers } from '../../../src/views/commandTable.ts';

describe('Commands whose work is loaded late', () => {
  const called: unknown[] = [];
  const handlers = Object.fromEntries(
    commands.map((name) => [name, (...args: unknown[]) => called.push([name, ...args])]),
  ) as unknown as CommandHandlers;

  beforeEach(() => called.splice(0));

  it('are all there before, are loaded once, and run in the order they were used', async () => {
    let loads = 0;
    const late = lateCommands(async () => {
      loads += 1;
      return Promise.resolve(handlers);
    });
    assert.deepEqual(Object.keys(late), [...commands]);
    assert.equal(loads, 0);
    await Promise.all([late.openChat('one', 'two'), late.doctor()]);
    await late.runTool({ tool: 'echo' });
    assert.deepEqual(called, [
      ['openChat', 'one', 'two'],
      ['doctor', undefined],
      ['runTool', { tool: 'echo' }],
    ]);
    assert.equal(loads, 1);
  });

  it('are loaded again when that failed', async () => {
    const failures = [new Error('the disk was away')];
    const late = lateCommands(async () => {
      const failure = failures.pop();
      return failure === undefined ? Promise.resolve(handlers) : Promise.reject(failure);
    });
    await assert.rejects(async () => late.doctor(), /the disk was away/);
    await late.doctor();
    assert.deepEqual(called, [['doctor', undefined]]);
  });
});
