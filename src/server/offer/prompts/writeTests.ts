import { completeTyped, pathArgument } from './arguments.ts';
import { say, type EditorPrompt, type PromptPart } from './editorPrompt.ts';
import { embed, embedDocument } from './embed.ts';

const frameworks = ['go test', 'jest', 'junit', 'mocha', 'node:test', 'pytest', 'rspec', 'unittest', 'vitest', 'xunit'];

export const writeTests: EditorPrompt = {
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
    say(
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
