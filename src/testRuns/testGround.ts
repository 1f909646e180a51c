import type { Event } from '../base/events.ts';
import type { PlaceResolver } from './recordedRun.ts';
import type { ReportFile } from './runStore.ts';
import type { CommandWatch } from './terminalRuns.ts';
import type { ProcessPlan } from './testPlan.ts';
import type { TestTask, TestWork } from './testTask.ts';

/** What says how tests are run in this workspace. */
export interface TestSources {
  /** Absolute, in the workspace's order. */
  folders(): readonly string[];
  /** What the person set; empty if nothing. */
  command(): string;
  /** The task that somebody wrote down for tests, if there is one to choose. */
  findTestTask(): Promise<TestTask | undefined>;
  /** The text of a folder's package.json; `undefined` if there is none that could be one. Rejects when it cannot be read. */
  readManifest(folder: string): Promise<string | undefined>;
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
  startProcess(plan: ProcessPlan, onOutput: (text: string) => void): Promise<TestWork>;
}
