import * as z from 'zod';
import { pathInput, textRange } from './shapes.ts';
import { defineTool, looksOnly } from './tool.ts';

const node = z.object({
  kind: z
    .string()
    .describe(
      '"document", a token type such as "function", a fold: "block", "comment", "imports", "region", or "selection" when nothing more is known',
    ),
  range: textRange,
  get children() {
    return z.array(node);
  },
});

export const getSyntaxTree = defineTool({
  name: 'get_syntax_tree',
  title: 'Get Syntax Tree',
  description:
    'Returns the nested syntactic ranges of a file or of a part of it, made of what the selection-range, folding and semantic-token providers of the language say. Deep and large trees are cut: ask for a range to see more of it.',
  input: z.strictObject({
    path: pathInput,
    depth: z.int().min(1).max(64).default(12).describe('How many levels to return at most'),
    range: textRange.optional().describe('Only this part; 1-based, the end is exclusive'),
  }),
  output: z.object({
    root: node,
    providers: z
      .object({ selectionRange: z.boolean(), folding: z.boolean(), semanticTokens: z.boolean() })
      .describe('Which providers had an answer'),
    isCut: z.boolean().describe('Whether nodes were left out'),
  }),
  annotations: looksOnly,
  role: 'reader',
  call: async (query, { editor, call }) => (await editor.language.getSyntaxTree(query, call.signal)) as Tree,
});

interface Tree {
  root: z.input<typeof node>;
  providers: { selectionRange: boolean; folding: boolean; semanticTokens: boolean };
  isCut: boolean;
}
