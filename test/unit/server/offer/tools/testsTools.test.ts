import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { JsonObject } from '../../../../../src/base/json.ts';
import type { ActPermission, ActRequest } from '../../../../../src/server/access/clientApproval.ts';
import { testResources, testTemplates } from '../../../../../src/server/offer/resources/testResources.ts';
import { silentPatienceMs } from '../../../../../src/server/offer/tools/runs.ts';
import { testTools } from '../../../../../src/server/offer/tools/toolTable.ts';
import { outputOf, type EditorCall } from '../../../../../src/server/offer/tools/tool.ts';
import { withholdingTests } from '../../../../../src/server/seen/withheld/editorViews.ts';
import { AppError } from '../../../../../src/base/errors.ts';
import { fakeCall } from '../../support/fakeCall.ts';
import { FakeEditor } from '../../support/fakePorts.ts';
import { FakeTests, runNamed } from '../../support/fakeTests.ts';
import { visibilityWith } from '../../support/visibilityWith.ts';

const failure = { name: 'the till > is free', message: '150 !== 100', path: 'test/cart.test.js', line: 19 };

function call(name: string, args: JsonObject, context: EditorCall): Promise<unknown> {
  const tool = testTools.find((each) => each.name === name);
  assert.ok(tool);
  return outputOf(tool, args, context);
}

function withRuns(...runs: Parameters<typeof runNamed>[]): FakeEditor {
  const editor = new FakeEditor();
  editor.tests.runs = runs.map(([id, changes]) => runNamed(id, changes));
  return editor;
}

describe('get_test_results', () => {
  const ended = {
    status: 'failed',
    exitCode: 1,
    durationMs: 5,
    counts: { passed: 4, failed: 1, skipped: 0 },
    failures: [failure],
    output: 'all of it',
  } as const;

  it('returns the latest run, or the one that is named', async () => {
    const editor = withRuns(['b', {}], ['a', ended]);
    const { output, ...rest } = runNamed('b');
    assert.deepEqual(await call('get_test_results', {}, { editor, call: fakeCall() }), { run: { ...rest, output } });
    assert.deepEqual(await call('get_test_results', { runId: 'a' }, { editor, call: fakeCall() }), { run: runNamed('a', ended) });
  });

  it('leaves the output out when only failures are wanted', async () => {
    const answer = (await call('get_test_results', { onlyFailures: true }, { editor: withRuns(['a', ended]), call: fakeCall() })) as {
      run: object;
    };
    assert.deepEqual(answer, { run: JSON.parse(JSON.stringify({ ...runNamed('a', ended), output: undefined })) as object });
  });

  it('says that nothing has run yet, and that a run is unknown', async () => {
    const context = { editor: withRuns(), call: fakeCall() };
    assert.match(((await call('get_test_results', {}, context)) as { note: string }).note, /^No tests have run/);
    await assert.rejects(call('get_test_results', { runId: 'x' }, context), { code: 'server.testRunNotFound' });
  });

  it('cuts a long output and many long messages, and says where the rest is', async () => {
    const failures = Array.from({ length: 200 }, (_, index) => ({ ...failure, name: `test ${index}`, message: 'm'.repeat(4_000) }));
    const editor = withRuns(['a', { ...ended, failures, output: 'x'.repeat(200_000) }]);
    const answer = await call('get_test_results', {}, { editor, call: fakeCall() });
    const text = JSON.stringify(answer);
    assert.ok(text.length <= 25_000, `${text.length} characters`);
    assert.match(text, /characters left out; more is at tests:\/\/runs\/a\/output/);
    const { run } = answer as { run: { failures: object[]; moreFailures: number } };
    assert.deepEqual([run.failures.length > 20, run.failures.length + run.moreFailures], [true, 200]);
  });
});

