import type { Event } from '../../../base/events.ts';
import type { StartedTests, TestPlan } from '../../../testRuns/testGround.ts';
import type { RunRecorder, RunStart, RunSummary, TestRun } from '../../../testRuns/testRun.ts';

/** Runs of tests, however they were started: by `run_tests`, as a task, in a terminal, or known from a report file. */
export interface TestsPort {
  /** The last runs, newest first. */
  listRuns(): readonly RunSummary[];
  /** Without an id the newest run. */
  findRun(id: string | undefined): TestRun | undefined;
  /** Of the newest run. */
  latestId(): string | undefined;
  /** Fires with a run's id when it appears, and when its status or counts change. */
  readonly onDidChangeRun: Event<string>;
  /** Fires when `listRuns` has another set of ids. */
  readonly onDidChangeRuns: Event<void>;
  /** What `run_tests` would run now. Rejects with `tests.nothingToRun` when the workspace says nothing about tests. */
  plan(filter: string | undefined): Promise<TestPlan>;
  /** Runs exactly `plan`; rejects with `tests.planChanged` when the workspace would run something else by now. */
  start(plan: TestPlan): Promise<StartedTests>;
  /** Enters a run that something else carries out: a task. Its status is then readable at `tests://runs/{id}`. */
  begin(start: RunStart): RunRecorder;
}
