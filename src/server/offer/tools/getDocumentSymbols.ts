import * as z from 'zod';
import { cutTree } from './cutTree.ts';
import { symbolKindText } from './languageShapes.ts';
import { pathInput, textRange } from './shapes.ts';
import { defineTool, looksOnly } from './tool.ts';

const maxSymbols = 3_000;

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

export const getDocumentSymbols = defineTool({
  name: 'get_document_symbols',
  title: 'Get Document Symbols',
  description:
    'Returns the outline of a file as a tree: classes, functions, variables and so on, as the language service sees them, with unsaved changes.',
  input: z.strictObject({ path: pathInput }),
  output: z.object({
    symbols: z.array(symbol),
    note: z.string().optional().describe('Only when symbols were left out'),
  }),
  annotations: looksOnly,
  role: 'reader',
  call: async ({ path }, { editor, call }) => {
    const { roots, left } = cutTree(await editor.language.getDocumentSymbols(path, call.signal), maxSymbols);
    const note = `${left} symbols were left out, the deepest first; search_symbols finds them by name.`;
    return { symbols: roots as Symbol[], ...(left > 0 && { note }) };
  },
});

type Symbol = z.input<typeof symbol>;