describe('run_tests', () => {
  const started = (editor: FakeEditor): string => editor.tests.listRuns()[0]?.id ?? '';

  it('asks about exactly what it will run, and then runs that', async () => {
    const editor = new FakeEditor();
    const asked: ActRequest[] = [];
    const confirm = (act: ActRequest): Promise<ActPermission> => {
      asked.push(act);
      assert.deepEqual(editor.tests.started, [], 'nothing runs before the answer');
      return Promise.resolve('asItIs');
    };
    const answer = call('run_tests', { filter: 'cart' }, { editor, call: fakeCall({ confirm }) });
    await settled();
    editor.tests.finish(started(editor), { status: 'failed', exitCode: 1, failures: [failure] });
    assert.deepEqual(asked, [
      {
        tool: 'run_tests',
        role: 'runner',
        what: { kind: 'script', commandLine: 'npm test', chain: editor.tests.nextPlan.chain, cwd: '/demo' },
        offersSession: true,
      },
    ]);
    assert.deepEqual(editor.tests.started, [{ ...editor.tests.nextPlan, filter: 'cart' }]);
    assert.deepEqual(await answer, { run: runNamed('run-1', { status: 'failed', exitCode: 1, failures: [failure] }), unsaved: [] });
  });

  it('runs nothing when the person denies it', async () => {
    const editor = new FakeEditor();
    const confirm = (): Promise<never> => Promise.reject(new AppError('access.denied', 'Denied.'));
    await assert.rejects(call('run_tests', {}, { editor, call: fakeCall({ confirm }) }), { code: 'access.denied' });
    assert.deepEqual(editor.tests.started, []);
  });

  it('offers a whole session only for what is fully known', async () => {
    const editor = new FakeEditor();
    editor.tests.nextPlan = { ...editor.tests.nextPlan, chain: { steps: [], unknown: ['npm run $WHICH'] } };
    const offered: boolean[] = [];
    const confirm = (act: ActRequest): Promise<ActPermission> => {
      offered.push(act.offersSession);
      return Promise.resolve('asItIs');
    };
    await call('run_tests', { wait: false }, { editor, call: fakeCall({ confirm }) });
    assert.deepEqual(offered, [false]);
  });

  it('returns the running run at once when it shall not wait', async () => {
    const editor = new FakeEditor();
    const answer = await call('run_tests', { wait: false }, { editor, call: fakeCall() });
    assert.deepEqual(answer, { run: runNamed('run-1'), unsaved: [] });
    assert.deepEqual(editor.tests.cancelled, []);
  });

  it('a client that hears of no progress gets the running run back before it gives up', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const editor = new FakeEditor();
      const answer = call('run_tests', {}, { editor, call: fakeCall() });
      await settled();
      mock.timers.tick(silentPatienceMs);
      assert.deepEqual(await answer, { run: runNamed('run-1'), unsaved: [] });
      assert.deepEqual(editor.tests.cancelled, [], 'the run goes on');
    } finally {
      mock.timers.reset();
    }
  });

  it('a client that asked for progress hears how far the tests are', async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      const editor = new FakeEditor();
      const heard: unknown[] = [];
      const reportProgress = (progress: number, message?: string): void => void heard.push([progress, message]);
      const answer = call('run_tests', {}, { editor, call: fakeCall({ wantsProgress: true, reportProgress }) });
      await settled();
      mock.timers.tick(10_000);
      editor.tests.update('run-1', { counts: { passed: 3, failed: 1, skipped: 0 } });
      mock.timers.tick(5_000);
      editor.tests.finish('run-1', { status: 'failed' });
      await answer;
      const running = 'The tests are running (run-1).';
      assert.deepEqual(heard, [
        [1, running],
        [2, running],
        [3, 'The tests are running: 3 passed, 1 failed, 0 skipped.'],
      ]);
    } finally {
      mock.timers.reset();
    }
  });

  it('ends the tests when the call is cancelled', async () => {
    const editor = new FakeEditor();
    const cancelling = new AbortController();
    const answer = call('run_tests', {}, { editor, call: fakeCall({ signal: cancelling.signal }) });
    await settled();
    cancelling.abort();
    await assert.rejects(answer, { name: 'AbortError' });
    assert.deepEqual(editor.tests.cancelled, ['run-1']);
  });
});

