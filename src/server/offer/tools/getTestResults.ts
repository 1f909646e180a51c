import * as z from 'zod';
import { runSources, runStatuses, type TestRun } from '../../../testRuns/testRun.ts';
import { clientError } from '../../errors/serverErrors.ts';
import type { TestsPort } from '../../seen/ports/testsPort.ts';
import { answerText, clip, cutMiddle, fitItems, indented, marked, maxChars, note, usualChars } from './answers.ts';
import { defineTool, looksOnly } from './tool.ts';

const failure = z.object({
  name: z.string(),
  message: z.string(),
  path: z.string().optional(),
  line: z.int().min(1).optional().describe('1-based'),
});

/** A test run as clients see it. */
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
  moreFailures: z.int().optional().describe('How many more there are: a larger maxChars shows them'),
  output: z.string().optional().describe('What it wrote, without escape codes; the middle of a long output is left out'),
});

const noRuns =
  'No tests have run in this window yet. Call run_tests; Duplex also sees test commands in terminals with shell integration and the report files named in duplex.tests.reports.';

export const getTestResults = defineTool({
  name: 'get_test_results',
  title: 'Get Test Results',
  description: 'Returns a run of tests, whoever started it: status, counts, and each failure with message, file and line.',
  input: z.strictObject({
    runId: z.string().max(200).optional().describe('The latest run if left out'),
    onlyFailures: z.boolean().default(false).describe('Without the output'),
    maxChars,
  }),
  output: z.object({
    run: testRun.optional().describe('Left out when no tests have run yet'),
    note,
  }),
  annotations: looksOnly,
  role: 'reader',
  call: ({ runId, onlyFailures, maxChars: most }, { editor }) => {
    const run = runId === undefined ? editor.tests.findRun(undefined) : findRun(editor.tests, runId);
    return run === undefined ? { note: noRuns } : { run: describeRun(run, !onlyFailures, most) };
  },
  toText: ({ run, note: why }) => answerText(run === undefined ? [] : [runText(run)], { note: why }),
});

/** Finds a run by its id; throws the error that becomes "not found" for a client. */
export function findRun(tests: TestsPort, id: string): TestRun {
  const run = tests.findRun(id);
  if (run === undefined) {
    throw clientError('server.testRunNotFound', { path: id });
  }
  return run;
}

/** Describes a run in at most `most` characters. The whole output that is kept can be read at `tests://runs/{id}/output`. */
export function describeRun(run: TestRun, withOutput: boolean, most = usualChars): z.input<typeof testRun> {
  const { output, failures, ...rest } = { ...run, command: clip(run.command, most / 10) };
  const room = most - 500 - JSON.stringify(rest).length;
  const shown = fitFailures(failures, withOutput ? room * 0.6 : room);
  const more = failures.length - shown.length;
  const left = room - JSON.stringify(shown).length;
  return {
    ...rest,
    failures: shown,
    ...(more > 0 && { moreFailures: more }),
    ...(withOutput && { output: cutMiddle(output, left, `; more is at ${outputUri(run.id)}`) }),
  };
}

/** Shortens the messages of all failures before it leaves a failure out: the beginnings of all say more than a few complete ones. */
function fitFailures(failures: TestRun['failures'], room: number): z.input<typeof failure>[] {
  for (const most of [room / 2, 2_000, 500]) {
    const shown = failures.map((entry) => ({ ...entry, name: clip(entry.name, most), message: clip(entry.message, most) }));
    if (JSON.stringify(shown).length <= room) {
      return shown;
    }
    if (most === 500) {
      return [...fitItems(shown, room, failureText, 0)];
    }
  }
  return [];
}

export function runText(run: z.input<typeof testRun>): string {
  const { id, command, source, status, exitCode, startedAt, durationMs, counts, failures, moreFailures, output } = run;
  const facts = marked(source, exitCode !== undefined && `exit code ${exitCode}`, `started ${startedAt}`, `${durationMs} ms`);
  return [
    `${id} ${status}: ${command} ${facts}`,
    counts === undefined ? undefined : `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`,
    ...failures.map(failureText),
    moreFailures === undefined
      ? undefined
      : `${moreFailures} more failures were left out: get_test_results with a larger maxChars shows more.`,
    output === undefined || output === '' ? undefined : `Output:\n${output}`,
  ]
    .filter((line) => line !== undefined)
    .join('\n');
}

function failureText({ name, message, path, line }: z.input<typeof failure>): string {
  const place = path === undefined ? '' : ` (${path}${line === undefined ? '' : `:${line}`})`;
  return `Failed: ${name}${place}${message === '' ? '' : `\n  ${indented(message)}`}`;
}

export function runUri(id: string): string {
  return `tests://runs/${id}`;
}

export function outputUri(id: string): string {
  return `${runUri(id)}/output`;
}
