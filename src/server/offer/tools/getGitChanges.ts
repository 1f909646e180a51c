import * as z from 'zod';
import { defineTool, looksOnly } from './tool.ts';

const change = z.object({
  path: z.string(),
  status: z.enum(['added', 'modified', 'deleted', 'renamed', 'copied', 'typeChanged', 'conflicted', 'untracked']),
  diff: z.string().describe('Unified; says so for binary files and where it was cut'),
  oldPath: z.string().optional().describe('Of a rename or a copy'),
});

export const getGitChanges = defineTool({
  name: 'get_git_changes',
  title: 'Get Git Changes',
  description:
    'Returns what changed in the Git repositories of the workspace since the last commit, file by file with a diff, untracked files included. Unsaved text is not part of it.',
  input: z.strictObject({
    staged: z.boolean().optional().describe('true: only what is staged; false: only what is not; left out: both together'),
    path: z.string().min(1).optional().describe('Only this file or folder; a long diff is cut later then'),
  }),
  output: z.object({ changes: z.array(change) }),
  annotations: looksOnly,
  role: 'reader',
  call: async (query, { editor, call }) => ({ changes: [...(await editor.workspace.getGitChanges(query, call.signal))] }),
});
