import assert from 'node:assert/strict';
import path from 'node:path';
import { isAppError } from '../../../../src/base/errors.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { pollMsOf } from '../../../../src/host/features/tasks.ts';
import type { CallOutcome } from '../../../../src/host/tools/toolCaller.ts';
import { createTestHost, textOf, type TestHost, type TestHostOptions } from '../support.ts';

const tasksServer = path.join(import.meta.dirname, '../../../fixtures/servers/tasksServer.mjs');
const features: NonNullable<TestHostOptions['features']> = {
  folders: () => [],
  onDidChangeFolders: () => ({ dispose: () => undefined }),
  samplingModel: { chooseModel: () => assert.fail('none'), complete: () => Promise.reject(new Error('none')) },
  openExternal: () => Promise.resolve(),
};
const text = (value: string): JsonObject => ({ content: [{ type: 'text', text: value }] });

for (const [mode, revision] of [
  ['legacy', '2025-11-25'],
  ['modern', '2026-07-28'],
] as const) {
  describe(`A task of ${revision}`, () => {
    let host: TestHost;
    beforeEach(async () => {
      host = await createTestHost();
      await start(mode);
    });
    afterEach(() => host.close());

    async function start(argument: string): Promise<void> {
      await host.configure({ scripted: { command: 'node', args: [tasksServer, argument] } });
      const { id } = host.server('scripted');
      const state = await host.registry.start(id, { ask: host.ask, signal: new AbortController().signal });
      assert.equal(state.kind === 'ready' && state.protocolVersion, revision, JSON.stringify(state));
    }
    const received = async (): Promise<string[]> => JSON.parse(textOf(await host.call('received'))) as string[];
    const untilReceived = async (wanted: string): Promise<void> => {
      const deadline = performance.now() + 10_000;
      while (!(await received()).includes(wanted)) {
        assert.ok(performance.now() < deadline, `Never received: ${wanted}`);
      }
    };

    it('is looked at until it is over; its states are progress, and a call lasts longer than a silent one may', async () => {
      const seen: unknown[] = [];
      const states = [['working', 'one'], ['working', 'two'], ['working'], ...Array<string[]>(5).fill(['working', 'more']), ['completed']];
      const outcome = await host.call(
        'job',
        { states, result: text('all of it') },
        { timeoutMs: 200, onProgress: (each) => seen.push(each) },
      );
      assert.equal(textOf(outcome), 'all of it');
      assert.deepEqual(seen.slice(0, 4), [
        { value: 1, message: 'one' },
        { value: 2, message: 'two' },
        { value: 3, message: 'working' },
        { value: 4, message: 'more' },
      ]);
    });

    it('that is cancelled here is cancelled there', async () => {
      const cancelling = new AbortController();
      const outcome = await host.call('job', {}, { signal: cancelling.signal, onProgress: () => cancelling.abort() });
      assert.deepEqual(outcome, { kind: 'cancelled' });
      await untilReceived('tasks/cancel task-1');
    });

    it('that the server cancels fails the call', async () => {
      const outcome = await host.call('job', { states: [['working'], ['cancelled', 'No room.']] });
      assert.deepEqual(errorOf(outcome), { code: 'host.taskCancelled', args: {}, detail: 'No room.' });
    });

    it('that fails says why', async () => {
      const outcome = await host.call('job', {
        states: [['working'], ['failed', 'Out of paper.']],
        error: { code: -32000, message: 'Jam.' },
      });
      assert.deepEqual(errorOf(outcome), { code: 'host.taskFailed', args: { reason: 'Out of paper.' }, detail: undefined });
    });

    it('whose server dies fails long before its time is up, and the call with it', async () => {
      const started = performance.now();
      const outcome = await host.call('job', { diesAt: 2 }, { timeoutMs: 30_000 });
      assert.equal(errorOf(outcome).code, 'host.serverEnded');
      assert.ok(performance.now() - started < 15_000, `${performance.now() - started} ms`);
    });

    it('that is none by its shape fails the call', async () => {
      for (const task of [{ taskId: 'x', status: 'dreaming' }, { status: 'working' }]) {
        assert.equal(errorOf(await host.call('job', { task })).code, 'host.invalidAnswer');
      }
    });

    it('is not made of a call that the server answers at once', async () => {
      const direct = await host.call('job', { isDirect: true });
      assert.equal(textOf(direct), 'direct');
      assert.ok(!(await received()).some((each) => each.startsWith('tasks/')));
    });

    if (mode === 'legacy') {
      it('that was cancelled before it had a name is cancelled when it gets one', async () => {
        const cancelling = new AbortController();
        const calling = host.call(
          'job',
          { createMs: 300 },
          { signal: cancelling.signal, onStart: () => setImmediate(() => cancelling.abort()) },
        );
        assert.deepEqual(await calling, { kind: 'cancelled' });
        await untilReceived('tasks/cancel task-1');
        assert.ok(!(await received()).includes('notifications/cancelled'));
      });

      it('that failed with a result gives it as a failed one', async () => {
        const outcome = await host.call('job', { states: [['failed']], result: text('It does not work.') });
        assert.equal(outcome.kind === 'result' && outcome.result.isError, true);
      });

      it('is never asked of a server that does not offer them', async () => {
        await start('noTasks');
        assert.equal(textOf(await host.call('job')), 'direct');
      });
    } else {
      const elicit = {
        method: 'elicitation/create',
        params: { mode: 'form', message: 'Sure?', requestedSchema: { type: 'object', properties: { who: { type: 'string' } } } },
      };

      it('that asks the person gets the answer, once', async () => {
        await host.close();
        host = await createTestHost({ features });
        await start(mode);
        host.answer = ({ detail }) =>
          detail.kind === 'elicitation'
            ? { choice: 'allowOnce', form: { who: 'Ada' } }
            : detail.kind === 'startServer'
              ? 'allow'
              : 'allowOnce';
        const outcome = await host.call('job', { asks: { sure: elicit }, states: [['completed']] });
        assert.deepEqual(JSON.parse(textOf(outcome)), { sure: { action: 'accept', content: { who: 'Ada' } } });
        assert.equal((await received()).filter((each) => each === 'tasks/update task-1').length, 1);
      });

      it('that asks what nobody here answers fails the call and is cancelled', async () => {
        const outcome = await host.call('job', { asks: { sure: elicit } });
        assert.equal(outcome.kind, 'failed');
        await untilReceived('tasks/cancel task-1');
      });
    }
  });
}

describe('The time between two looks at a task', () => {
  it('is what the server asks for, within measure', () => {
    assert.deepEqual(
      [undefined, 0, -5, 700, 10_000_000].map((pollMs) => pollMsOf({ pollMs })),
      [1_000, 50, 50, 700, 60_000],
    );
  });
});

function errorOf(outcome: CallOutcome): { code: string; args: unknown; detail: string | undefined } {
  assert.ok(outcome.kind === 'failed' && isAppError(outcome.error), JSON.stringify(outcome));
  const { code, args, detail } = outcome.error;
  return { code, args, detail };
}
