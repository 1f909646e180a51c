import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { JsonObject } from '../../../../../src/base/json.ts';
import type { ActPermission, ActRequest } from '../../../../../src/server/access/clientApproval.ts';
import { testResources, testTemplates } from '../../../../../src/server/offer/resources/testResources.ts';
import { silentPatienceMs } from '../../../../../src/server/offer/tools/runs.ts';
import { testTools } from '../../../../../src/server/offer/tools/toolTable.ts';
import { outputOf, type EditorCall } from '../../../../../src/server/offer/tools/tool.ts';
import { withholdingTests } from '../../../../../src/server/seen/withheld/editorViews.ts';
import { createVisibility } from '../../../../../src/server/seen/withheld/visibility.ts';
import { noGrants } from '../../../../../src/server/seen/viewer.ts';
import { AppError } from '../../../../../src/base/errors.ts';
import { longestBlock } from '../../../../support/longestBlock.ts';
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
        what: { kind: 'script', commandLine: 'npm test', chain: editor.tests.nextPart.chain, cwd: '/demo' },
        offersSession: true,
      },
    ]);
    assert.deepEqual(editor.tests.started, [{ request: { folder: undefined, filter: 'cart' }, parts: [editor.tests.nextPart], left: [] }]);
    assert.deepEqual(await answer, { run: runNamed('run-1', { status: 'failed', exitCode: 1, failures: [failure] }), unsaved: [] });
  });

  it('asks once about what runs in several folders, and offers a session only if all of it is known', async () => {
    const editor = new FakeEditor();
    const asked: ActRequest[] = [];
    const confirm = (act: ActRequest): Promise<ActPermission> => {
      asked.push(act);
      return Promise.resolve('asItIs');
    };
    const till = { ...editor.tests.nextPart, commandLine: 'python3 -m unittest', cwd: '/till', chain: { steps: [], unknown: [] } };
    const left = [
      { folder: 'docs', why: 'nothingToRun' },
      { folder: 'barn', why: 'filter' },
    ] as const;
    editor.tests.morePlanned = { parts: [till], left };
    const answer = await call('run_tests', { folder: 'x', wait: false }, { editor, call: fakeCall({ confirm }) });
    editor.tests.morePlanned = { parts: [{ ...till, chain: { steps: [], unknown: ['make'] } }], left: [] };
    await call('run_tests', { wait: false }, { editor, call: fakeCall({ confirm }) });
    assert.deepEqual(
      asked.map(({ what, offersSession }) => [what, offersSession]),
      [
        [{ kind: 'script', ...editor.tests.nextPart, next: [till] }, true],
        [{ kind: 'script', ...editor.tests.nextPart, next: [{ ...till, chain: { steps: [], unknown: ['make'] } }] }, false],
      ],
    );
    assert.equal(
      (answer as { note: string }).note,
      'Nothing says how to run tests in: docs. Nothing ran in barn, because the filter could not be applied to what runs there.',
    );
    assert.equal(editor.tests.started[0]?.request.folder, 'x');
  });

  it('says when a filter matched nothing, then and later, and returns failures without the output when that is wanted', async () => {
    const editor = new FakeEditor();
    const answer = call('run_tests', { filter: 'no such', onlyFailures: true, maxChars: 1_000 }, { editor, call: fakeCall() });
    await settled();
    const nothing = { passed: 0, failed: 0, skipped: 7 };
    editor.tests.finish(started(editor), {
      status: 'passed',
      counts: nothing,
      filter: 'no such',
      isByName: true,
      output: 'x'.repeat(5_000),
    });
    const { run, note } = (await answer) as { run: { output?: string }; note: string };
    assert.match(note, /^No test matched the filter "no such"/);
    assert.equal(run.output, undefined);
    const later = (await call('get_test_results', {}, { editor, call: fakeCall() })) as { note: string };
    assert.equal(later.note, note);
    const whole = (await call('get_test_results', { maxChars: 1_000 }, { editor, call: fakeCall() })) as object;
    assert.ok(JSON.stringify(whole).length <= 1_000);
  });

  it('runs nothing when the person denies it', async () => {
    const editor = new FakeEditor();
    const confirm = (): Promise<never> => Promise.reject(new AppError('access.denied', 'Denied.'));
    await assert.rejects(call('run_tests', {}, { editor, call: fakeCall({ confirm }) }), { code: 'access.denied' });
    assert.deepEqual(editor.tests.started, []);
  });

  it('offers a whole session only for what is fully known', async () => {
    const editor = new FakeEditor();
    editor.tests.nextPart = { ...editor.tests.nextPart, chain: { steps: [], unknown: ['npm run $WHICH'] } };
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
    assert.deepEqual(await seen.findRun('a'), runNamed('a', clean));
    assert.deepEqual(seen.listRuns()[0]?.command, 'x [redacted]');
    const { id, ended } = await seen.start(await seen.plan({}), new AbortController().signal);
    tests.finish(id, { output: 'hunter2', status: 'passed' });
    assert.equal((await ended).output, '[redacted]');
    const recorder = seen.begin({ command: 'y', source: 'task' });
    recorder.write('hunter2');
    assert.equal((await recorder.end({ kind: 'exited', exitCode: 0 })).output, '[redacted]');
  });
});

describe('A long output of tests', () => {
  it('is looked through whole, in turns with others, and no cut shows a part of a key', async () => {
    const tests = new FakeTests();
    const visibility = createVisibility({ folders: () => [], neverShown: [], grants: noGrants });
    const keyLines = Array.from({ length: 28 }, (_, index) => `MIIE${String(index).padStart(4, '0')}${'aB3/'.repeat(14)}`);
    const key = ['-----BEGIN RSA PRIVATE KEY-----', ...keyLines, '-----END RSA PRIVATE KEY-----'].map((line) => `  | ${line}`);
    const filler = 'token: see https://example.org/ for the password\n'.repeat(30_000);
    tests.runs = [runNamed('a', { output: `${key.join('\n')}\n${filler}${key.join('\n')}` })];
    const seen = Object.assign(new FakeEditor(), { tests: withholdingTests(tests, visibility) });
    let shown: unknown;
    const block = await longestBlock(async () => {
      const answers = [1_000, 1_500, 2_500, 3_500].map((maxChars) =>
        call('get_test_results', { runId: 'a', maxChars }, { editor: seen, call: fakeCall() }),
      );
      shown = await Promise.all(answers);
    });
    assert.doesNotMatch(JSON.stringify(shown), /MIIE/);
    // In one go it takes four times as long for each of them; a busy machine may stand still by itself.
    assert.ok(block < 250, `blocked for ${block.toFixed(0)} ms`);
  });
});

/** Lets a call get as far as it gets without an answer. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
