import assert from 'node:assert/strict';
import { AppError } from '../../../../src/base/errors.ts';
import { untilAborted } from '../../../../src/base/abort.ts';
import type { Disposable } from '../../../../src/base/lifecycle.ts';
import { ToolByHand, type CallHooks, type HandRun } from '../../../../src/host/byHand/toolByHand.ts';
import type { CallOutcome } from '../../../../src/host/tools/toolCaller.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const given = { city: 'Bern' };
const done: CallOutcome = { kind: 'result', result: { isError: false, content: [] } };

describe('A tool that a person runs', () => {
  let clock: FakeClock;
  let hooks: CallHooks[];
  let end: { resolve: (outcome: CallOutcome) => void; reject: (error: unknown) => void };
  let tool: ToolByHand;
  let seen: HandRun[];
  let watching: Disposable;

  beforeEach(() => {
    clock = new FakeClock();
    hooks = [];
    seen = [];
    tool = new ToolByHand({
      clock,
      call: (_args, each) => {
        hooks.push(each);
        const called = new Promise<CallOutcome>((resolve, reject) => (end = { resolve, reject }));
        return untilAborted(called, each.signal);
      },
    });
    watching = tool.onDidChange((run) => seen.push(run));
  });
  afterEach(() => {
    watching.dispose();
    tool.dispose();
  });

  it('waits, runs, and stays to be looked at with what it gave and how long it took', async () => {
    const running = tool.start(given);
    clock.advance(5_000); // the person thinks about the question
    hooks[0]?.onStart({ city: 'Basel' });
    clock.advance(700);
    end.resolve(done);
    const ended: HandRun = { kind: 'ended', arguments: { city: 'Basel' }, outcome: done, elapsedMs: 700 };
    assert.deepEqual(await running, ended);
    assert.deepEqual(seen, [{ kind: 'waiting', arguments: given }, { kind: 'running', arguments: { city: 'Basel' } }, ended]);
  });

  it('shows a run that was made elsewhere, but not in place of one that is under way', async () => {
    const elsewhere: HandRun = { kind: 'ended', arguments: { city: 'Chur' }, outcome: done, elapsedMs: 5 };
    assert.equal(tool.adopt(elsewhere), true);
    assert.deepEqual([tool.run, seen], [elsewhere, [elsewhere]]);
    const running = tool.start(given);
    assert.equal(tool.adopt(elsewhere), false);
    assert.equal(tool.run.kind, 'waiting');
    end.resolve(done);
    await running;
  });

  it('is not run a second time while it runs', async () => {
    const running = tool.start(given);
    assert.equal(await tool.start({ city: 'Chur' }), undefined);
    end.resolve(done);
    await running;
    assert.equal(hooks.length, 1);
  });

  it('ends as cancelled when it is stopped, also before it was allowed, and can be run again', async () => {
    const waiting = tool.start(given);
    tool.stop();
    assert.deepEqual(await waiting, { kind: 'ended', arguments: given, outcome: { kind: 'cancelled' }, elapsedMs: undefined });
    const running = tool.start(given);
    hooks[1]?.onStart(given);
    tool.stop();
    assert.deepEqual((await running)?.outcome, { kind: 'cancelled' });
    const again = tool.start(given);
    end.resolve(done);
    assert.equal((await again)?.outcome.kind, 'result');
  });

  it('ends as failed when its server does not start', async () => {
    const running = tool.start(given);
    const error = new AppError('runTool.startNotAllowed', 'It was not allowed to start.');
    end.reject(error);
    assert.deepEqual((await running)?.outcome, { kind: 'failed', error });
  });

  it('tells of progress no more often than people can read, and the latest', async () => {
    const running = tool.start(given);
    hooks[0]?.onStart(given);
    for (let value = 1; value <= 1_000; value += 1) {
      hooks[0]?.onProgress({ value, total: 1_000 });
    }
    clock.advance(100);
    const told = seen.flatMap((run) => (run.kind === 'running' && run.progress !== undefined ? [run.progress.value] : []));
    assert.deepEqual(told, [1_000]);
    end.resolve(done);
    await running;
    hooks[0]?.onProgress({ value: 1 });
    assert.equal(tool.run.kind, 'ended');
    assert.equal(clock.pending, 0);
  });

  it('is stopped when nobody looks any more', async () => {
    const running = tool.start(given);
    tool.dispose();
    assert.equal((await running)?.outcome.kind, 'cancelled');
  });
});
