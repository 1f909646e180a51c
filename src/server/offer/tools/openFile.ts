import * as z from 'zod';
import { done, doneText, succeeded } from './actingShapes.ts';
import { pathInput } from './shapes.ts';
import { defineTool } from './tool.ts';

export const openFile = defineTool({
  name: 'open_file',
  title: 'Open File',
  description: 'Shows a file to the person, at a place if one is given.',
  input: z.strictObject({
    path: pathInput,
    line: z.int().min(1).optional().describe('1-based'),
    character: z.int().min(1).optional().describe('1-based'),
    preview: z.boolean().default(true).describe('As a tab that the next file replaces'),
  }),
  output: done.extend({ note: z.string().optional().describe('Where it is shown, if not where that was wanted') }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  role: 'reader',
  acts: true,
  call: async (request, { editor }) => {
    const { lineCount } = await editor.acting.openFile(request);
    const has = `There is no line ${request.line}: "${request.path}" has ${lineCount} ${lineCount === 1 ? 'line' : 'lines'}`;
    return lineCount === undefined ? succeeded : { ...succeeded, note: `${has}, and its end is shown. read_file shows its lines.` };
  },
  toText: ({ note }) => note ?? doneText(),
});
