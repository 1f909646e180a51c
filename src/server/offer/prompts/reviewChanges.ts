import { completeTyped } from './arguments.ts';
import { say, type EditorPrompt, type PromptPart } from './editorPrompt.ts';
import { embedTool } from './embed.ts';

/** A review wants to see all of it. */
const maxChars = 100_000;

const choices = ['true', 'false'];

export const reviewChanges: EditorPrompt = {
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
    say(
      `Review the ${staged === 'true' ? 'staged ' : staged === 'false' ? 'unstaged ' : ''}changes below as a careful colleague would.`,
      focus === '' ? '' : `Look above all at: ${focus}.`,
      'Report real problems first: wrong behaviour, missing cases, security, lost data; then what is hard to understand. Give path and line for each, and say how to mend it.',
      'Read around a change with read_file and find_references before you judge it. Do not change files unless you are asked to.',
      'The changes as unified diffs:',
    ),
    await embedTool('get_git_changes', { maxChars, ...(staged !== '' && { staged: staged === 'true' }) }, 'git://changes', context),
  ],
};
