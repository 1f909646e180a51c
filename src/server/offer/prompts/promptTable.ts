// prompts/: ready-made requests that a person picks in their client, with what they need embedded. This file lists them.
import { hasCode } from '../../../base/errors.ts';
import type { TestRun } from '../../../testRuns/testRun.ts';
import type { Completion, CompletionRequest } from '../catalog/catalog.ts';
import { pathToUri } from '../resources/pathTemplate.ts';
import { severity } from '../tools/shapes.ts';
import type { EditorCall } from '../tools/tool.ts';
import { completeTyped, type EditorPrompt, pathArgument, type PromptPart, textPart } from './editorPrompt.ts';
import { embed, embedDocument, embedIfText, embedTool } from './embed.ts';

const fixDiagnostics: EditorPrompt = {
  name: 'fix_diagnostics',
  title: 'Fix Diagnostics',
  description: 'Fixes the problems VS Code reports for one file, or for the whole workspace.',
  arguments: [
    pathArgument('The file to fix; the whole workspace if left out'),
    {
      name: 'severity',
      description: 'The least severity to care about: error, warning, information or hint; warning if left out',
      values: severity.options,
      complete: ({ argument }) => completeTyped(severity.options, argument.value),
    },
  ],
  compose: async ({ path = '', severity: least = '' }, context) => {
    const what = path === '' ? 'the workspace' : path;
    const wanted = { severity: least === '' ? 'warning' : least };
    const task = textPart(
      `Fix the problems of severity "${wanted.severity}" and worse that VS Code reports for ${what}.`,
      'Find the cause of each before you change anything; do not silence a problem with a cast, a disabled rule or a deleted check.',
      'Change files with propose_edit, then call get_diagnostics with waitMs to see that they are gone and that no new ones came.',
      'The problems as they are now (lines and characters count from 1, ends are exclusive):',
    );
    if (path === '') {
      return [task, await embedTool('get_diagnostics', wanted, 'diagnostics://workspace', context)];
    }
    return [
      task,
      await embedTool('get_diagnostics', { ...wanted, path }, `diagnostics://file/${pathToUri(path)}`, context),
      textPart('The file, unsaved changes included:'),
      await embedIfText(path, context),
    ];
  },
};

const explainSelection: EditorPrompt = {
  name: 'explain_selection',
  title: 'Explain Selection',
  description: 'Explains what the person has selected in the editor.',
  arguments: [{ name: 'question', description: 'What they want to know about it; a general explanation if left out' }],
  compose: async ({ question = '' }, context) => {
    const selection = context.editor.documents.getSelection();
    if (selection === undefined) {
      return [textPart('No text editor is open in VS Code. Ask the person to open a file and select what they want explained.')];
    }
    const isEmpty = selection.ranges.every(({ start, end }) => start.line === end.line && start.character === end.character);
    return [
      textPart(
        question === ''
          ? 'Explain the selected code: what it does, why it is written that way as far as one can tell, and what to watch out for.'
          : `Answer this question about the selected code: ${question}`,
        isEmpty ? 'Nothing is selected: the place of the cursor is meant, with what surrounds it.' : '',
        'Look things up with go_to_definition, find_references and get_hover instead of guessing.',
        'The selection (lines and characters count from 1, ends are exclusive):',
      ),
      await embed('editor://selection', context),
      textPart('The file it is in, unsaved changes included:'),
      await embedIfText(selection.path, context),
    ];
  },
};

/** A review needs the whole diff, so it asks for more characters than usual. */
const maxChars = 100_000;

const choices = ['true', 'false'];

