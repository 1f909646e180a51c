import type { Event } from '../../../base/events.ts';
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

/** Exactly what would run, as a person is shown it. */
export interface TestPlan {
  readonly commandLine: string;
  /** The text behind the name: the script in package.json, a task's definition, or the command itself. */
  readonly script: string;
  /** Absolute. */
  readonly cwd: string;
  /** Whether all this really says what runs: a task made by an extension's own code does not. */
  readonly isFullyKnown: boolean;
  readonly filter: string | undefined;
}

export interface StartedTests {
  readonly id: string;
  /** Never rejects: failure is a state of the run. */
  readonly ended: Promise<TestRun>;
  /** Ends the whole process tree; `ended` follows. */
  cancel(): void;
}
