import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mock } from 'node:test';
import { failure } from '../../../src/testRuns/parsers/report.ts';
import type { ReportReading } from '../../../src/testRuns/parsers/parseReport.ts';
import { type ReportFile, RunStore, type RunStoreOptions } from '../../../src/testRuns/runStore.ts';
import { hasMatchedNothing, type TestRun } from '../../../src/testRuns/testRun.ts';

const fixtures = join(import.meta.dirname, '../../fixtures/reports');
const tap = readFileSync(join(fixtures, 'node20.tap'), 'utf8');
const junit = readFileSync(join(fixtures, 'surefire.junit.xml'), 'utf8');
const start = Date.UTC(2026, 0, 2, 3, 4, 5);

describe('The history of test runs', () => {
  let now = start;
  const stores: RunStore[] = [];

  function storeWith(options: Partial<RunStoreOptions> = {}): RunStore {
    const resolvePlace: RunStoreOptions['resolvePlace'] = (file) => /^file:\/\/\/projects\/till\/(.*)$/.exec(file)?.[1];
    const store = new RunStore({ resolvePlace, now: () => now, lookMs: 1, ...options });
    stores.push(store);
    return store;
  }

  beforeEach(() => {
    now = start;
  });

  afterEach(() => {
    stores.splice(0).forEach((store) => store.dispose());
  });

  it('a run is readable while it runs and afterwards, with files and lines as clients write them', async () => {
    const store = storeWith();
    const recorder = store.begin({ command: 'npm test', source: 'runTests', cwd: '/projects/till' });
    assert.deepEqual(store.find(recorder.id), {
      id: recorder.id,
      command: 'npm test',
      source: 'runTests',
      status: 'running',
      startedAt: '2026-01-02T03:04:05.000Z',
      durationMs: 0,
      failures: [],
      output: '',
    });
    recorder.write(tap);
    now += 1_234;
    const ended = await recorder.end({ kind: 'exited', exitCode: 1 });
    assert.deepEqual(ended, store.find(recorder.id));
    assert.deepEqual(
      { ...ended, output: '', failures: ended.failures.map(({ name, path, line }) => [name, path, line]) },
      {
        id: recorder.id,
        command: 'npm test',
        source: 'runTests',
        status: 'failed',
        exitCode: 1,
        startedAt: '2026-01-02T03:04:05.000Z',
        durationMs: 1_234,
        counts: { passed: 1, failed: 2, skipped: 1 },
        failures: [
          ['the till > gives every third piece for free', 't/cart.node.mjs', 11],
          ['the till > with a broken price > refuses it', 'src/cart.mjs', 1],
        ],
        output: '',
      },
    );
    assert.equal(ended.output, tap);
  });

  it('a place that is not in the workspace leaves the failure without one', async () => {
    const store = storeWith({ resolvePlace: () => undefined });
    const recorder = store.begin({ command: 'npm test', source: 'runTests' });
    recorder.write(tap);
    assert.deepEqual(
      (await recorder.end({ kind: 'exited', exitCode: 1 })).failures.map(({ path, line }) => [path, line]),
      [
        [undefined, undefined],
        [undefined, undefined],
      ],
    );
  });

  it('escape codes are gone wherever the output was cut into pieces', async () => {
    const store = storeWith();
    const recorder = store.begin({ command: 'npm test', source: 'runTests' });
    for (const character of '\u001B[31mred\u001B[0m text\r\n 10%\r100%\n\u001B]0;title\u0007end') {
      recorder.write(character);
    }
    assert.equal((await recorder.end({ kind: 'exited', exitCode: 0 })).output, 'red text\n100%\nend');
  });

  it('a long output keeps its beginning and its end, and says how much is missing', async () => {
    const store = storeWith();
    const recorder = store.begin({ command: 'npm test', source: 'runTests' });
    recorder.write('first line\n');
    for (let piece = 0; piece < 1_000; piece += 1) {
      recorder.write(`${'x'.repeat(9_999)}\n`);
    }
    recorder.write('ℹ pass 7\nℹ fail 0\nℹ duration_ms 5\nlast line\n');
    const { output, counts } = await recorder.end({ kind: 'exited', exitCode: 0 });
    assert.match(output, /^first line\n/);
    assert.match(output, /\n\[… \d+ characters left out …\]\n/);
    assert.match(output, /last line\n$/);
    assert.ok(output.length < 300_000);
    assert.deepEqual(counts, { passed: 7, failed: 0, skipped: 0 }, 'a summary at the end counts');
  });

  it('a long output shows no line of which a part is missing, however long it is', async () => {
    const recorder = storeWith().begin({ command: 'npm test', source: 'runTests' });
    recorder.write('first line\n');
    for (let piece = 0; piece < 600; piece += 1) {
      recorder.write('s'.repeat(10_000));
    }
    recorder.write('rest of the secret\nlast line\n');
    const { output } = await recorder.end({ kind: 'exited', exitCode: 0 });
    assert.match(output, /^first line\n\n\[… \d+ characters left out …\]\nlast line\n$/);
  });

  it('a long message of a failure ends with a whole word', () => {
    const { message } = failure('name', `${'word '.repeat(799)}${'s'.repeat(100)}`, []);
    assert.match(message, /^(?:word )+word…$/);
    assert.equal(failure('name', 's'.repeat(5_000), []).message, '…');
  });

  it('what adds up from a part is not counted (release)', async () => {
    const store = storeWith();
    const recorder = store.begin({ command: 'prove', source: 'runTests' });
    recorder.write('TAP version 13\nok 1 - a\n');
    recorder.write('noise\n'.repeat(1_000_000));
    recorder.write('ok 2 - b\n1..2\n');
    assert.equal((await recorder.end({ kind: 'exited', exitCode: 0 })).counts, undefined);
  });

  it('the status follows the results, then the exit code', async () => {
    const store = storeWith();
    const endOf = async (output: string, exitCode: number | undefined): Promise<TestRun['status']> => {
      const recorder = store.begin({ command: 'x', source: 'runTests' });
      recorder.write(output);
      return (await recorder.end({ kind: 'exited', exitCode })).status;
    };
    const good = 'TAP version 13\nok 1 - a\n1..1\n';
    const bad = 'TAP version 13\nnot ok 1 - a\n1..1\n';
    assert.deepEqual(
      await Promise.all([
        endOf(good, 0),
        endOf(good, undefined),
        endOf(good, 1),
        endOf(bad, 0),
        endOf('?', 0),
        endOf('?', 2),
        endOf('?', undefined),
      ]),
      ['passed', 'passed', 'failed', 'failed', 'passed', 'failed', 'cancelled'],
    );
  });

  it('a cancelled run and one that never started say so', async () => {
    const store = storeWith();
    const cancelled = await store.begin({ command: 'x', source: 'runTests' }).end({ kind: 'cancelled' });
    const failed = await store.begin({ command: 'x', source: 'runTests' }).end({ kind: 'failedToStart', reason: 'There is no npm.' });
    assert.deepEqual([cancelled.status, failed.status, failed.output], ['cancelled', 'failed', 'There is no npm.\n']);
  });

  it('a change of status or counts is told, output alone is not', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const store = storeWith({ lookMs: 500 });
    const changes: string[] = [];
    const listening = store.onDidChangeRun((id) => changes.push(`${store.find(id)?.status} ${JSON.stringify(store.find(id)?.counts)}`));
    const recorder = store.begin({ command: 'x', source: 'runTests' });
    recorder.write('some words\n');
    mock.timers.tick(500);
    recorder.write('ℹ pass 1\nℹ fail 0\nℹ duration_ms 5\n');
    mock.timers.tick(500);
    recorder.write('more words\n');
    await recorder.end({ kind: 'exited', exitCode: 0 });
    await recorder.end({ kind: 'cancelled' });
    listening.dispose();
    mock.timers.reset();
    const counts = '{"passed":1,"failed":0,"skipped":0}';
    assert.deepEqual(changes, ['running undefined', `running ${counts}`, `passed ${counts}`]);
  });

  it('the last runs are kept, and those that still run however old', () => {
    const store = storeWith({ historySize: 3 });
    const endless = store.begin({ command: 'endless', source: 'runTests' });
    for (let count = 1; count <= 5; count += 1) {
      void store.begin({ command: `run ${count}`, source: 'runTests' }).end({ kind: 'exited', exitCode: 0 });
    }
    assert.deepEqual(
      store.list().map(({ command }) => command),
      ['run 5', 'run 4', 'run 3', 'endless'],
    );
    assert.equal(store.find(endless.id)?.status, 'running');
  });

  it('a build is not the latest test result, a task with results is', async () => {
    const store = storeWith();
    await store.begin({ command: 'npm test', source: 'runTests' }).end({ kind: 'exited', exitCode: 0 });
    await store.begin({ command: 'build', source: 'task' }).end({ kind: 'exited', exitCode: 0 });
    assert.equal(store.latest()?.command, 'npm test');
    assert.equal(store.latestId(), store.latest()?.id);
    store.begin({ command: 'test task', source: 'task', isTest: true });
    assert.equal(store.latest()?.command, 'test task');
    assert.equal(store.latestId(), store.latest()?.id);
  });

  it('a file whose tests are all skipped is no filter that matched nothing; by a name, what it leaves out is skipped', async () => {
    const store = storeWith();
    const endOf = async (isName: boolean, skipped: number): Promise<boolean> => {
      const recorder = store.begin({ command: 'vitest', source: 'runTests', filter: { text: 'x', isName } });
      recorder.write(`ℹ pass 0\nℹ fail 0\nℹ skipped ${skipped}\nℹ duration_ms 5\n`);
      return hasMatchedNothing(await recorder.end({ kind: 'exited', exitCode: 0 }));
    };
    assert.deepEqual([await endOf(false, 2), await endOf(false, 0), await endOf(true, 2)], [false, true, true]);
  });

  it('reports written by a run complete it; they say more than its output', async () => {
    const store = storeWith();
    const recorder = store.begin({ command: 'mvn test', source: 'runTests' });
    recorder.write('BUILD FAILURE\n');
    now += 1_000;
    const files = [
      { path: 'target/a.xml', text: junit, writtenAt: now },
      { path: 'target/b.xml', text: junit, writtenAt: now },
    ];
    await store.addReports(files);
    const run = await recorder.end({ kind: 'exited', exitCode: 1 });
    await store.addReports(files);
    assert.deepEqual(run.counts, { passed: 0, failed: 4, skipped: 2 });
    assert.deepEqual(store.list().length, 1);
  });

  it('reports go to the run that wrote them, where it is known, and else to one of tests, though a task began later', async () => {
    const store = storeWith();
    const [first, second] = ['npm test', 'mvn test'].map((command) => store.begin({ command, source: 'runTests' }));
    const build = store.begin({ command: 'tsc -w', source: 'task' });
    now += 1_000;
    const report = (name: string): readonly ReportFile[] => [{ path: name, text: junit, writtenAt: now }];
    assert.deepEqual(
      [(await store.addReports(report('a.xml'), first?.id))?.id, (await store.addReports(report('b.xml')))?.id],
      [first?.id, second?.id],
    );
    await first?.end({ kind: 'exited', exitCode: 1 });
    await second?.end({ kind: 'exited', exitCode: 1 });
    assert.deepEqual(
      [first?.id, second?.id, build.id].map((id = '') => store.find(id)?.counts?.failed),
      [2, 2, undefined],
    );
    now += 60_000;
    assert.equal((await store.addReports(report('c.xml')))?.id, build.id, 'nothing else ran');
  });

  it('reports that nobody here wrote are one run together', async () => {
    const store = storeWith();
    await store.begin({ command: 'npm test', source: 'runTests' }).end({ kind: 'exited', exitCode: 0 });
    now += 60_000;
    const run = await store.addReports(['a', 'b', 'c', 'd'].map((name) => ({ path: `out/${name}.xml`, text: junit, writtenAt: now })));
    assert.deepEqual(
      [run?.source, run?.status, run?.command, run?.counts, run?.exitCode],
      ['report', 'failed', 'out/a.xml, out/b.xml, out/c.xml and 1 more reports', { passed: 0, failed: 8, skipped: 4 }, undefined],
    );
    assert.equal(store.latest()?.id, run?.id);
  });

  it('a file that is no report is no run', async () => {
    const store = storeWith();
    assert.equal(await store.addReports([{ path: 'out/a.xml', text: '<html/>', writtenAt: now }]), undefined);
    assert.deepEqual(store.list(), []);
  });

  it('results are kept without the output when the output is not for everybody', async () => {
    const store = storeWith();
    const recorder = store.begin({ command: 'npm test; cat notes', source: 'terminal' });
    recorder.write(tap);
    const run = await recorder.end({ kind: 'exited', exitCode: 1, keepsOutput: false });
    assert.deepEqual([run.output, run.counts], ['', { passed: 1, failed: 2, skipped: 1 }]);
  });

  it('a long output is read elsewhere, and the run goes on until it is', async () => {
    const asked: number[] = [];
    let finishReading: (reading: ReportReading) => void = () => undefined;
    const reading = new Promise<ReportReading>((resolve) => (finishReading = resolve));
    const store = storeWith({
      readLarge: ({ text }) => {
        asked.push(text.length);
        return reading;
      },
    });
    const recorder = store.begin({ command: 'npm test', source: 'runTests' });
    recorder.write('x\n'.repeat(200_000));
    const ended = recorder.end({ kind: 'exited', exitCode: 0 });
    assert.deepEqual([asked, store.find(recorder.id)?.status], [[400_000], 'running']);
    const counts = { passed: 3, failed: 0, skipped: 0 };
    finishReading({ kind: 'read', report: { format: 'tap', counts, failures: [] } });
    const run = await ended;
    assert.deepEqual([run.status, run.counts], ['passed', counts]);
  });

  it('an output whose reading was given up says so and keeps its exit code', async () => {
    const store = storeWith({ readLarge: () => Promise.resolve({ kind: 'gaveUp', reason: 'took longer than 5 s' }) });
    const recorder = store.begin({ command: 'npm test', source: 'runTests' });
    recorder.write('x\n'.repeat(200_000));
    const run = await recorder.end({ kind: 'exited', exitCode: 1 });
    assert.deepEqual([run.status, run.counts], ['failed', undefined]);
    assert.match(run.output, /\[no results: reading this output was given up, it took longer than 5 s\]\n$/);
  });

  it('a large report is read elsewhere, a short one at once', async () => {
    const lengths: number[] = [];
    const store = storeWith({
      readLarge: ({ text }) => {
        lengths.push(text.length);
        return Promise.resolve({ kind: 'gaveUp', reason: 'is too large' });
      },
    });
    const large = `${junit}${' '.repeat(300_000)}`;
    const files = [junit, large].map((text, index) => ({ path: `out/${index}.xml`, text, writtenAt: now }));
    const run = await store.addReports(files);
    assert.deepEqual([run?.command, lengths], ['out/0.xml', [large.length]]);
  });
});
