import * as z from 'zod';
import { clientError } from '../../errors/clientErrors.ts';
import type { TestRun } from '../../../testRuns/testRun.ts';
import type { TestsPort } from '../../seen/ports/testsPort.ts';
import { maxChars, note } from './budget.ts';
import { describeRun, runText, testRun } from './testRunShape.ts';
import { answerText } from './texts.ts';
import { defineTool, looksOnly } from './tool.ts';

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

/** Throws what an unknown resource is answered with. */
export function findRun(tests: TestsPort, id: string): TestRun {
  const run = tests.findRun(id);
  if (run === undefined) {
    throw clientError('server.testRunNotFound', { path: id });
  }
  return run;
}
