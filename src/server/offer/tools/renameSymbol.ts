import * as z from 'zod';
import { authorOf, changesText, reviewed, reviewedText, reviewKey, toReviewed } from './actingShapes.ts';
import { place } from './languageShapes.ts';
import { resolvePlace } from './symbolPlace.ts';
import { defineTool } from './tool.ts';

export const renameSymbol = defineTool({
  name: 'rename_symbol',
  title: 'Rename Symbol',
  description:
    'Renames the symbol at a place, everywhere. The person sees a diff for every file and accepts or rejects all of it. Nothing is saved.',
  input: z.strictObject({
    ...place,
    newName: z.string().min(1).max(1_000).describe('Its new name'),
  }),
  output: reviewed,
  toText: reviewedText,
  annotations: changesText,
  role: 'editor',
  acts: true,
  call: async (request, { editor, call }) => {
    const origin = { author: authorOf(call) };
    const key = reviewKey('rename_symbol', request);
    const review = await call.joinQuestion(key, async (signal) => {
      const at = await resolvePlace(request, editor.language, signal);
      return editor.acting.renameSymbol({ ...at, newName: request.newName }, origin, signal);
    });
    return toReviewed(review);
  },
});
