import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { AppError } from '../../../../../src/base/errors.ts';
import type { JsonObject } from '../../../../../src/base/json.ts';
import type { ActRequest } from '../../../../../src/server/access/clientApproval.ts';
import type { CallContext } from '../../../../../src/server/offer/catalog/catalog.ts';
import { actingTools } from '../../../../../src/server/offer/tools/toolTable.ts';
import { silentPatienceMs } from '../../../../../src/server/offer/tools/runs.ts';
import { fakeCall } from '../../support/fakeCall.ts';
import { FakeEditor } from '../../support/fakePorts.ts';
import { outputOf } from '../../../../../src/server/offer/tools/tool.ts';

async function run(name: string, args: JsonObject, editor: FakeEditor, changes: Partial<CallContext> = {}): Promise<JsonObject> {
  const tool = actingTools.find((each) => each.name === name);
  assert.ok(tool);
  return (await outputOf(tool, args, { editor, call: fakeCall(changes) })) as JsonObject;
}

/** A person who allows everything as it is. */
function allowing(asked: ActRequest[]): CallContext['confirm'] {
  return (act) => {
    asked.push(act);
    return Promise.resolve('asItIs');
  };
}

const never = new Promise<never>(() => undefined);

/** What a client without progress is told of something that does not end. */
async function runOutOfPatience(name: string, args: JsonObject, editor: FakeEditor, thenMs = 0): Promise<JsonObject> {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const answer = run(name, args, editor);
    await new Promise((resolve) => setImmediate(resolve));
    mock.timers.tick(silentPatienceMs);
    const result = await answer;
    mock.timers.tick(thenMs);
    return result;
  } finally {
    mock.timers.reset();
  }
}

describe('run_task', () => {
  it("asks with the task's definition, runs it, and enters it into the history of runs", async () => {
    const editor = new FakeEditor();
    const asked: ActRequest[] = [];
    const result = await run('run_task', { name: 'build' }, editor, { confirm: allowing(asked) });
    const what = { kind: 'task', name: 'build', definition: '{"runs":"make"}', chain: { steps: [], unknown: [] } };
    assert.deepEqual(asked, [{ tool: 'run_task', role: 'runner', what, offersSession: true }]);
    assert.equal(result['exitCode'], 0);
    assert.equal(result['runId'], 'run-1');
    assert.deepEqual(
      [editor.tests.runs[0]?.status, editor.tests.runs[0]?.command, editor.tests.runs[0]?.source],
      ['passed', 'make', 'task'],
    );
  });

  it('runs nothing and records nothing when the person denies it', async () => {
    const editor = new FakeEditor();
    const confirm = (): Promise<never> => Promise.reject(new AppError('server.denied', 'denied'));
    await assert.rejects(run('run_task', { name: 'build' }, editor, { confirm }), { code: 'server.denied' });
    assert.deepEqual([editor.acting.done, editor.tests.runs], [[['findTask', 'build']], []]);
  });

  it('offers no session for a task whose definition does not say it all', async () => {
    const editor = new FakeEditor();
    editor.acting.task = { ...editor.acting.task, chain: { steps: [], unknown: ['${input:which}'] } };
    const asked: ActRequest[] = [];
    await run('run_task', { name: 'build' }, editor, { confirm: allowing(asked) });
    assert.equal(asked[0]?.offersSession, false);
  });

  it('returns the run id at once when told not to wait, and the run goes on', async () => {
    const editor = new FakeEditor();
    editor.acting.taskEnd = never;
    assert.deepEqual(await run('run_task', { name: 'build', wait: false }, editor), { runId: 'run-1', unsaved: [] });
    assert.equal(editor.tests.runs[0]?.status, 'running');
  });

  it('says that the output could not be read instead of claiming that there was none', async () => {
    const editor = new FakeEditor();
    editor.acting.taskEnd = Promise.resolve({ exitCode: 2, wasTerminated: false, hadOutput: false });
    const result = await run('run_task', { name: 'build' }, editor);
    assert.deepEqual([result['exitCode'], 'output' in result], [2, false]);
    assert.match(JSON.stringify(result['note']), /output/);
  });

  it('answers a client that hears of no progress in time, while the task goes on', async () => {
    const editor = new FakeEditor();
    editor.acting.taskEnd = never;
    const result = await runOutOfPatience('run_task', { name: 'build' }, editor);
    assert.deepEqual([result['runId'], Object.keys(result)], ['run-1', ['runId', 'note', 'unsaved']]);
    assert.equal(editor.tests.runs[0]?.status, 'running');
    assert.notDeepEqual(editor.acting.done.at(-1), ['terminate']);
  });

  it('ends the task when the call is cancelled', async () => {
    const editor = new FakeEditor();
    editor.acting.taskEnd = never;
    const cancelled = new AbortController();
    const call = run('run_task', { name: 'build' }, editor, { signal: cancelled.signal });
    setImmediate(() => cancelled.abort());
    await assert.rejects(call, { name: 'AbortError' });
    assert.deepEqual(editor.acting.done.at(-1), ['terminate']);
  });

  it('records a task as cancelled that was not started because the call was cancelled', async () => {
    const editor = new FakeEditor();
    const cancelled = new AbortController();
    editor.acting.startTask = () => {
      cancelled.abort();
      return Promise.reject(cancelled.signal.reason as Error);
    };
    await assert.rejects(run('run_task', { name: 'build' }, editor, { signal: cancelled.signal }), { name: 'AbortError' });
    assert.equal(editor.tests.runs[0]?.status, 'cancelled');
  });
});

describe('run_terminal_command', () => {
  it('takes no text that would be a key press in the terminal, and asks nobody about it', () => {
    for (const key of ['\t', '\u0003', '\u0004', '\u001b[A', '\r', '\u007f', '\u009b']) {
      const prepared = actingTools.find(({ name }) => name === 'run_terminal_command')?.prepare({ command: `echo a${key}b` });
      assert.equal(prepared?.kind, 'badArguments', JSON.stringify(key));
    }
    const lines = actingTools.find(({ name }) => name === 'run_terminal_command')?.prepare({ command: 'echo a\necho ü' });
    assert.equal(lines?.kind, 'ready', 'lines are shown as lines');
  });
});
