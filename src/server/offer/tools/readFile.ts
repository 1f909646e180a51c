import * as z from 'zod';
import { cutPart, linesOf, type TextRest } from './textLines.ts';
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
    version: z.string().describe('Changes with the text; for expectedVersion of propose_edit'),
    isDirty: z.boolean().describe('Whether there are unsaved changes'),
    totalLines: z.int().min(1),
    nextStartLine: z.int().optional().describe('Only when the text was cut: startLine for the rest'),
    note: z.string().optional().describe('Only when the text was cut: how to get the rest'),
  }),
  annotations: looksOnly,
  role: 'reader',
  call: async ({ path, startLine = 1, endLine }, { editor, call }) => {
    let totalLines = 1;
    let rest: TextRest | undefined;
    const document = await editor.documents.read(path, call.signal, (whole) => {
      const lines = linesOf(whole, startLine, endLine);
      const cut = cutPart(whole, lines.part, maxCharacters, startLine);
      totalLines = lines.totalLines;
      rest = cut.rest;
      return cut.part;
    });
    return {
      path: document.path,
      text: document.text,
      version: document.version,
      isDirty: document.isDirty,
      totalLines,
      ...describeRest(rest, totalLines, document.uri),
      ...(document.isLossy === true && { note: lossyNote }),
    };
  },
});

const lossyNote =
  'The file is in another encoding than VS Code read it in: U+FFFD stands for characters that could not be read, and the file cannot be changed. ' +
  'Ask the person for "Reopen with Encoding…" in VS Code, or to set files.encoding.';

function describeRest(rest: TextRest | undefined, totalLines: number, uri: string): { nextStartLine?: number; note?: string } {
  if (rest === undefined) {
    return {};
  }
  const note = rest.isInsideLine
    ? `Cut inside line ${rest.line}, which is too long for one answer; the resource ${uri} has more of it.`
    : `Cut before line ${rest.line} of ${totalLines}: call read_file again with startLine ${rest.line} for the rest.`;
  return { nextStartLine: rest.line, note };
}