describe('tests:// resources', () => {
  it('equal what the tool returns, and are listed with every run', async () => {
    const editor = withRuns(['b', { command: 'npm test b' }], ['a', {}]);
    const context = { editor, call: fakeCall() };
    const [latest] = testResources;
    assert.equal(latest?.uri, 'tests://latest');
    assert.deepEqual(await latest.read(context), { kind: 'json', value: await call('get_test_results', {}, context) });
    const [run, output] = testTemplates;
    assert.deepEqual(await run?.match('tests://runs/a')?.read(context), {
      kind: 'json',
      value: await call('get_test_results', { runId: 'a' }, context),
    });
    assert.deepEqual(await output?.match('tests://runs/a/output')?.read(context), { kind: 'text', text: '', mimeType: 'text/plain' });
    assert.deepEqual(
      run?.list?.(editor).map(({ uri, title }) => [uri, title]),
      [
        ['tests://runs/b', 'npm test b'],
        ['tests://runs/a', 'npm test'],
      ],
    );
  });

  it('are found by shape, and missing runs are not found', async () => {
    const context = { editor: withRuns(['a', {}]), call: fakeCall() };
    const [run, output] = testTemplates;
    assert.deepEqual(
      ['tests://runs/', 'tests://runs/a/b', 'tests://runs/a/output', 'tests://latest', 'tests://runs/%2e'].map((uri) => run?.match(uri)),
      [undefined, undefined, undefined, undefined, undefined],
    );
    assert.equal(output?.match('tests://runs/a'), undefined);
    for (const match of [run?.match('tests://runs/x'), output?.match('tests://runs/x/output')]) {
      await assert.rejects(async () => match?.check(context), { code: 'server.testRunNotFound' });
      await assert.rejects(async () => match?.read(context), { code: 'server.testRunNotFound' });
    }
  });

  it('complete the ids of the last runs', async () => {
    const editor = withRuns(['run-b', {}], ['run-a', {}], ['other', {}]);
    const complete = (name: string, value: string): unknown =>
      testTemplates[0]?.complete(
        { ref: { kind: 'resource', uri: 'tests://runs/{id}' }, argument: { name, value }, context: {} },
        { editor, call: fakeCall() },
      );
    assert.deepEqual([await complete('id', 'run-'), await complete('x', '')], [{ values: ['run-b', 'run-a'] }, { values: [] }]);
  });

  it('tell of changes of their own run only', () => {
    const editor = withRuns(['b', {}], ['a', {}]);
    const told: string[] = [];
    const listening = [
      testTemplates[0]?.match('tests://runs/a')?.changes(editor)(() => told.push('a')),
      testResources[0]?.changes(editor)(() => told.push('latest')),
    ];
    editor.tests.update('b', { status: 'passed' });
    editor.tests.update('a', { status: 'passed' });
    editor.tests.begin({ command: 'x', source: 'task' });
    assert.deepEqual(told, ['latest', 'a', 'latest']);
    listening.forEach((entry) => entry?.dispose());
  });

  it('tell of changes of the latest run without reading it', () => {
    const editor = withRuns(['b', {}], ['a', {}]);
    let told = 0;
    const listening = testResources[0]?.changes(editor)(() => (told += 1));
    editor.tests.findRun = () => assert.fail('a run can be long, and is redacted as a whole');
    editor.tests.didChangeRun.fire('a');
    editor.tests.didChangeRun.fire('b');
    assert.equal(told, 1);
    listening?.dispose();
  });
});

describe('What clients see of test runs', () => {
  it('has no secrets in its texts and no withheld files as places', async () => {
    const tests = new FakeTests();
    const visibility = visibilityWith(
      (path) => path !== '.env',
      (text) => text.replaceAll('hunter2', '[redacted]'),
    );
    const seen = withholdingTests(tests, visibility);
    const secret = { name: 'hunter2', message: 'got hunter2', path: '.env', line: 3 };
    tests.runs = [runNamed('a', { command: 'x hunter2', output: 'hunter2', failures: [secret, failure] })];
    const clean = {
      command: 'x [redacted]',
      output: '[redacted]',
      failures: [{ name: '[redacted]', message: 'got [redacted]' }, failure],
    };
    assert.deepEqual(seen.findRun('a'), runNamed('a', clean));
    assert.deepEqual(seen.listRuns()[0]?.command, 'x [redacted]');
    const { id, ended } = await seen.start(await seen.plan(undefined));
    tests.finish(id, { output: 'hunter2', status: 'passed' });
    assert.equal((await ended).output, '[redacted]');
    const recorder = seen.begin({ command: 'y', source: 'task' });
    recorder.write('hunter2');
    assert.equal((await recorder.end({ kind: 'exited', exitCode: 0 })).output, '[redacted]');
  });
});

/** Lets a call get as far as it gets without an answer. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
