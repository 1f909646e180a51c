import assert from 'node:assert/strict';
import { silentLog } from '../../../../../src/base/log.ts';
import type { RequestContext } from '../../../../../src/server/protocol/requests/inFlight.ts';
import type { Task } from '../../../../../src/server/protocol/tasks/task.ts';
import { TaskBoard } from '../../../../../src/server/protocol/tasks/taskBoard.ts';
import { fakeCall } from '../../support/fakeCall.ts';
import { FakeClock } from '../../../../support/fakeClock.ts';

describe('TaskBoard', () => {
  let clock: FakeClock;
  let board: TaskBoard;
  beforeEach(() => {
    clock = new FakeClock();
    board = new TaskBoard(clock, silentLog);
  });
  afterEach(() => board.dispose());

  const origin = fakeCall() as unknown as RequestContext;
  const begin = (work: () => Promise<string>, ttlMs = 60_000): Task => board.begin({ origin, ttlMs, onDidChange: () => undefined }, work);
  const never = (): Promise<string> => new Promise(() => undefined);

  it('a task is gone after its time, and its work with it', () => {
    const task = begin(never, 1_000);
    clock.advance(999);
    assert.equal(board.find(task.id).status, 'working');
    clock.advance(1);
    assert.throws(() => board.find(task.id), { code: -32602 });
    assert.equal(task.signal.aborted, true);
  });

  it('sixteen may run at a time', async () => {
    for (let count = 0; count < 16; count += 1) {
      begin(never);
    }
    assert.throws(() => begin(never), { code: -32603, data: { reason: 'rateLimited' } });
    board.list()[0]?.finish({ kind: 'cancelled' });
    assert.equal(begin(never).status, 'working');
  });

  it('of those that ended the oldest makes room', async () => {
    const first = begin(() => Promise.resolve('{}'));
    for (let count = 0; count < 64; count += 1) {
      await begin(() => Promise.resolve('{}')).untilEnd(new AbortController().signal);
    }
    assert.equal(board.list().length, 64);
    assert.equal(board.has(first.id), false);
  });

  it('the first end counts', async () => {
    const task = begin(() => Promise.resolve('{"content":[]}'));
    task.finish({ kind: 'cancelled' });
    await task.untilEnd(new AbortController().signal);
    assert.equal(task.status, 'cancelled');
  });

  it('work that breaks fails its task without telling why', async () => {
    const task = begin(() => Promise.reject(new Error('secret')));
    await task.untilEnd(new AbortController().signal);
    assert.deepEqual(task.end, { kind: 'error', error: { code: -32603, message: 'Internal error' } });
  });

  it('a task says that it waits for the person, until they have answered', async () => {
    const messages: (string | undefined)[] = [];
    let asked: (() => void) | undefined;
    const access = {
      confirm: (_act: unknown, waiter: Task) => {
        waiter.reportProgress(1, 'waiting for approval in VS Code');
        return new Promise<void>((resolve) => (asked = resolve));
      },
    };
    const waiting = { ...origin, access } as unknown as RequestContext;
    const onDidChange = ({ statusMessage }: Task): void => void messages.push(statusMessage);
    const task = board.begin({ origin: waiting, ttlMs: 60_000, onDidChange }, never);
    const confirming = task.confirm({ tool: 'x', role: 'runner', what: { kind: 'save', path: 'a' }, offersSession: false });
    asked?.();
    await confirming;
    assert.deepEqual(messages, ['waiting for approval in VS Code', undefined]);
  });

  it('a key is never used twice for what a task asks', async () => {
    const task = begin(never);
    const request = { method: 'roots/list' } as const;
    const declared = { ...origin, clientCapabilities: { roots: {} } } as unknown as RequestContext;
    const asking = board.begin({ origin: declared, ttlMs: 60_000, onDidChange: () => undefined }, never);
    const first = asking.gatherInput({ kind: 'inputRequired', requests: { where: request } });
    asking.update({ where: { roots: [] }, other: {} });
    await first;
    const second = asking.gatherInput({ kind: 'inputRequired', requests: { where: request } });
    assert.deepEqual(Object.keys(asking.inputRequests), ['where.2']);
    asking.update({ where: { roots: ['stale'] } });
    asking.update({ 'where.2': { roots: ['new'] } });
    await second;
    assert.deepEqual([asking.inputResponses, asking.status, task.status], [{ where: { roots: ['new'] } }, 'working', 'working']);
  });
});
