import * as z from 'zod';
import { textRange } from './shapes.ts';
import { cutText } from './textLines.ts';
import { defineTool, looksOnly } from './tool.ts';

const maxSelections = 100;
const maxCharacters = 100_000;

export const getSelection = defineTool({
  name: 'get_selection',
  title: 'Get Selection',
  description:
    'Returns what the person has selected in the text editor that was active last, also while another view has the focus. A cursor is an empty selection. Without a text editor there are no selections.',
  input: z.strictObject({}),
  output: z.object({
    path: z.string().optional().describe('Left out when no text editor is open'),
    uri: z.string().optional(),
    languageId: z.string().optional(),
    selections: z.array(z.object({ range: textRange, text: z.string() })).describe('The main one first'),
    note: z.string().optional().describe('Only when something was cut: how to get the rest'),
  }),
  annotations: looksOnly,
  role: 'reader',
  call: (_input, { editor }) => {
    const selection = editor.documents.getSelection();
    if (selection === undefined) {
      return { selections: [] };
    }
    const { path, uri, languageId } = selection;
    let left = maxCharacters;
    let isCut = selection.selections.length > maxSelections;
    const selections = selection.selections.slice(0, maxSelections).map(({ range, text }) => {
      const { shown, rest } = cutText(text, left);
      left -= shown.length;
      isCut ||= rest !== undefined;
      return { range, text: shown };
    });
    return {
      path,
      uri,
      languageId,
      selections,
      ...(isCut && { note: 'Cut: call read_file with the lines of a range for its whole text.' }),
    };
  },
});
