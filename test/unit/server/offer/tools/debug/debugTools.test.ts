import assert from 'node:assert/strict';
import { AppError } from '../../../../../../src/base/errors.ts';
import type { JsonObject } from '../../../../../../src/base/json.ts';
import type { ActPermission, ActRequest } from '../../../../../../src/server/access/clientApproval.ts';
import type { CallContext } from '../../../../../../src/server/offer/catalog/catalog.ts';
import type { TestRequest } from '../../../../../../src/testRuns/testGround.ts';
import { outputOf } from '../../../../../../src/server/offer/tools/tool.ts';
import { debugTools } from '../../../../../../src/server/offer/tools/toolTable.ts';
import { fakeCall } from '../../../support/fakeCall.ts';
import { stoppedHere } from '../../../support/fakeDebug.ts';
import { FakeEditor } from '../../../support/fakePorts.ts';
import { answerOf } from '../../../support/toolAnswers.ts';

const owner = 'window-1 session-1';

function run(name: string, args: JsonObject, editor: FakeEditor, changes: Partial<CallContext> = {}): Promise<unknown> {
  const tool = debugTools.find((each) => each.name === name);
  assert.ok(tool);
  return outputOf(tool, args, { editor, call: fakeCall(changes) });
}

/** Keeps what the person was asked, and answers. */
function person(answer: 'allow' | 'deny' = 'allow'): { readonly asked: ActRequest[]; readonly confirm: CallContext['confirm'] } {
  const asked: ActRequest[] = [];
  const confirm = (act: ActRequest): Promise<ActPermission> => {
    asked.push(act);
    return answer === 'allow' ? Promise.resolve('asItIs') : Promise.reject(new AppError('server.denied', 'denied'));
  };
  return { asked, confirm };
}

