import type { Event } from '../base/events.ts';
import type { Disposable } from '../base/lifecycle.ts';
import type { ChainSources, RunChain } from './chain/runChain.ts';
import type { PlaceResolver } from './recordedRun.ts';
import type { ReportFile } from './runStore.ts';
import type { CommandWatch } from './terminalRuns.ts';
import type { RunEnd, TestRun } from './testRun.ts';

/** What says how tests are run in this workspace. */
export interface TestSources extends ChainSources {
  /** The absolute paths of the workspace folders, in their order. */
  folders(): readonly string[];
  /** The command that the person set for tests; empty if there is none. */
  command(): string;
  /** The task that somebody wrote down for tests, if there is one to choose. */
  findTestTask(): Promise<TestTask | undefined>;
  /** Which of these files are in the folder. */
  filesIn(folder: string, names: readonly string[]): Promise<ReadonlySet<string>>;
}

/** The report files that the settings name. */
export interface ReportSource {
  /** Fires with reports that were written together. */
  readonly onDidWrite: Event<readonly ReportFile[]>;
  writtenSince(time: number): Promise<readonly ReportFile[]>;
}

/** All that running tests needs of the editor and of this machine. */
export interface TestGround {
  readonly sources: TestSources;
  readonly reports: ReportSource;
  readonly terminals: CommandWatch;
  readonly resolvePlace: PlaceResolver;
  /**
   * The promise resolves when a process can start at once. What would run is looked at only then, so that nothing changes in
   * between.
   */
  readyToStart(): Promise<void>;
  startProcess(plan: ProcessPlan, onOutput: (text: string) => void): Promise<TestWork>;
}

/** Exactly what would run, as a person is shown it. */
export interface TestPlan {
  readonly commandLine: string;
  /** For a task, everything that decides what it runs. */
  readonly definition?: string | undefined;
  /** The folder it runs in, as an absolute path. */
  readonly cwd: string;
  /** The scripts that run with it, and what cannot be known of it. */
  readonly chain: RunChain;
  readonly filter: string | undefined;
}

export type ProcessLaunch =
  | { readonly kind: 'program'; readonly program: string; readonly args: readonly string[] }
  /** The command line is run as it is, in the system's shell. */
  | { readonly kind: 'shell'; readonly commandLine: string; readonly args: readonly string[] };

export interface PlannedRun extends TestPlan {
  readonly launch: ProcessLaunch | { readonly kind: 'task'; readonly task: DescribedTask };
}

export interface ProcessPlan extends TestPlan {
  readonly launch: ProcessLaunch;
}

export interface StartedTests {
  readonly id: string;
  /** The promise never rejects: failure is a state of the run. */
  readonly ended: Promise<TestRun>;
  /** Ends the whole process tree; `ended` follows. */
  cancel(): void;
}

/** A task that is there to run tests. */
interface TestTask {
  readonly name: string;
  describe(): Promise<DescribedTask>;
}

/** A task with everything that decides what runs. */
export interface DescribedTask {
  readonly name: string;
  readonly definition: string;
  readonly chain: RunChain;
  readonly commandLine?: string | undefined;
  /** The folder it runs in, as an absolute path. */
  readonly cwd?: string | undefined;
  /** Runs exactly this task; rejects when it is defined differently by now. */
  start(onOutput: (text: string) => void): Promise<TestWork>;
}

/** Tests that run and can be stopped; disposing ends them at once. */
export interface TestWork extends Disposable {
  /** The promise never rejects. */
  readonly ended: Promise<RunEnd>;
  cancel(): void;
}
