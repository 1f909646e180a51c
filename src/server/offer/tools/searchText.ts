import * as z from 'zod';
import type { TextPlace } from '../../seen/ports/workspacePort.ts';
import { invalidCursor } from '../catalog/cursor.ts';
import { placeCursor, placeOf } from './placeCursor.ts';
import { glob, nextCursor, paging } from './searchShapes.ts';
import { defineTool, looksOnly } from './tool.ts';

const match = z.object({
  path: z.string(),
  line: z.int().min(1).describe('1-based'),
  character: z.int().min(1).describe('1-based'),
  preview: z.string().describe('The line, or the part of a long one around the match'),
});

export const searchText = defineTool({
  name: 'search_text',
  title: 'Search Text',
  description:
    'Searches the files of the workspace line by line, unsaved changes included, sorted by path and place. Files that git ignores are left out unless includeIgnored is set; so are binary and very large files. Paged: pass nextCursor as cursor for more; a page can be short, even empty, when the time was over.',
  input: z.strictObject({
    query: z
      .string()
      .min(1)
      .max(2_000)
      .refine((query) => !/[\r\n\0]/.test(query), 'must be one line')
      .describe('Text within one line, or a regular expression for it'),
    isRegex: z.boolean().default(false).describe('In the syntax that ripgrep and JavaScript share'),
    isCaseSensitive: z.boolean().default(false).describe('Whether upper and lower case differ'),
    include: glob.optional().describe('A glob for the files to search; the name of a folder stands for all that is in it'),
    ...paging,
  }),
  output: z.object({ matches: z.array(match), nextCursor }),
  annotations: looksOnly,
  role: 'reader',
  call: async ({ cursor, ...query }, { editor, call }) => {
    const mark = [query.query, query.isRegex, query.isCaseSensitive, query.include, query.exclude, query.includeIgnored];
    const after = cursor === undefined ? undefined : toPlace(placeOf(cursor, mark));
    const { matches, next } = await editor.workspace.searchText({ ...query, after }, call.signal);
    return {
      matches: [...matches],
      ...(next !== undefined && { nextCursor: placeCursor([next.path, next.line, next.character], mark) }),
    };
  },
});

function toPlace([path, line, character]: readonly (string | number)[]): TextPlace {
  if (typeof path !== 'string' || typeof line !== 'number' || typeof character !== 'number') {
    throw invalidCursor();
  }
  return { path, line, character };
}
