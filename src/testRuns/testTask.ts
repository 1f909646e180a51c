import type { Disposable } from '../base/lifecycle.ts';
import type { RunChain } from './chain/runChain.ts';
import type { RunEnd } from './testRun.ts';

/** A task that is there to run tests. */
export interface TestTask {
  readonly name: string;
  describe(): Promise<DescribedTask>;
}

/** A task with everything that decides what runs. */
export interface DescribedTask {
  readonly name: string;
  readonly definition: string;
  readonly chain: RunChain;
  readonly commandLine?: string | undefined;
  /** Absolute. */
  readonly cwd?: string | undefined;
  /** Runs exactly this; rejects when it is defined differently by now. */
  start(onOutput: (text: string) => void): Promise<TestWork>;
}

/** Tests that run and can be stopped; disposing ends them at once. */
export interface TestWork extends Disposable {
  /** Never rejects. */
  readonly ended: Promise<RunEnd>;
  cancel(): void;
}
