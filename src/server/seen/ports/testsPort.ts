import type { Event } from '../../../base/events.ts';
import type { StartedTests, TestPlan, TestRequest } from '../../../testRuns/testGround.ts';
import type { RunRecorder, RunStart, RunSummary, TestRun } from '../../../testRuns/testRun.ts';

/** All runs of tests, whether they were started by `run_tests`, as a task or in a terminal, or are known from a report file. */
export interface TestsPort {
  /** The last runs, newest first. */
  listRuns(): readonly RunSummary[];
  /** Finds a run by its id; without an id the newest one. What a run wrote can be long: a client's view of it takes a while. */
  findRun(id: string | undefined): TestRun | undefined | Promise<TestRun | undefined>;
  /** The id of the newest run. */
  latestId(): string | undefined;
  /** Fires with a run's id when it appears, and when its status or counts change. */
  readonly onDidChangeRun: Event<string>;
  /** Fires when a run is added to `listRuns` or removed from it. */
  readonly onDidChangeRuns: Event<void>;
  /**
   * Says what `run_tests` would run now. Rejects with `tests.nothingToRun` if the workspace says nothing about tests, and with
   * `tests.cannotFilter` if it is not known how to run only those that the filter names.
   */
  plan(request: TestRequest): Promise<TestPlan>;
  /**
   * Runs exactly this plan; rejects with `tests.planChanged` if the workspace would run something else by now. Nothing is started
   * once `signal` has fired.
   */
  start(plan: TestPlan, signal: AbortSignal): Promise<StartedTests>;
  /** Records a run that something else carries out, such as a task. Its status can then be read at `tests://runs/{id}`. */
  begin(start: RunStart): RunRecorder;
}
