import * as z from 'zod';
import { clientError } from '../../errors/clientErrors.ts';
import type { TestRun } from '../../../testRuns/testRun.ts';
import type { TestsPort } from '../../seen/ports/testsPort.ts';
import { describeRun, testRun } from './testRunShape.ts';
import { defineTool, looksOnly } from './tool.ts';

const noRuns =
  'No tests have run in this window yet. Call run_tests; Duplex also sees test commands in terminals with shell integration and the report files named in duplex.tests.reports.';

export const getTestResults = defineTool({
  name: 'get_test_results',
  title: 'Get Test Results',
  description:
    'Returns a run of tests: its status, its counts, and each failure with message, file and line. Without a runId the latest, whoever started it: run_tests, a task, a person in a terminal, or a program that wrote a report file.',
  input: z.strictObject({
    runId: z.string().max(200).optional().describe('As run_tests or run_task gave it; the latest run if left out'),
    onlyFailures: z.boolean().default(false).describe('Leaves the raw output out'),
  }),
  output: z.object({
    run: testRun.optional().describe('Left out when no tests have run yet'),
    note: z.string().optional().describe('Why there is nothing'),
  }),
  annotations: looksOnly,
  role: 'reader',
  call: ({ runId, onlyFailures }, { editor }) => {
    const run = runId === undefined ? editor.tests.findRun(undefined) : findRun(editor.tests, runId);
    return run === undefined ? { note: noRuns } : { run: describeRun(run, !onlyFailures) };
  },
});

/** Throws what an unknown resource is answered with. */
export function findRun(tests: TestsPort, id: string): TestRun {
  const run = tests.findRun(id);
  if (run === undefined) {
    throw clientError('server.testRunNotFound', { path: id });
  }
  return run;
}
