import * as z from 'zod';
import type { TextPart } from '../../seen/ports/documentsPort.ts';
import { answerText, clip, fitAnswer, maxChars, note, rangeText } from './answers.ts';
import { textRange } from './shapes.ts';
import { cutPart } from './sourceText.ts';
import { defineTool, looksOnly } from './tool.ts';

/** The most selections of an answer. */
const maxSelections = 100;

const output = z.object({
  path: z.string().optional().describe('Left out when no text editor is open'),
  uri: z.string().optional(),
  languageId: z.string().optional(),
  selections: z.array(z.object({ range: textRange, text: z.string() })).describe('The main one first'),
  note,
});
type Output = z.input<typeof output>;

const noEditor = 'No text editor is open; list_open_editors shows which tabs there are.';
const onlyCursor = 'Nothing is selected: this is where the cursor is.';
const cutNote = 'Cut: call read_file with the lines of a range for its whole text.';

export const getSelection = defineTool({
  name: 'get_selection',
  title: 'Get Selection',
  description: 'Returns what is selected in the text editor that was active last. A cursor is an empty selection.',
  input: z.strictObject({ maxChars }),
  output,
  annotations: looksOnly,
  role: 'reader',
  call: async ({ maxChars: most }, { editor }) => {
    const cut = { isCut: false };
    const selection = await editor.documents.readSelection((whole, selected) => {
      let left = most - 1_000;
      // The selection is cut before anything else is done with it: it may have many megabytes.
      return selected.slice(0, maxSelections).map((each) => {
        const part = fittingPart(whole, each, left);
        left -= JSON.stringify(whole.slice(part.from, part.to)).length;
        cut.isCut ||= part.to < each.to;
        return part;
      });
    });
    if (selection === undefined) {
      return { selections: [], note: noEditor };
    }
    const { path, uri, languageId, ranges, texts } = selection;
    const items = ranges.slice(0, texts.length).map((range, index) => ({ range, text: clip(texts[index] ?? '', most - 600) }));
    const isCursor = items.every(({ text }) => text === '') && !cut.isCut;
    const build = (selections: readonly Output['selections'][number][]): Output => {
      const isCut = cut.isCut || selections.length < ranges.length;
      const why = isCut ? cutNote : isCursor ? onlyCursor : undefined;
      return { path, uri, languageId, selections: [...selections], ...(why !== undefined && { note: why }) };
    };
    return fitAnswer(items, most, build, toText);
  },
  toText,
});

/** Returns the beginning of a selection that fits into `room` characters of JSON, where tabs and line breaks take two. */
function fittingPart(whole: string, selected: TextPart, room: number): TextPart {
  for (let length = Math.max(0, room); ;) {
    const { part } = cutPart(whole, selected, length);
    const size = JSON.stringify(whole.slice(part.from, part.to)).length - 2;
    if (size <= Math.max(0, room) || length === 0) {
      return part;
    }
    length = Math.min(length - 1, Math.floor(((part.to - part.from) * room) / size));
  }
}

function toText({ path, languageId, selections, note: why }: Output): string {
  const lines = selections.flatMap(({ range, text }) => [`${path ?? ''}:${rangeText(range)}`, ...(text === '' ? [] : [text])]);
  return answerText(languageId === undefined ? lines : [`${path ?? ''} (${languageId})`, ...lines], { note: why });
}
