// testRuns/: how tests are run, and what came of runs, whoever started them: in a terminal, as a task, or by the run_tests tool.
// parsers/ reads results out of output and reports, chain/ finds all that a command runs; testGround.ts is all that is asked of the editor.
import { neverAborted } from '../base/abort.ts';
import { messageOf } from '../base/errors.ts';
import { canonicalJson } from '../base/json.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import { planTests, testRunsError } from './planTests.ts';
import type { ReadReport } from './parsers/parseReport.ts';
import { RunStore, type ReportFile } from './runStore.ts';
import { TerminalRuns } from './terminalRuns.ts';
import type { CombinedRun } from './combinedRun.ts';
import type { PlannedPart, StartedTests, TestGround, TestPlan, TestRequest, TestWork } from './testGround.ts';
import type { RunEnd, RunRecorder, RunStart, RunSummary, TestRun } from './testRun.ts';

/** Runs tests, and knows of those that others run: in a terminal, as a task, or by their reports. */
export class TestRunner implements Disposable {
  readonly #ground: TestGround;
  readonly #log: Log;
  readonly #lifetime = new DisposableStore();
  readonly #store: RunStore;

  readonly onDidChangeRun: RunStore['onDidChangeRun'];
  readonly onDidChangeRuns: RunStore['onDidChangeRuns'];

  /** `readLarge` reads outputs and reports that are too long to be read at once. */
  constructor(ground: TestGround, log: Log, readLarge?: ReadReport) {
    this.#ground = ground;
    this.#log = log;
    this.#store = this.#lifetime.add(new RunStore({ resolvePlace: ground.resolvePlace, readLarge }));
    this.onDidChangeRun = this.#store.onDidChangeRun;
    this.onDidChangeRuns = this.#store.onDidChangeRuns;
    this.#lifetime.add(ground.reports.onDidWrite((files) => void this.#addReports(files)));
    this.#lifetime.add(new TerminalRuns(ground.terminals, this.#store, (startedAt, id) => void this.#addReportsSince(startedAt, id)));
  }

  listRuns(): readonly RunSummary[] {
    return this.#store.list();
  }

  findRun(id: string | undefined): TestRun | undefined {
    return id === undefined ? this.#store.latest() : this.#store.find(id);
  }

  latestId(): string | undefined {
    return this.#store.latestId();
  }

  begin(start: RunStart): RunRecorder {
    return this.#store.begin(start);
  }

  plan(request: TestRequest): Promise<TestPlan<PlannedPart>> {
    return planTests(request, this.#ground.sources);
  }

  async start(plan: TestPlan, signal = neverAborted()): Promise<StartedTests> {
    await this.#ground.readyToStart();
    const now = await this.plan(plan.request);
    if (whatRuns(now) !== whatRuns(plan)) {
      throw testRunsError('tests.planChanged');
    }
    if (this.#lifetime.isDisposed) {
      throw testRunsError('tests.stopped');
    }
    signal.throwIfAborted();
    const cancelling = new AbortController();
    const cancel = (): void => cancelling.abort();
    const [first, ...more] = now.parts;
    if (first !== undefined && more.length === 0) {
      const recorder = this.#store.begin(startOf(first, now.request));
      return { id: recorder.id, ended: this.#run(first, recorder, cancelling.signal), cancel };
    }
    const folders = now.parts.map(({ folder, commandLine }) => ({ folder: folder.name, command: commandLine }));
    const combined = this.#store.beginCombined({ folders, filter: now.request.filter });
    return { id: combined.id, ended: this.#runAll(now, combined, cancelling.signal), cancel };
  }

  /** Runs the tests of one folder after those of another: together they would slow each other down, and may use the same ports. */
  async #runAll({ parts, request }: TestPlan<PlannedPart>, combined: CombinedRun, signal: AbortSignal): Promise<TestRun> {
    for (const part of parts) {
      if (signal.aborted || this.#lifetime.isDisposed) {
        break;
      }
      await this.#run(part, combined.beginNext(startOf(part, request)), signal);
    }
    return combined.finish();
  }

  async #run(part: PlannedPart, recorder: RunRecorder, signal: AbortSignal): Promise<TestRun> {
    const startedAt = Date.now();
    const end = await this.#work(part, recorder, signal).catch((error: unknown): RunEnd => ({
      kind: 'failedToStart',
      reason: messageOf(error),
    }));
    await this.#addReportsSince(startedAt, recorder.id);
    return recorder.end(end);
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  async #work(plan: PlannedPart, recorder: RunRecorder, signal: AbortSignal): Promise<RunEnd> {
    // The tests end with the window, whatever happens.
    const work = this.#lifetime.add(await this.#launch(plan, (text) => recorder.write(text)));
    const cancel = (): void => work.cancel();
    if (signal.aborted) {
      cancel();
    }
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await work.ended;
    } finally {
      signal.removeEventListener('abort', cancel);
      this.#lifetime.release(work);
    }
  }

  #launch(plan: PlannedPart, onOutput: (text: string) => void): Promise<TestWork> {
    const { launch } = plan;
    return launch.kind === 'task' ? launch.task.start(onOutput) : this.#ground.startProcess({ ...plan, launch }, onOutput);
  }

  /** Adds the reports that were written since a run began, which has just ended. */
  async #addReportsSince(time: number, id: string): Promise<void> {
    try {
      const files = await this.#ground.reports.writtenSince(time);
      await this.#addReports(files, id);
    } catch (error) {
      this.#log.warn(`Test reports could not be looked for: ${messageOf(error)}`);
    }
  }

  async #addReports(files: readonly ReportFile[], writerId?: string): Promise<void> {
    try {
      await this.#store.addReports(files, writerId);
    } catch (error) {
      this.#log.warn(`Test reports could not be read: ${messageOf(error)}`);
    }
  }
}

/** All of a plan that the person was shown, as one text to compare. */
function whatRuns({ parts }: TestPlan): string {
  return canonicalJson(parts.map(({ commandLine, definition, cwd, chain }) => ({ commandLine, definition, cwd, chain })));
}

function startOf({ commandLine, cwd, selectsNames }: PlannedPart, { filter }: TestRequest): RunStart {
  const wanted = filter === undefined ? {} : { filter: { text: filter, isName: selectsNames === true } };
  return { command: commandLine, source: 'runTests', cwd, ...wanted };
}
