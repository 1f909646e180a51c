import * as z from 'zod';
import { textRange } from './shapes.ts';
import { cutPart } from './textLines.ts';
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
  call: async (_input, { editor }) => {
    const cut = { isCut: false };
    const selection = await editor.documents.readSelection((whole, selected) => {
      let left = maxCharacters;
      cut.isCut = selected.length > maxSelections;
      // Cut before anything else is done with it: somebody may have selected many megabytes.
      return selected.slice(0, maxSelections).map((each) => {
        const { part, rest } = cutPart(whole, each, left);
        left -= part.to - part.from;
        cut.isCut ||= rest !== undefined;
        return part;
      });
    });
    if (selection === undefined) {
      return { selections: [] };
    }
    const { path, uri, languageId, ranges, texts } = selection;
    const selections = ranges.slice(0, texts.length).map((range, index) => ({ range, text: texts[index] ?? '' }));
    return {
      path,
      uri,
      languageId,
      selections,
      ...(cut.isCut && { note: 'Cut: call read_file with the lines of a range for its whole text.' }),
    };
  },
});
