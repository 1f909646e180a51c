import * as z from 'zod';
import { answerText, clip, nextCursor, note, paged, pageOfList, placeText } from './answers.ts';
import { symbolKindText } from './languageShapes.ts';
import { textRange } from './shapes.ts';
import { defineTool, looksOnly } from './tool.ts';

const symbol = z.object({
  name: z.string(),
  kind: z.string().describe(symbolKindText),
  path: z.string(),
  range: textRange,
  container: z.string().describe('What it belongs to; empty if nothing is known'),
});

const output = z.object({ symbols: z.array(symbol), note, nextCursor });
type Output = z.input<typeof output>;

const nothing =
  'No language service knows such a name. Services answer for projects that they could read in time: ask again if one was just opened; search_text finds a name in any file.';

export const searchSymbols = defineTool({
  name: 'search_symbols',
  title: 'Search Symbols',
  description: 'Finds classes, functions and so on of the whole workspace by a part of their name.',
  input: z.strictObject({
    query: z.string().max(500).describe('Part of a name'),
    limit: z.int().min(1).max(1_000).default(200).describe('Most symbols'),
    ...paged,
  }),
  output,
  annotations: looksOnly,
  role: 'reader',
  call: async ({ query, ...asked }, { editor, call }) => {
    const found = await editor.language.searchSymbols(query, call.signal);
    const most = asked.maxChars / 10;
    return pageOfList({
      items: found,
      shorten: (each) => ({ ...each, name: clip(each.name, most), container: clip(each.container, most) }),
      asked,
      query: [query],
      build: (symbols, rest): Output => ({ symbols: [...symbols], ...(found.length === 0 && { note: nothing }), ...rest }),
      toText,
    });
  },
  toText,
});

function toText({ symbols, ...endings }: Output): string {
  const describe = ({ name, kind, container, ...place }: Output['symbols'][number]): string =>
    `${placeText(place)} ${kind} ${name}${container === '' ? '' : ` (in ${container})`}`;
  return answerText(symbols.map(describe), endings);
}
