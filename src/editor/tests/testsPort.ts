import { AppError, messageOf } from '../../base/errors.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import type { StartedTests, TestPlan, TestsPort } from '../../server/seen/ports/testsPort.ts';
import { RunStore } from '../../testRuns/runStore.ts';
import type { RunEnd, RunRecorder, TestRun } from '../../testRuns/testRun.ts';
import type { SettingsReader } from '../settingsReader.ts';
import { prepareProcess } from './launchTests.ts';
import { resolvePlace } from './placeResolver.ts';
import { planTests, type PlannedRun, type TaskRunner } from './planTests.ts';
import { ReportFiles } from './reportFiles.ts';
import { TerminalRuns, type CommandWatch } from './terminalRuns.ts';
import { TestProcess } from './testProcess.ts';

export interface TestsPortOptions {
  readonly settings: Pick<SettingsReader, 'get' | 'onDidChange'>;
  readonly tasks: TaskRunner;
  readonly terminals: CommandWatch;
  /** Asked only when something may run: it starts the person's shell. */
  readonly loginShellPath: () => Promise<string>;
  readonly log: Log;
}

export function createTestsPort(options: TestsPortOptions): TestsPort & Disposable {
  return new EditorTests(options);
}

/** A thing that runs and can be stopped. */
interface Work {
  readonly ended: Promise<RunEnd>;
  cancel(): void;
}

class EditorTests implements TestsPort, Disposable {
  readonly #options: TestsPortOptions;
  readonly #lifetime = new DisposableStore();
  readonly #store = this.#lifetime.add(new RunStore({ resolvePlace }));
  readonly #reports: ReportFiles;

  readonly onDidChangeRun = this.#store.onDidChangeRun;
  readonly onDidChangeRuns = this.#store.onDidChangeRuns;

  constructor(options: TestsPortOptions) {
    this.#options = options;
    const { settings, terminals, log } = options;
    this.#reports = this.#lifetime.add(
      new ReportFiles({
        globs: () => settings.get('duplex.tests.reports'),
        onDidChangeGlobs: (listener) => settings.onDidChange((affects) => (affects('duplex.tests.reports') ? listener() : undefined)),
        log,
      }),
    );
    this.#lifetime.add(this.#reports.onDidWrite((files) => this.#store.addReports(files)));
    this.#lifetime.add(new TerminalRuns(terminals, this.#store, (startedAt) => void this.#addReportsSince(startedAt)));
  }

  listRuns(): ReturnType<TestsPort['listRuns']> {
    return this.#store.list();
  }

  findRun(id: string | undefined): TestRun | undefined {
    return id === undefined ? this.#store.latest() : this.#store.find(id);
  }

  latestId(): string | undefined {
    return this.#store.latestId();
  }

  begin(start: Parameters<TestsPort['begin']>[0]): RunRecorder {
    return this.#store.begin(start);
  }

  plan(filter: string | undefined): Promise<PlannedRun> {
    const { settings, tasks } = this.#options;
    return planTests(filter, settings.get('duplex.tests.command'), tasks);
  }

  async start(plan: TestPlan): Promise<StartedTests> {
    const now = await this.plan(plan.filter);
    if (now.commandLine !== plan.commandLine || now.script !== plan.script || now.cwd !== plan.cwd) {
      throw new AppError(
        'tests.planChanged',
        'What would run changed while the question was open. Call run_tests again to ask about the new command.',
      );
    }
    if (this.#lifetime.isDisposed) {
      throw new AppError('tests.stopped', 'The window is closing.');
    }
    const recorder = this.#store.begin({ command: now.commandLine, source: 'runTests', cwd: now.cwd });
    const startedAt = Date.now();
    const cancelling = new AbortController();
    const ended = this.#work(now, recorder, cancelling.signal)
      .catch((error: unknown): RunEnd => ({ kind: 'failedToStart', reason: messageOf(error) }))
      .then(async (end) => {
        await this.#addReportsSince(startedAt);
        return recorder.end(end);
      });
    return { id: recorder.id, ended, cancel: () => cancelling.abort() };
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  async #work(plan: PlannedRun, recorder: RunRecorder, signal: AbortSignal): Promise<RunEnd> {
    const write = (text: string): void => recorder.write(text);
    const launched = await this.#launch(plan, write);
    const { work } = launched;
    const cancel = (): void => work.cancel();
    if (signal.aborted) {
      cancel();
    }
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await work.ended;
    } finally {
      signal.removeEventListener('abort', cancel);
      launched.release();
    }
  }

  async #launch(plan: PlannedRun, write: (text: string) => void): Promise<{ readonly work: Work; release(): void }> {
    const { launch } = plan;
    if (launch.kind === 'task') {
      return { work: await this.#startTask(launch.task, write), release: () => undefined };
    }
    const start = await prepareProcess({ ...plan, launch }, await this.#options.loginShellPath());
    // Ends with the window, whatever happens.
    const process = this.#lifetime.add(new TestProcess(start, write));
    return { work: process, release: () => this.#lifetime.release(process) };
  }

  async #startTask(task: Parameters<TaskRunner['startTask']>[0], write: (text: string) => void): Promise<Work> {
    const running = await this.#options.tasks.startTask(task, write);
    const ended = running.ended.then((end): RunEnd =>
      end.wasTerminated ? { kind: 'cancelled' } : { kind: 'exited', exitCode: end.exitCode },
    );
    return { ended, cancel: () => running.terminate() };
  }

  async #addReportsSince(time: number): Promise<void> {
    try {
      const files = await this.#reports.writtenSince(time);
      if (files.length > 0) {
        this.#store.addReports(files);
      }
    } catch (error) {
      this.#options.log.warn(`Test reports could not be looked for: ${messageOf(error)}`);
    }
  }
}
