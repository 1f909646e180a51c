import * as z from 'zod';
import type { SymbolNode } from '../../seen/ports/languagePort.ts';
import { answerText, clip, nextCursor, note, paged, pageOfList } from './answers.ts';
import { foundOrNote, symbolKindText, whyNothing } from './languageShapes.ts';
import { flatten, nest, pathTo } from './outline.ts';
import { pathInput, textRange } from './shapes.ts';
import { defineTool, looksOnly } from './tool.ts';

const symbol = z.object({
  name: z.string(),
  kind: z.string().describe(symbolKindText),
  range: textRange,
  selectionRange: textRange,
  detail: z.string(),
  get children() {
    return z.array(symbol);
  },
});

const output = z.object({ symbols: z.array(symbol), note, nextCursor });
type Output = z.input<typeof output>;

const nothing = 'The language service finds no symbols in this file.';

export const getDocumentSymbols = defineTool({
  name: 'get_document_symbols',
  title: 'Get Document Symbols',
  description: 'Returns the outline of a file: classes, functions and so on, with their lines.',
  input: z.strictObject({
    path: pathInput,
    depth: z.int().min(1).max(64).default(1).describe('Levels to return'),
    ...paged,
  }),
  output,
  annotations: looksOnly,
  role: 'reader',
  call: async ({ path, depth, ...asked }, { editor: { language }, call }) => {
    const { found, note: mistake } = await foundOrNote(language.getDocumentSymbols(path, call.signal), []);
    const { entries, deeper } = flatten(found, depth);
    const why = mistake ?? (found.length === 0 ? await whyNothing(language, path, nothing) : undefined);
    const inside = deeper > 0 ? `${deeper} symbols lie deeper: pass depth ${depth + 1}.` : undefined;
    return pageOfList({
      items: entries,
      shorten: (entry) => ({ ...entry, node: shortened(entry.node, asked.maxChars / 10) }),
      asked,
      query: [path, depth],
      build: (shown, rest): Output => {
        // If a page begins inside a symbol, the symbols around it are repeated.
        const around = pathTo(entries, shown[0]?.index ?? 0);
        const symbols = nest<SymbolNode>([...around, ...shown]) as Output['symbols'];
        const notes = [why, inside, around.length > 0 && `Goes on inside ${around.map(({ node }) => node.name).join(' > ')}.`];
        const text = notes.filter((each) => each !== undefined && each !== false).join(' ');
        return { symbols, ...(text !== '' && { note: text }), ...rest };
      },
      toText,
    });
  },
  toText,
});

function shortened(node: SymbolNode, most: number): SymbolNode {
  return { ...node, name: clip(node.name, most), detail: clip(node.detail, most), children: [] };
}

function toText({ symbols, ...endings }: Output): string {
  const lines = flatten(symbols, Infinity).entries.map(({ node: { name, kind, range, detail }, level }) => {
    const last = range.end.line === range.start.line ? '' : `-${range.end.line}`;
    return `${'  '.repeat(level)}${range.start.line}${last} ${kind} ${name}${detail === '' ? '' : ` ${detail}`}`;
  });
  return answerText(lines, endings);
}
