import * as z from 'zod';
import { authorOf, changesText, reviewed, reviewedText, reviewKey, toReviewed } from './actingShapes.ts';
import { pathInput } from './shapes.ts';
import { defineTool } from './tool.ts';

export const renameSymbol = defineTool({
  name: 'rename_symbol',
  title: 'Rename Symbol',
  description:
    'Renames the symbol at a place, everywhere, through the language service. The person sees a diff for every file and accepts or rejects all of it; ' +
    'files that would be moved are confirmed in VS Code too. Nothing is saved.',
  input: z.strictObject({
    path: pathInput,
    line: z.int().min(1).describe('1-based'),
    character: z.int().min(1).describe('1-based'),
    newName: z.string().min(1).max(1_000).describe('What it is to be called everywhere'),
  }),
  output: reviewed,
  toText: reviewedText,
  annotations: changesText,
  role: 'editor',
  acts: true,
  call: async (request, { editor, call }) => {
    const origin = { author: authorOf(call.viewer) };
    const key = reviewKey('rename_symbol', request);
    return toReviewed(await call.joinQuestion(key, (signal) => editor.acting.renameSymbol(request, origin, signal)));
  },
});
