import type { TestCounts } from './parsers/report.ts';

/** Published words: additive only. */
export const runStatuses = ['running', 'passed', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof runStatuses)[number];

/** How Duplex came to know of a run. Published words: additive only. */
export const runSources = ['runTests', 'task', 'terminal', 'report'] as const;
export type RunSource = (typeof runSources)[number];

export interface TestFailure {
  readonly name: string;
  readonly message: string;
  /** As clients write paths; none when the output did not say. */
  readonly path?: string | undefined;
  /** 1-based. */
  readonly line?: number | undefined;
}

/** One run of tests, or of a task, as it is known now. */
export interface TestRun {
  readonly id: string;
  readonly command: string;
  readonly source: RunSource;
  readonly status: RunStatus;
  /** None while it runs, when it was cancelled, and for reports. */
  readonly exitCode?: number | undefined;
  /** ISO 8601. */
  readonly startedAt: string;
  /** So far, while it runs. */
  readonly durationMs: number;
  /** None when the output is of no known form: nothing is guessed. */
  readonly counts?: TestCounts | undefined;
  /** The first of them, when there are very many. */
  readonly failures: readonly TestFailure[];
  /** Without ANSI codes; the middle of a long output is left out, and said so in it. */
  readonly output: string;
}

/** Enough to name a run in a list. */
export type RunSummary = Pick<TestRun, 'id' | 'command' | 'source' | 'status' | 'startedAt'>;

export interface RunStart {
  /** What a person would type, or the name of a task. */
  readonly command: string;
  readonly source: RunSource;
  /** The folder that relative paths in the output start from, absolute. */
  readonly cwd?: string | undefined;
  /** In milliseconds; now if left out. */
  readonly startedAt?: number | undefined;
  /** For a task: whether it is one of tests, and so may be the latest result. */
  readonly isTest?: boolean | undefined;
}

export type RunEnd =
  | {
      readonly kind: 'exited';
      readonly exitCode: number | undefined;
      /** False: the results are kept, and not the text they were read from. */
      readonly keepsOutput?: boolean | undefined;
      /** The output that was written is only a part of it. */
      readonly isCut?: boolean | undefined;
    }
  | { readonly kind: 'cancelled' }
  /** It never ran; the sentence becomes part of the output. */
  | { readonly kind: 'failedToStart'; readonly reason: string };

/** The hand that writes one run into the history while it happens. */
export interface RunRecorder {
  readonly id: string;
  /** Output as it comes, ANSI codes and all. */
  write(text: string): void;
  /** Once; later calls change nothing. */
  end(end: RunEnd): Promise<TestRun>;
}
