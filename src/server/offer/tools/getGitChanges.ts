import * as z from 'zod';
import type { GitChange, GitPlace } from '../../seen/ports/workspacePort.ts';
import { invalidCursor, placeCursor, placeInCursor } from '../catalog/cursor.ts';
import { answerText, clip, fitAnswer, nextCursor, note, paged } from './answers.ts';
import { pathUnlessAll, somePath } from './shapes.ts';
import { defineTool, looksOnly } from './tool.ts';

const change = z.object({
  path: z.string(),
  status: z.enum(['added', 'modified', 'deleted', 'renamed', 'copied', 'typeChanged', 'conflicted', 'untracked']),
  diff: z.string().optional().describe('Unified; says so for binary files and where it was cut; left out of a summary'),
  addedLines: z.int().optional().describe('In a summary, unless the file is binary or very large'),
  removedLines: z.int().optional(),
  oldPath: z.string().optional().describe('Of a rename or a copy'),
});

const output = z.object({ changes: z.array(change), note, nextCursor });
type Output = z.input<typeof output>;

export const getGitChanges = defineTool({
  name: 'get_git_changes',
  title: 'Get Git Changes',
  description: 'Returns what changed since the last commit, file by file, untracked files included. Unsaved text is no part of it.',
  input: z.strictObject({
    staged: z.boolean().optional().describe('true: only staged; false: only unstaged; left out: both'),
    path: somePath.optional().describe('Only this file or folder'),
    summary: z.boolean().default(false).describe('Counts of lines instead of diffs'),
    limit: z.int().min(1).max(1_000).default(200).describe('Most files'),
    ...paged,
  }),
  output,
  annotations: looksOnly,
  role: 'reader',
  call: async ({ cursor, path, ...asked }, { editor, call }) => {
    const query = { ...asked, path: pathUnlessAll(path) };
    const mark = [query.staged, query.path, query.summary];
    const after = cursor === undefined ? undefined : toPlace(placeInCursor(cursor, mark));
    const { changes, hasMore, hasRepository } = await editor.workspace.getGitChanges({ ...query, after }, call.signal);
    const build = (shown: readonly GitChange[]): Output => {
      const last = shown.at(-1);
      const goesOn = last !== undefined && (hasMore || shown.length < changes.length);
      const why = shown.length > 0 ? undefined : hasRepository ? nothingChanged(query.path, after) : noRepository;
      return {
        changes: [...shown],
        ...(why !== undefined && { note: why }),
        ...(goesOn && { nextCursor: placeCursor([last.path, last.status], mark) }),
      };
    };
    const room = query.maxChars * 0.8;
    const shortened = changes.map((each) => (each.diff === undefined ? each : { ...each, diff: clip(each.diff, room) }));
    return fitAnswer(shortened, query.maxChars, build, toText);
  },
  toText,
});

const noRepository = 'No folder of the workspace is in a Git repository.';

function nothingChanged(path: string | undefined, after: GitPlace | undefined): string {
  const where = path === undefined ? '' : ` at "${path}"`;
  return after === undefined
    ? `Nothing has changed${where} since the last commit; files that git ignores do not count.`
    : 'There is nothing more.';
}

function toPlace([path, status]: readonly (string | number)[]): GitPlace {
  if (typeof path !== 'string' || typeof status !== 'string') {
    throw invalidCursor();
  }
  return { path, status };
}

function toText({ changes, ...endings }: Output): string {
  return answerText(changes.map(describe), endings);
}

function describe({ path, oldPath, status, diff, addedLines, removedLines }: Output['changes'][number]): string {
  const counts = addedLines === undefined ? '' : ` +${addedLines} -${removedLines ?? 0}`;
  const head = `${status} ${oldPath === undefined ? '' : `${oldPath} → `}${path}${counts}`;
  return diff === undefined || diff === '' ? head : `${head}\n${diff.replace(/\n$/, '')}`;
}
