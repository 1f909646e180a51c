import * as z from 'zod';
import { done, succeeded } from './actingShapes.ts';
import { pathInput } from './shapes.ts';
import { defineTool } from './tool.ts';

export const openFile = defineTool({
  name: 'open_file',
  title: 'Open File',
  description: 'Shows a file in the editor, at a place if one is given. The keyboard stays where the person types.',
  input: z.strictObject({
    path: pathInput,
    line: z.int().min(1).optional().describe('1-based'),
    character: z.int().min(1).optional().describe('1-based; needs line'),
    preview: z.boolean().default(true).describe('Whether the tab is replaced by the next file that is only looked at'),
  }),
  output: done,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  role: 'reader',
  acts: true,
  call: async (request, { editor }) => {
    await editor.acting.openFile(request);
    return succeeded;
  },
});
