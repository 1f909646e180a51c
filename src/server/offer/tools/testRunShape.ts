import * as z from 'zod';
import { boundText } from '../../../base/boundedText.ts';
import { runSources, runStatuses, type TestRun } from '../../../testRuns/testRun.ts';

const failure = z.object({
  name: z.string(),
  message: z.string(),
  path: z.string().optional(),
  line: z.int().min(1).optional().describe('1-based'),
});

/** A run as clients see it. */
export const testRun = z.object({
  id: z.string().describe('Also readable at tests://runs/{id}'),
  command: z.string(),
  source: z.enum(runSources).describe('Whether run_tests, a task, a terminal or a report file told of it'),
  status: z.enum(runStatuses),
  exitCode: z.int().optional(),
  startedAt: z.string().describe('ISO 8601'),
  durationMs: z.int().min(0),
  counts: z
    .object({ passed: z.int().min(0), failed: z.int().min(0), skipped: z.int().min(0) })
    .optional()
    .describe('Left out when the output is of no known form'),
  failures: z.array(failure),
  output: z.string().optional().describe('What it wrote, without escape codes; the middle of a long output is left out'),
});

/** What fits into one answer; the rest is at `tests://runs/{id}/output`. */
const outputBounds = { head: 4_000, tail: 12_000 };
/** For all messages together; after that only their beginnings. */
const messageBudget = 60_000;
const shortMessage = 200;

export function describeRun(run: TestRun, withOutput: boolean): z.input<typeof testRun> {
  const { output, failures, ...rest } = run;
  return {
    ...rest,
    failures: withinBudget(failures),
    ...(withOutput && { output: boundText(output, outputBounds.head, outputBounds.tail, (leftOut) => pointer(run.id, leftOut)) }),
  };
}

function withinBudget(failures: TestRun['failures']): z.input<typeof failure>[] {
  let left = messageBudget;
  return failures.map((entry) => {
    const isLong = entry.message.length > left;
    const message = isLong && entry.message.length > shortMessage ? `${entry.message.slice(0, shortMessage)}…` : entry.message;
    left = Math.max(0, left - message.length);
    return { ...entry, message };
  });
}

function pointer(id: string, leftOut: number): string {
  return `\n[… ${leftOut} characters left out; more is at ${outputUri(id)} …]\n`;
}

export function runUri(id: string): string {
  return `tests://runs/${id}`;
}

export function outputUri(id: string): string {
  return `${runUri(id)}/output`;
}
