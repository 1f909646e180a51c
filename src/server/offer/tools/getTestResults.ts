import * as z from 'zod';
import { without } from '../../../base/without.ts';
import { hasMatchedNothing, runSources, runStatuses, type TestRun } from '../../../testRuns/testRun.ts';
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

const counts = z.object({ passed: z.int().min(0), failed: z.int().min(0), skipped: z.int().min(0) });

/** A test run as clients see it. */
export const testRun = z.object({
  id: z.string().describe('Also readable at tests://runs/{id}'),
  command: z.string(),
  filter: z.string().optional(),
  source: z.enum(runSources).describe('Whether run_tests, a task, a terminal or a report file told of it'),
  status: z.enum(runStatuses),
  exitCode: z.int().optional(),
  startedAt: z.string().describe('ISO 8601'),
  durationMs: z.int().min(0),
  counts: counts.optional().describe('Left out when the output is of no known form'),
  folders: z
    .array(
      z.object({
        folder: z.string(),
        command: z.string(),
        status: z.enum(runStatuses),
        exitCode: z.int().optional(),
        counts: counts.optional(),
      }),
    )
    .optional()
    .describe('Only where several folders were tested'),
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
  call: async ({ runId, onlyFailures, maxChars: most }, { editor }) => {
    const run = await (runId === undefined ? editor.tests.findRun(undefined) : findRun(editor.tests, runId));
    if (run === undefined) {
      return { note: noRuns };
    }
    const said = noteOn(run);
    return { run: describeRun(run, !onlyFailures, most - (said?.length ?? 0)), ...(said !== undefined && { note: said }) };
  },
  toText: ({ run, note: why }) => answerText(run === undefined ? [] : [runText(run)], { note: why }),
});

/** Says that a filter matched nothing. */
export function noteOn(run: TestRun): string | undefined {
  return hasMatchedNothing(run)
    ? `No test matched the filter ${JSON.stringify(clip(run.filter ?? '', 200))}. It is a path or a whole name as failures have it, with suites before the test as in "suite > test".`
    : undefined;
}

/** Throws the same without reading what the run wrote. */
export function requireRun(tests: TestsPort, id: string): void {
  if (!tests.listRuns().some((run) => run.id === id)) {
    throw clientError('server.testRunNotFound', { path: id });
  }
}

/** Finds a run by its id; throws the error that becomes "not found" for a client. */
export async function findRun(tests: TestsPort, id: string): Promise<TestRun> {
  const run = await tests.findRun(id);
  if (run === undefined) {
    throw clientError('server.testRunNotFound', { path: id });
  }
  return run;
}

/** Describes a run in at most `most` characters. The whole output that is kept can be read at `tests://runs/{id}/output`. */
export function describeRun(run: TestRun, withOutput: boolean, most = usualChars): z.input<typeof testRun> {
  const { output, failures, folders, ...others } = without({ ...run, command: clip(run.command, most / 10) }, 'isByName');
  const parts = folders?.map((each) => ({ ...each, command: clip(each.command, most / 10 / folders.length) }));
  const rest = { ...others, ...(parts !== undefined && { folders: parts }) };
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
  const { id, command, source, status, exitCode, startedAt, durationMs, folders = [], failures, moreFailures, output } = run;
  const facts = marked(source, exitCode !== undefined && `exit code ${exitCode}`, `started ${startedAt}`, `${durationMs} ms`);
  return [
    `${id} ${status}: ${command} ${facts}`,
    countsText(run.counts),
    ...folders.map(
      (each) =>
        `${each.folder} ${each.status}: ${[each.command, countsText(each.counts)].filter(Boolean).join(' (')}${each.counts === undefined ? '' : ')'}`,
    ),
    ...failures.map(failureText),
    moreFailures === undefined
      ? undefined
      : `${moreFailures} more failures were left out: get_test_results with a larger maxChars shows more.`,
    output === undefined || output === '' ? undefined : `Output:\n${output}`,
  ]
    .filter((line) => line !== undefined)
    .join('\n');
}

function countsText(known: z.input<typeof counts> | undefined): string | undefined {
  return known === undefined ? undefined : `${known.passed} passed, ${known.failed} failed, ${known.skipped} skipped`;
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
