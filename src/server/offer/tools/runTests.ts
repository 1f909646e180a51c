import * as z from 'zod';
import type { TestRun } from '../../../testRuns/testRun.ts';
import type { StartedTests, TestPlan } from '../../../testRuns/testGround.ts';
import { answerText, maxChars } from './answers.ts';
import { runsAnything } from './actingShapes.ts';
import { describeRun, findRun, noteOn, runText, testRun } from './getTestResults.ts';
import { confirmRun, follow, unsavedLines, unsavedOutput } from './runs.ts';
import { defineTool, type EditorCall } from './tool.ts';

export const runTests = defineTool({
  name: 'run_tests',
  title: 'Run Tests',
  description:
    'Runs the tests of the workspace, after the person agreed to the exact command. Read one that still runs with get_test_results.',
  input: z.strictObject({
    folder: z.string().min(1).max(1_000).optional().describe('Its name; all if left out'),
    filter: z.string().min(1).max(1_000).optional().describe('Path or name of a failure, as results have it'),
    onlyFailures: z.boolean().default(false).describe('Without the output'),
    maxChars,
    wait: z.boolean().default(true).describe('false: return at once'),
  }),
  output: z.object({ run: testRun, ...unsavedOutput, note: z.string().optional() }),
  annotations: runsAnything,
  role: 'runner',
  acts: true,
  asks: 'call',
  taskSupport: 'optional',
  call: async ({ folder, filter, onlyFailures, maxChars: most, wait }, context) => {
    const plan = await context.editor.tests.plan({ folder, filter });
    const [first, ...next] = plan.parts.map(({ commandLine, definition, chain, cwd }) => ({
      commandLine,
      ...(definition !== undefined && { definition }),
      chain,
      cwd,
    }));
    if (first === undefined) {
      throw new Error('A plan has at least one part.');
    }
    const what = { kind: 'script', ...first, ...(next.length > 0 && { next }) } as const;
    const offersSession = plan.parts.every(({ chain }) => chain.unknown.length === 0);
    const { unsaved, note } = await confirmRun({ tool: 'run_tests', role: 'runner', what, offersSession }, context);
    const ended = await run(plan, wait, context);
    const notes = [noteOn(ended), ...leftOut(plan), note].filter((each) => each !== undefined);
    const more = { unsaved, ...(notes.length > 0 && { note: notes.join(' ') }) };
    return { run: describeRun(ended, !onlyFailures, most - JSON.stringify(more).length), ...more };
  },
  toText: ({ run: described, note, ...before }) => answerText([runText(described), ...unsavedLines(before)], { note }),
});

/** Says in which folders nothing ran. */
function leftOut({ left }: TestPlan): readonly string[] {
  const folders = (wanted: TestPlan['left'][number]['why']): string =>
    left
      .filter(({ why }) => why === wanted)
      .map(({ folder }) => folder)
      .join(', ');
  const [untested, unfiltered] = [folders('nothingToRun'), folders('filter')];
  return [
    ...(untested === '' ? [] : [`Nothing says how to run tests in: ${untested}.`]),
    ...(unfiltered === '' ? [] : [`Nothing ran in ${unfiltered}, because the filter could not be applied to what runs there.`]),
  ];
}

async function run(plan: TestPlan, wait: boolean, { editor, call }: EditorCall): Promise<TestRun> {
  const started = await editor.tests.start(plan, call.signal);
  if (!wait && !call.signal.aborted) {
    return findRun(editor.tests, started.id);
  }
  await follow(call, {
    ended: started.ended,
    stop: () => started.cancel(),
    get message() {
      return progressOf(
        editor.tests.listRuns().find(({ id }) => id === started.id),
        started,
      );
    },
  });
  // The run is read again through the client's own view, which leaves out what is withheld.
  return findRun(editor.tests, started.id);
}

function progressOf(run: Pick<TestRun, 'counts'> | undefined, { id }: StartedTests): string {
  if (run?.counts === undefined) {
    return `The tests are running (${id}).`;
  }
  const { passed, failed, skipped } = run.counts;
  return `The tests are running: ${passed} passed, ${failed} failed, ${skipped} skipped.`;
}
