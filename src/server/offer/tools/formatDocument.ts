import * as z from 'zod';
import { authorOf, changesText, reviewed, reviewedText, reviewKey, toReviewed } from './actingShapes.ts';
import { pathInput } from './shapes.ts';
import { defineTool } from './tool.ts';

export const formatDocument = defineTool({
  name: 'format_document',
  title: 'Format Document',
  description: "Formats a file with the person's own formatter. They review it as a diff. Nothing is saved.",
  input: z.strictObject({ path: pathInput }),
  output: reviewed,
  toText: reviewedText,
  annotations: { ...changesText, idempotentHint: true },
  role: 'editor',
  acts: true,
  call: async (request, { editor, call }) => {
    const origin = { author: authorOf(call) };
    const key = reviewKey('format_document', request);
    return toReviewed(await call.joinQuestion(key, (signal) => editor.acting.formatDocument(request, origin, signal)));
  },
});
