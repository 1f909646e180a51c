import type { Event } from '../base/events.ts';
import type { ChainSources } from './chain/runChain.ts';
import type { PlaceResolver } from './recordedRun.ts';
import type { ReportFile } from './runStore.ts';
import type { CommandWatch } from './terminalRuns.ts';
import type { ProcessPlan } from './testPlan.ts';
import type { TestTask, TestWork } from './testTask.ts';

/** What says how tests are run in this workspace. */
export interface TestSources extends ChainSources {
  /** Absolute, in the workspace's order. */
  folders(): readonly string[];
  /** What the person set; empty if nothing. */
  command(): string;
  /** The task that somebody wrote down for tests, if there is one to choose. */
  findTestTask(): Promise<TestTask | undefined>;
  /** Which of these files are in the folder. */
  filesIn(folder: string, names: readonly string[]): Promise<ReadonlySet<string>>;
}

/** Reports that the settings name. */
export interface ReportSource {
  /** Reports that were written together. */
  readonly onDidWrite: Event<readonly ReportFile[]>;
  writtenSince(time: number): Promise<readonly ReportFile[]>;
}

/** All that running tests needs of the editor and of this machine. */
export interface TestGround {
  readonly sources: TestSources;
  readonly reports: ReportSource;
  readonly terminals: CommandWatch;
  readonly resolvePlace: PlaceResolver;
  /** Resolves when a process can start at once: what would run is looked at only then, so that nothing changes in between. */
  readyToStart(): Promise<void>;
  startProcess(plan: ProcessPlan, onOutput: (text: string) => void): Promise<TestWork>;
}