const reviewChanges: EditorPrompt = {
  name: 'review_changes',
  title: 'Review Changes',
  description: 'Reviews what changed in Git and is not committed yet.',
  arguments: [
    {
      name: 'staged',
      description: 'true: only staged changes; false: only unstaged ones; both if left out',
      values: choices,
      complete: ({ argument }) => completeTyped(choices, argument.value),
    },
    { name: 'focus', description: 'What to look at above all, for example security or naming' },
  ],
  compose: async ({ staged = '', focus = '' }, context): Promise<readonly PromptPart[]> => [
    textPart(
      `Review the ${staged === 'true' ? 'staged ' : staged === 'false' ? 'unstaged ' : ''}changes below as a careful colleague would.`,
      focus === '' ? '' : `Look above all at: ${focus}.`,
      'Report real problems first: wrong behaviour, missing cases, security, lost data; then what is hard to understand. Give path and line for each, and say how to mend it.',
      'Read around a change with read_file and find_references before you judge it. Do not change files unless you are asked to.',
      'The changes as unified diffs:',
    ),
    await embedTool('get_git_changes', { maxChars, ...(staged !== '' && { staged: staged === 'true' }) }, 'git://changes', context),
  ],
};

const triageTestFailure: EditorPrompt = {
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
      complete: async ({ argument, context }, { editor }) =>
        completeTyped(failuresOf(await editor.tests.findRun(context.runId)), argument.value),
    },
  ],
  compose: async ({ runId = '', test = '' }, context) => {
    const run = await context.editor.tests.findRun(runId === '' ? undefined : runId);
    if (run === undefined) {
      const which = runId === '' ? 'There is no test run yet.' : `There is no test run "${runId}".`;
      return [textPart(which, 'Run the tests with run_tests, then find out why those that fail do so.')];
    }
    const task = textPart(
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

/** Embeds the file of the first failure that is meant, if it can be read. */
async function failingFile(run: TestRun, test: string, context: EditorCall): Promise<readonly PromptPart[]> {
  const failure = run.failures.find(({ name, path }) => path !== undefined && (test === '' || name === test));
  if (failure?.path === undefined) {
    return [];
  }
  try {
    const line = failure.line === undefined ? '' : `, line ${failure.line}`;
    return [textPart(`Where "${failure.name}" failed (${failure.path}${line}):`), await embedIfText(failure.path, context)];
  } catch (error) {
    if (hasCode(error, 'editor.pathNotFound')) {
      return [];
    }
    throw error;
  }
}

const frameworks = ['go test', 'jest', 'junit', 'mocha', 'node:test', 'pytest', 'rspec', 'unittest', 'vitest', 'xunit'];

const writeTests: EditorPrompt = {
  name: 'write_tests',
  title: 'Write Tests',
  description: 'Writes tests for a file, or for what is in the active editor.',
  arguments: [
    pathArgument('The file to test; the active editor if left out'),
    {
      name: 'framework',
      description: 'The test framework; the one the workspace uses if left out',
      complete: ({ argument }) => completeTyped(frameworks, argument.value),
    },
  ],
  compose: async ({ path = '', framework = '' }, context): Promise<readonly PromptPart[]> => [
    textPart(
      `Write tests for ${path === '' ? 'the document in the active editor' : path}.`,
      framework === ''
        ? 'Use the test framework, the folders and the style that this workspace already has: look at its tests with find_files first.'
        : `Use ${framework}, and the folders and the style that this workspace already has.`,
      'Test what callers rely on: the usual case, the edges, and each way to fail. Every test states its outcome in its name and fails if that outcome is not there.',
      'Create or change test files with propose_edit, then run them with run_tests.',
      'The code, unsaved changes included:',
    ),
    path === '' ? await embed('editor://active', context) : await embedDocument(path, context),
  ],
};

/** All prompts. Their names are published: additive only. */
export const prompts: readonly EditorPrompt[] = [fixDiagnostics, explainSelection, reviewChanges, triageTestFailure, writeTests];

export function completeArgument(prompt: string, request: CompletionRequest, context: EditorCall): Promise<Completion> | Completion {
  const argument = prompts.find(({ name }) => name === prompt)?.arguments.find(({ name }) => name === request.argument.name);
  return argument?.complete?.(request, context) ?? { values: [] };
}
