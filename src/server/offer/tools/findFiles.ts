import * as z from 'zod';
import { invalidCursor } from '../catalog/cursor.ts';
import { fitAnswer, nextCursor, note } from './budget.ts';
import { whyNoFiles } from './globNotes.ts';
import { placeCursor, placeOf } from './placeCursor.ts';
import { glob, paging } from './searchShapes.ts';
import { answerText } from './texts.ts';
import { defineTool, looksOnly } from './tool.ts';

const output = z.object({ files: z.array(z.string()), note, nextCursor });
type Output = z.input<typeof output>;

export const findFiles = defineTool({
  name: 'find_files',
  title: 'Find Files',
  description: 'Finds files by a glob, sorted by path.',
  input: z.strictObject({ pattern: glob, ...paging }),
  output,
  annotations: looksOnly,
  role: 'reader',
  call: async ({ cursor, maxChars, ...query }, { editor: { workspace }, call }) => {
    const mark = [query.pattern, query.exclude, query.includeIgnored];
    const [after] = cursor === undefined ? [] : placeOf(cursor, mark);
    if (typeof after === 'number' || (cursor !== undefined && after === undefined)) {
      throw invalidCursor();
    }
    const { files, hasMore } = await workspace.findFiles({ ...query, after }, call.signal);
    if (files.length === 0) {
      return { files: [], note: after === undefined ? await whyNoFiles(workspace, query, false, call.signal) : 'There is nothing more.' };
    }
    const build = (shown: readonly string[]): Output => {
      const last = shown.at(-1);
      const goesOn = last !== undefined && (hasMore || shown.length < files.length);
      return { files: [...shown], ...(goesOn && { nextCursor: placeCursor([last], mark) }) };
    };
    return fitAnswer(files, maxChars, build, toText);
  },
  toText,
});

function toText({ files, ...endings }: Output): string {
  return answerText(files, endings);
}
