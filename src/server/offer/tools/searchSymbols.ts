import * as z from 'zod';
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

export const searchSymbols = defineTool({
  name: 'search_symbols',
  title: 'Search Symbols',
  description:
    'Finds classes, functions, variables and so on in the whole workspace by a part of their name, as the language services know them.',
  input: z.strictObject({
    query: z.string().max(500).describe('Part of a name; language services match it loosely'),
    limit: z.int().min(1).max(1_000).default(200).describe('How many to return at most'),
  }),
  output: z.object({ symbols: z.array(symbol) }),
  annotations: looksOnly,
  role: 'reader',
  call: async ({ query, limit }, { editor, call }) => ({
    symbols: (await editor.language.searchSymbols(query, call.signal)).slice(0, limit),
  }),
});
