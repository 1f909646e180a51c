import type { RunChain } from './chain/runChain.ts';
import type { TestRun } from './testRun.ts';
import type { DescribedTask } from './testTask.ts';

/** Exactly what would run, as a person is shown it. */
export interface TestPlan {
  readonly commandLine: string;
  /** Of a task: everything that decides what it runs. */
  readonly definition?: string | undefined;
  /** Absolute. */
  readonly cwd: string;
  /** The scripts that run with it, and what of it cannot be known. */
  readonly chain: RunChain;
  readonly filter: string | undefined;
}

export type ProcessLaunch =
  | { readonly kind: 'program'; readonly program: string; readonly args: readonly string[] }
  /** As it is, in the system's shell. */
  | { readonly kind: 'shell'; readonly commandLine: string; readonly args: readonly string[] };

export interface PlannedRun extends TestPlan {
  readonly launch: ProcessLaunch | { readonly kind: 'task'; readonly task: DescribedTask };
}

export interface ProcessPlan extends TestPlan {
  readonly launch: ProcessLaunch;
}

export interface StartedTests {
  readonly id: string;
  /** Never rejects: failure is a state of the run. */
  readonly ended: Promise<TestRun>;
  /** Ends the whole process tree; `ended` follows. */
  cancel(): void;
}
