import type { TestRun } from '../../../testRuns/testRun.ts';
import { pathToUri } from '../resources/pathTemplate.ts';
import type { EditorCall } from '../tools/tool.ts';
import { hasCode } from '../../../base/errors.ts';
import { completeTyped } from './arguments.ts';
import { say, type EditorPrompt, type PromptPart } from './editorPrompt.ts';
import { embed, embedIfText } from './embed.ts';

export const triageTestFailure: EditorPrompt = {
  name: 'triage_test_failure',
  title: 'Triage Test Failure',
  description: 'Finds out why tests failed in the last run, or in another one.',
  arguments: [
    {
      name: 'runId',
      description: 'The run; the last one if left out',
      complete: ({ argument }, { editor }) =>
        completeTyped(
          editor.tests.listRuns().map(({ id }) => id),
          argument.value,
        ),
    },
    {
      name: 'test',
      description: 'The name of one failing test; all of them if left out',
      complete: ({ argument, context }, { editor }) => completeTyped(failuresOf(editor.tests.findRun(context.runId)), argument.value),
    },
  ],
  compose: async ({ runId = '', test = '' }, context) => {
    const run = context.editor.tests.findRun(runId === '' ? undefined : runId);
    if (run === undefined) {
      const which = runId === '' ? 'There is no test run yet.' : `There is no test run "${runId}".`;
      return [say(which, 'Run the tests with run_tests, then find out why those that fail do so.')];
    }
    const task = say(
      test === '' ? 'Find out why the tests below failed.' : `Find out why the test "${test}" failed.`,
      'For each: what was expected, what happened, and the cause. Say whether the test or the code is wrong, and how sure you are.',
      'Read the code under test before you decide. To mend it use propose_edit, then run_tests again.',
      'The run:',
    );
    return [
      task,
      await embed(runId === '' ? 'tests://latest' : `tests://runs/${pathToUri(runId)}`, context),
      ...(await failingFile(run, test, context)),
    ];
  },
};

function failuresOf(run: TestRun | undefined): string[] {
  return run?.failures.map(({ name }) => name) ?? [];
}

/** The file of the first failure that is meant, if it can be read. */
async function failingFile(run: TestRun, test: string, context: EditorCall): Promise<readonly PromptPart[]> {
  const failure = run.failures.find(({ name, path }) => path !== undefined && (test === '' || name === test));
  if (failure?.path === undefined) {
    return [];
  }
  try {
    const line = failure.line === undefined ? '' : `, line ${failure.line}`;
    return [say(`Where "${failure.name}" failed (${failure.path}${line}):`), await embedIfText(failure.path, context)];
  } catch (error) {
    if (hasCode(error, 'editor.pathNotFound')) {
      return [];
    }
    throw error;
  }
}
