import * as z from 'zod';
import { cutText, linesOf } from './textLines.ts';
import { defineTool, looksOnly } from './tool.ts';

const maxCharacters = 200_000;

export const readFile = defineTool({
  name: 'read_file',
  title: 'Read File',
  description:
    'Returns the text of a workspace file or an open document, with unsaved changes. Open notebooks come as text with a marker line before each cell. [redacted] stands for a secret that is not shown.',
  input: z.strictObject({
    path: z.string().min(1).describe('Relative to the workspace, absolute inside it, or a URI as other tools return it'),
    startLine: z.int().min(1).optional().describe('First line to return, from 1; the first one if left out'),
    endLine: z.int().min(1).optional().describe('Last line to return, included; the last one if left out'),
  }),
  output: z.object({
    path: z.string().describe('In its usual spelling'),
    text: z.string(),
    version: z.int().describe('Changes with the text; for expectedVersion of propose_edit'),
    isDirty: z.boolean().describe('Whether there are unsaved changes'),
    totalLines: z.int().min(1),
    nextStartLine: z.int().optional().describe('Only when the text was cut: startLine for the rest'),
    note: z.string().optional().describe('Only when the text was cut: how to get the rest'),
  }),
  annotations: looksOnly,
  role: 'reader',
  call: async ({ path, startLine = 1, endLine }, { editor, call }) => {
    const document = await editor.documents.read(path, call.signal);
    const { text, totalLines } = linesOf(document.text, startLine, endLine);
    const { shown, rest } = cutText(text, maxCharacters, startLine);
    return {
      path: document.path,
      text: shown,
      version: document.version,
      isDirty: document.isDirty,
      totalLines,
      ...(rest !== undefined && {
        nextStartLine: rest.line,
        note: rest.isInsideLine
          ? `Cut inside line ${rest.line}, which is too long for one answer; the resource ${document.uri} has more of it.`
          : `Cut before line ${rest.line} of ${totalLines}: call read_file again with startLine ${rest.line} for the rest.`,
      }),
    };
  },
});
