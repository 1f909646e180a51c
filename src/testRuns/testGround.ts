import type { Event } from '../base/events.ts';
import type { Disposable } from '../base/lifecycle.ts';
import type { ChainSources, RunChain } from './chain/runChain.ts';
import type { ShellKind } from './filter/filteredLine.ts';
import type { FoundPath } from './filter/selections.ts';
import type { PlaceResolver } from './recordedRun.ts';
import type { ReportFile } from './runStore.ts';
import type { CommandWatch } from './terminalRuns.ts';
import type { RunEnd, TestRun } from './testRun.ts';

/** A folder of the workspace. */
export interface TestFolder {
  /** The name as clients write it, in a workspace of several folders also before paths. */
  readonly name: string;
  /** The absolute path. */
  readonly path: string;
}

/** Something in the workspace that a client or a report names. */
export interface FoundFile extends FoundPath {
  /** The path as clients write it. */
  readonly clientPath: string;
}

/** What says how tests are run in this workspace. */
export interface TestSources extends ChainSources {
  /** The folders of the workspace that are on this machine, in their order. */
  folders(): readonly TestFolder[];
  /** The command that the person set for tests; empty if there is none. */
  command(): string;
  /** The task that somebody wrote down for the tests of a folder, or of the whole workspace, if there is one to choose. */
  findTestTask(folder: string | undefined): Promise<TestTask | undefined>;
  /** Finds a file or folder in the folder by a client's path, or by one that is relative to the folder. */
  findFile(folder: string, path: string): Promise<FoundFile | undefined>;
  /** The names of the files in a folder; the first ones where there are very many, and none where there is no such folder. */
  listFiles(folder: string, path: string): Promise<readonly string[]>;
  /** The first of these programs that is on the person's PATH. */
  findProgram(names: readonly string[]): Promise<string | undefined>;
  /** The first number of the version of Node on the person's PATH. */
  nodeVersion(): Promise<number | undefined>;
  readonly shell: ShellKind;
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

/** Which tests a client wants to run. */
export interface TestRequest {
  /** The name of a folder; all of them without it. */
  readonly folder?: string | undefined;
  /** The path or the name of tests, as results report them. */
  readonly filter?: string | undefined;
  /** A file that must be there. */
  readonly file?: string | undefined;
  /** Whether a file exists for the client; one that does not is no path. */
  readonly isShown?: ((clientPath: string) => boolean) | undefined;
}

/** Exactly what would run, in the order in which it would. */
export interface TestPlan<Part extends TestPart = TestPart> {
  readonly request: TestRequest;
  /** What runs in each folder; at least one. */
  readonly parts: readonly Part[];
  /** The folders in which nothing runs: nothing says how, or the filter cannot be applied to what runs there. */
  readonly left: readonly { readonly folder: string; readonly why: 'nothingToRun' | 'filter' }[];
}

/** What would run in one folder, as a person is shown it. */
export interface TestPart {
  readonly commandLine: string;
  /** For a task, everything that decides what it runs. */
  readonly definition?: string | undefined;
  /** The folder it runs in, as an absolute path. */
  readonly cwd: string;
  /** The scripts that run with it, and what cannot be known of it. */
  readonly chain: RunChain;
}

export type ProcessLaunch = {
  /** Whether programs of the packages in this folder and those above come before those of the machine. */
  readonly usesPackages?: boolean | undefined;
} & (
  | { readonly kind: 'program'; readonly program: string; readonly args: readonly string[] }
  /** The command line is run as it is, in the system's shell. */
  | { readonly kind: 'shell'; readonly commandLine: string }
);

export interface PlannedPart extends TestPart {
  readonly folder: TestFolder;
  /** Whether a filter chose tests by their names. */
  readonly selectsNames?: boolean | undefined;
  readonly launch: ProcessLaunch | { readonly kind: 'task'; readonly task: DescribedTask };
}

export interface ProcessPlan extends TestPart {
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
