import type { TestCounts } from './parsers/report.ts';

/** The states of a run. These words are published: additive only. */
export const runStatuses = ['running', 'passed', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof runStatuses)[number];

/** How Duplex came to know of a run. These words are published: additive only. */
export const runSources = ['runTests', 'task', 'terminal', 'report'] as const;
export type RunSource = (typeof runSources)[number];

export interface TestFailure {
  readonly name: string;
  readonly message: string;
  /** The path as clients write it; left out when the output did not say it. */
  readonly path?: string | undefined;
  /** The line, from 1. */
  readonly line?: number | undefined;
}

/** One run of tests, or of a task, as it is known now. */
export interface TestRun {
  readonly id: string;
  readonly command: string;
  readonly source: RunSource;
  readonly status: RunStatus;
  /** The exit code; left out while the run goes on, when it was cancelled, and for reports. */
  readonly exitCode?: number | undefined;
  /** The start of the run in ISO 8601. */
  readonly startedAt: string;
  /** The duration; while the run goes on, so far. */
  readonly durationMs: number;
  /** The counts; left out when the output is of no known form, because nothing is guessed. */
  readonly counts?: TestCounts | undefined;
  /** The failures; only the first ones when there are very many. */
  readonly failures: readonly TestFailure[];
  /** Which tests were wanted, as the client said it; left out when all were. */
  readonly filter?: string | undefined;
  /** Whether the filter names tests, rather than their file: programs count those that it leaves out as skipped. */
  readonly isByName?: boolean | undefined;
  /** How the tests of each folder went; left out for a run in one folder. */
  readonly folders?: readonly FolderRun[] | undefined;
  /** The output without ANSI codes. The middle of a long one is left out, and a note in it says so. */
  readonly output: string;
}

/** How the tests of one folder went, in a run of several. */
export interface FolderRun extends Pick<TestRun, 'command' | 'status' | 'exitCode' | 'counts'> {
  /** The name of the folder, which stands before the paths of its failures. */
  readonly folder: string;
}

/** The part of a run that names it in a list. */
export type RunSummary = Pick<TestRun, 'id' | 'command' | 'source' | 'status' | 'startedAt' | 'counts'>;

export interface RunStart {
  /** The command line as a person would type it, or the name of a task. */
  readonly command: string;
  readonly source: RunSource;
  /** The absolute path of the folder that relative paths in the output start from. */
  readonly cwd?: string | undefined;
  /** The start in ms since 1970; now if left out. */
  readonly startedAt?: number | undefined;
  /** Which tests were wanted, and whether they were named, rather than their file. */
  readonly filter?: { readonly text: string; readonly isName: boolean } | undefined;
  /** Whether a task is one of tests, and so may be the latest result. */
  readonly isTest?: boolean | undefined;
}

export type RunEnd =
  | {
      readonly kind: 'exited';
      readonly exitCode: number | undefined;
      /** Whether the text is kept that the results were read from; it is unless this says otherwise. */
      readonly keepsOutput?: boolean | undefined;
      /** Whether the output that was written is only a part of it. */
      readonly isCut?: boolean | undefined;
    }
  | { readonly kind: 'cancelled' }
  /** The run never began; the reason becomes part of the output. */
  | { readonly kind: 'failedToStart'; readonly reason: string };

/** Writes one run into the history while it happens. */
export interface RunRecorder {
  readonly id: string;
  /** Adds output as it comes, ANSI codes and all. */
  write(text: string): void;
  /** Ends the run; later calls change nothing. */
  end(end: RunEnd): Promise<TestRun>;
}

/** Whether a run that has ended ran none of the tests that were wanted, as far as the test program says. */
export function hasMatchedNothing({ filter, isByName = false, status, counts, failures, output }: TestRun): boolean {
  if (filter === undefined || status === 'running' || status === 'cancelled' || failures.length > 0) {
    return false;
  }
  if (counts !== undefined) {
    return counts.passed + counts.failed === 0 && (isByName || counts.skipped === 0);
  }
  const ofGo = output.split('\n').filter((line) => /^ok\s/.test(line));
  const isNothing = ofGo.length > 0 && ofGo.every((line) => line.includes('[no tests to run]'));
  return isNothing || /^No (?:tests|test files) found/m.test(output);
}