describe('The tools of the debugger', () => {
  it('start what the person saw, and answer with the whole stop', async () => {
    const editor = new FakeEditor();
    editor.documents.files.set('src/a.ts', { text: 'one\ntwo\nthree\nfour\nfive\n' });
    const { asked, confirm } = person();
    const { stop } = (await run('start_debugging', { configuration: 'Run' }, editor, { confirm })) as { stop: unknown };
    assert.deepEqual(stop, { ...stoppedHere, lines: '1→one\n2→two\n3→three\n4→four', output: 'adding\n' });
    const what = { kind: 'debug', name: 'Run', definition: '{}', chain: { steps: [], unknown: [] } };
    assert.deepEqual(asked, [{ tool: 'start_debugging', role: 'runner', what, offersSession: true }]);
    assert.deepEqual(editor.debug.done, [['start', owner, 'Run', 10]]);
  });

  it('start nothing without a yes, and nothing that changed while the person thought', async () => {
    const editor = new FakeEditor();
    await assert.rejects(run('start_debugging', { configuration: 'Run' }, editor, { confirm: person('deny').confirm }), {
      code: 'server.denied',
    });
    const confirm = (): Promise<ActPermission> => {
      editor.debug.definition = '{"program": "other"}';
      return Promise.resolve('asItIs');
    };
    await assert.rejects(run('start_debugging', { configuration: 'Run' }, editor, { confirm }), { code: 'server.launchChanged' });
    await assert.rejects(run('start_debugging', {}, editor), { code: 'server.configurationOrTest' });
    assert.deepEqual(editor.debug.done, []);
  });

  it('debug the test of this name in this file; a program that is not told files gets the name', async () => {
    const editor = new FakeEditor();
    const asked: TestRequest[] = [];
    const plan = editor.tests.plan.bind(editor.tests);
    let takesFiles = true;
    editor.tests.plan = (request) => {
      asked.push(request);
      const isTaken = takesFiles || request.filter === 'adds';
      return isTaken ? plan(request) : Promise.reject(new AppError('tests.cannotFilter', 'files'));
    };
    const plansFor = async (test: { readonly path: string; readonly name?: string }): Promise<readonly unknown[]> => {
      asked.length = 0;
      await run('start_debugging', { test }, editor, { confirm: person().confirm });
      return [...new Set(asked.map(({ filter, file }) => `${filter} in ${file}`))];
    };
    const path = 't/cart.test.js';
    assert.deepEqual(await plansFor({ path }), [`${path} in ${path}`]);
    assert.deepEqual(await plansFor({ path, name: 'adds' }), [`${path} > adds in ${path}`]);
    assert.deepEqual(await plansFor({ path, name: `${path}::adds` }), [`${path}::adds in ${path}`]);
    takesFiles = false;
    assert.deepEqual(await plansFor({ path, name: 'adds' }), [`${path} > adds in ${path}`, `adds in ${path}`]);
    await assert.rejects(plansFor({ path }), { code: 'tests.cannotFilter' });
  });

  it('offer the session only for what is known whole', async () => {
    const editor = new FakeEditor();
    editor.debug.chain = { steps: [], unknown: ['envFile'] };
    const { asked, confirm } = person();
    await run('start_debugging', { configuration: 'Run' }, editor, { confirm });
    assert.equal(asked[0]?.offersSession, false);
  });

  it('ask once about a session of the person’s, and not at all about one’s own', async () => {
    const editor = new FakeEditor();
    const { asked, confirm } = person();
    await run('debug_step', { action: 'over' }, editor, { confirm });
    assert.deepEqual(asked, []);
    editor.debug.session = { ...editor.debug.session, mayUse: false };
    await run('get_debug_state', {}, editor, { confirm });
    assert.deepEqual(asked, [
      { tool: 'get_debug_state', role: 'runner', what: { kind: 'debugSession', session: 'Run (debug-1)' }, offersSession: false },
    ]);
    assert.deepEqual(editor.debug.done[1], ['share', owner, 'debug-1']);
    const denied = person('deny');
    await assert.rejects(run('debug_step', { action: 'stop' }, editor, { confirm: denied.confirm }), { code: 'server.denied' });
    assert.equal(editor.debug.done.filter((each) => (each as unknown[])[0] === 'step').length, 1);
  });

  it('ask about conditions, log messages and expressions, since these run code', async () => {
    const editor = new FakeEditor();
    const { asked, confirm } = person();
    const breakpoints = [{ line: 2 }, { line: 3, condition: 'x > 1', hitCount: '>5' }, { line: 4, hitCount: 'f()', logMessage: '{x}' }];
    await run('set_breakpoints', { path: 'src/a.ts', breakpoints: [{ line: 2 }] }, editor, { confirm });
    assert.deepEqual(asked, []);
    await run('set_breakpoints', { path: 'src/a.ts', breakpoints }, editor, { confirm });
    await run('debug_evaluate', { expression: 'x = 2' }, editor, { confirm });
    assert.deepEqual(
      asked.map(({ what, offersSession }) => [what, offersSession]),
      [
        [
          {
            kind: 'debugCode',
            code: [
              { place: 'src/a.ts:3, condition', text: 'x > 1' },
              { place: 'src/a.ts:4, hitCount', text: 'f()' },
              { place: 'src/a.ts:4, logMessage', text: '{x}' },
            ],
          },
          true,
        ],
        [{ kind: 'debugCode', session: 'Run (debug-1)', code: [{ place: 'expression', text: 'x = 2' }] }, true],
      ],
    );
    const { confirm: deny } = person('deny');
    await assert.rejects(run('debug_evaluate', { expression: 'x' }, editor, { confirm: deny }), { code: 'server.denied' });
    assert.equal(editor.debug.done.filter((each) => (each as unknown[])[0] === 'evaluate').length, 1);
  });

  it('wait no longer than a client that gets no progress does', async () => {
    const editor = new FakeEditor();
    await run('start_debugging', { configuration: 'Run', waitMs: 600_000 }, editor);
    await run('start_debugging', { configuration: 'Run', waitMs: 600_000 }, editor, { wantsProgress: true });
    assert.deepEqual(editor.debug.done, [
      ['start', owner, 'Run', 20],
      ['start', owner, 'Run', 600],
    ]);
  });

  it('trace a run: what expressions were at each place, in order, and nothing is left behind', async () => {
    const editor = new FakeEditor();
    const elsewhere = { ...stoppedHere, line: 9, reason: 'exception', exception: 'Boom' };
    editor.debug.stops = [stoppedHere, stoppedHere, elsewhere];
    const { asked, confirm } = person();
    const places = [{ path: 'src/a.ts', line: 1, expressions: ['sum'] }];
    const { events, run: ended } = (await run('trace_run', { places, configuration: 'Run' }, editor, { confirm })) as {
      events: { place: string; count: number; values: unknown }[];
      run: Record<string, unknown>;
    };
    assert.deepEqual(
      events.map(({ place, count, values }) => [place, count, values]),
      [1, 2].map((count) => ['src/a.ts:1', count, [{ expression: 'sum', value: '3' }]]),
    );
    assert.deepEqual([ended['state'], ended['exception'], ended['exitCode']], ['ended', 'Boom', 0]);
    assert.deepEqual(asked[0]?.what.kind === 'debug' && asked[0].what.code, [{ place: 'src/a.ts:1', text: 'sum' }]);
    assert.deepEqual(editor.debug.done.at(-1), ['removeBreakpoints']);
  });

  it('trace places without expressions by log points, in order with the others, and by stops where an adapter has none', async () => {
    const places = [
      { path: 'src/a.ts', line: 1, expressions: ['sum'] },
      { path: 'src/b.ts', line: 7 },
    ];
    const traced = async (prepare: (editor: FakeEditor) => void): Promise<readonly unknown[]> => {
      const editor = new FakeEditor();
      prepare(editor);
      const { events } = (await run('trace_run', { places, configuration: 'Run' }, editor)) as {
        events: { place: string; count: number; values: unknown[] }[];
      };
      return events.map(({ place, count, values }) => `${place} ${count} ${values.length}`);
    };
    const byStop = { ...stoppedHere, path: 'src/b.ts', line: 7 };
    const expected = ['src/b.ts:7 1 0', 'src/a.ts:1 1 1', 'src/b.ts:7 2 0'];
    const logging = await traced((editor) => {
      // The person's own breakpoint stands where the first log point is.
      editor.debug.stops = [byStop, stoppedHere];
      const passes = [() => editor.debug.pass(1), () => undefined, () => editor.debug.pass(1)];
      editor.debug.onNext = () => passes.shift()?.();
    });
    const stopping = await traced((editor) => void (editor.debug.stops = [byStop, stoppedHere, byStop]));
    assert.deepEqual([logging, stopping], [expected, expected]);
  });

  it('take away log points that tell more than fits', async () => {
    const editor = new FakeEditor();
    editor.debug.onNext = () => {
      editor.debug.onNext = () => undefined;
      Array.from({ length: 2_000 }, () => editor.debug.pass(0));
    };
    const places = [{ path: 'src/b.ts', line: 7 }];
    const { events, note } = (await run('trace_run', { places, configuration: 'Run' }, editor)) as { events: unknown[]; note: string };
    assert.ok(events.length > 100 && events.length < 1_000, String(events.length));
    assert.match(note, /more than fits/);
    assert.ok(editor.debug.done.filter((each) => Array.isArray(each) && each[0] === 'removeBreakpoints').length > 1);
  });

  it('stop a traced run that fails on the way, and take its breakpoints away', async () => {
    const editor = new FakeEditor();
    const stopping = new AbortController();
    editor.debug.onEvaluate = () => {
      stopping.abort(new AppError('test.cancelled', 'cancelled'));
      throw new Error('gone');
    };
    const places = [{ path: 'src/a.ts', line: 1, expressions: ['sum'] }];
    await assert.rejects(run('trace_run', { places, configuration: 'Run' }, editor, { signal: stopping.signal }));
    assert.deepEqual(editor.debug.done.slice(-2), [['removeBreakpoints'], ['step', { sessionId: 'debug-1', action: 'stop' }]]);
  });

  it('keep their answers within bounds, whatever a program holds', async () => {
    const editor = new FakeEditor();
    const long = '"\u0001x'.repeat(20_000);
    const variables = Array.from({ length: 400 }, (_, index) => ({ name: `v${index}${long}`, type: long, value: long }));
    const stack = Array.from({ length: 50 }, (_, index) => ({
      name: `f${index}${long}`,
      path: `src/${'deep/'.repeat(20)}a.ts`,
      line: index + 1,
    }));
    const huge = {
      ...stoppedHere,
      reason: long,
      exception: long,
      stack: stack.slice(0, 5),
      changed: variables,
      output: [{ kept: long, newFrom: 0 }],
    };
    editor.debug.state = { stack, variables, isPartial: true };
    editor.debug.value = { type: long, value: long, isCut: false };
    editor.documents.files.set('src/a.ts', { text: `${long}\n${long}` });
    const breakpoints = Array.from({ length: 5_000 }, (_, index) => ({
      id: `${index}`,
      path: 'src/a.ts',
      line: index + 1,
      isVerified: true,
      isYours: true,
    }));
    const configurations = Array.from({ length: 500 }, () => ({ name: long, type: long }));
    editor.debug.overview = { configurations, sessions: [], breakpoints };
    const calls: readonly (readonly [string, JsonObject, number])[] = [
      ['start_debugging', { configuration: 'Run' }, 25_000],
      ['debug_step', { action: 'over' }, 25_000],
      ['get_debug_state', {}, 25_000],
      ['get_debug_state', { maxChars: 5_000 }, 5_000],
      ['debug_evaluate', { expression: 'x' }, 25_000],
      ['list_debug', {}, 25_000],
    ];
    for (const [name, args, most] of calls) {
      editor.debug.stops = [huge];
      const { output, text } = await answerOf(name, args, editor);
      assert.ok(JSON.stringify(output).length <= most, `${name}: ${JSON.stringify(output).length} characters of structure`);
      assert.ok((text ?? '').length <= most, `${name}: ${(text ?? '').length} characters of text`);
    }
    const value = (await run('debug_evaluate', { expression: 'x' }, editor)) as { isCut: boolean };
    assert.equal(value.isCut, true);
  });
});
