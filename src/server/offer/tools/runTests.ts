import * as z from 'zod';
import type { TestRun } from '../../../testRuns/testRun.ts';
import type { StartedTests, TestPlan } from '../../../testRuns/testPlan.ts';
import { runsAnything } from './actingShapes.ts';
import { findRun } from './getTestResults.ts';
import { follow } from './longWork.ts';
import { describeRun, testRun } from './testRunShape.ts';
import { defineTool, type EditorCall } from './tool.ts';
import { confirmRun, unsavedOutput } from './unsavedText.ts';

export const runTests = defineTool({
  name: 'run_tests',
  title: 'Run Tests',
  description:
    'Runs the tests of the workspace after the person saw the exact command and agreed, and returns counts and each failure with message, file and line. What runs: duplex.tests.command, else the test task, else the test script of package.json. With wait false, or when it takes long and no progress was asked for, the run comes back with status "running": read it again with get_test_results or subscribe to tests://runs/{id}.',
  input: z.strictObject({
    filter: z
      .string()
      .min(1)
      .max(1_000)
      .optional()
      .describe('Handed to the test runner as it is: a file, or a name, as the runner understands it'),
    wait: z.boolean().default(true).describe('False returns at once; the tests go on'),
  }),
  output: z.object({ run: testRun, ...unsavedOutput, note: z.string().optional() }),
  annotations: runsAnything,
  role: 'runner',
  acts: true,
  asks: 'call',
  taskSupport: 'optional',
  call: async ({ filter, wait }, context) => {
    const plan = await context.editor.tests.plan(filter);
    const { commandLine, definition, chain, cwd } = plan;
    const what = { kind: 'script', commandLine, ...(definition !== undefined && { definition }), chain, cwd } as const;
    const beforeRun = await confirmRun({ tool: 'run_tests', role: 'runner', what, offersSession: chain.unknown.length === 0 }, context);
    return { run: describeRun(await run(plan, wait, context), true), ...beforeRun };
  },
});

async function run(plan: TestPlan, wait: boolean, { editor, call }: EditorCall): Promise<TestRun> {
  const started = await editor.tests.start(plan);
  if (!wait) {
    return findRun(editor.tests, started.id);
  }
  await follow(call, {
    ended: started.ended,
    stop: () => started.cancel(),
    get message() {
      return progressOf(editor.tests.findRun(started.id), started);
    },
  });
  // Read again: what the client sees of it is filtered on the way.
  return findRun(editor.tests, started.id);
}

function progressOf(run: TestRun | undefined, { id }: StartedTests): string {
  if (run?.counts === undefined) {
    return `The tests are running (${id}).`;
  }
  const { passed, failed, skipped } = run.counts;
  return `The tests are running: ${passed} passed, ${failed} failed, ${skipped} skipped.`;
}
