import * as z from 'zod';
import { invalidCursor } from '../catalog/cursor.ts';
import { placeCursor, placeOf } from './placeCursor.ts';
import { glob, nextCursor, paging } from './searchShapes.ts';
import { defineTool, looksOnly } from './tool.ts';

export const findFiles = defineTool({
  name: 'find_files',
  title: 'Find Files',
  description:
    'Finds files of the workspace by a glob, sorted by path. Files that git ignores are left out unless includeIgnored is set. Paged: pass nextCursor as cursor for more.',
  input: z.strictObject({ pattern: glob, ...paging }),
  output: z.object({ files: z.array(z.string()), nextCursor }),
  annotations: looksOnly,
  role: 'reader',
  call: async ({ cursor, ...query }, { editor, call }) => {
    const mark = [query.pattern, query.exclude, query.includeIgnored];
    const [after] = cursor === undefined ? [] : placeOf(cursor, mark);
    if (typeof after === 'number' || (cursor !== undefined && after === undefined)) {
      throw invalidCursor();
    }
    const { files, hasMore } = await editor.workspace.findFiles({ ...query, after }, call.signal);
    const last = files.at(-1);
    return { files: [...files], ...(hasMore && last !== undefined && { nextCursor: placeCursor([last], mark) }) };
  },
});
