import * as z from 'zod';
import type { TestRun } from '../../../testRuns/testRun.ts';
import type { StartedTests, TestPlan } from '../../../testRuns/testGround.ts';
import { answerText, usualChars } from './answers.ts';
import { runsAnything } from './actingShapes.ts';
import { describeRun, findRun, runText, testRun } from './getTestResults.ts';
import { confirmRun, follow, unsavedLines, unsavedOutput } from './runs.ts';
import { defineTool, type EditorCall } from './tool.ts';

export const runTests = defineTool({
  name: 'run_tests',
  title: 'Run Tests',
  description:
    'Runs the tests of the workspace, after the person agreed to the exact command. A run that still has the status "running" is read with get_test_results.',
  input: z.strictObject({
    filter: z.string().min(1).max(1_000).optional().describe('A file or a name, as the test runner understands it'),
    wait: z.boolean().default(true).describe('false: return at once'),
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
    const room = usualChars - JSON.stringify(beforeRun).length;
    return { run: describeRun(await run(plan, wait, context), true, room), ...beforeRun };
  },
  toText: ({ run: described, note, ...before }) => answerText([runText(described), ...unsavedLines(before)], { note }),
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
  // The run is read again through the client's own view, which leaves out what is withheld.
  return findRun(editor.tests, started.id);
}

function progressOf(run: TestRun | undefined, { id }: StartedTests): string {
  if (run?.counts === undefined) {
    return `The tests are running (${id}).`;
  }
  const { passed, failed, skipped } = run.counts;
  return `The tests are running: ${passed} passed, ${failed} failed, ${skipped} skipped.`;
}
