import * as z from 'zod';
import type { SyntaxTree } from '../../seen/ports/languagePort.ts';
import { answerText, maxChars, note, rangeText } from './answers.ts';
import { cutTree, flatten } from './outline.ts';
import { foundOrNote } from './languageShapes.ts';
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

const output = z.object({
  root: node,
  providers: z
    .object({ selectionRange: z.boolean(), folding: z.boolean(), semanticTokens: z.boolean() })
    .describe('Which providers had an answer'),
  isCut: z.boolean().describe('Whether nodes were left out'),
  note,
});
type Output = z.input<typeof output>;

const start = { line: 1, character: 1 };
const nowhere: SyntaxTree = {
  root: { kind: 'document', range: { start, end: start }, children: [] },
  providers: { selectionRange: false, folding: false, semanticTokens: false },
  isCut: false,
};

export const getSyntaxTree = defineTool({
  name: 'get_syntax_tree',
  title: 'Get Syntax Tree',
  description: 'Returns the nested syntactic ranges of a file or a part of it. Large trees are cut: pass a range to see more of it.',
  input: z.strictObject({
    path: pathInput,
    depth: z.int().min(1).max(64).default(12).describe('Most levels'),
    range: textRange.optional().describe('Only this part; 1-based, end exclusive'),
    maxChars,
  }),
  output,
  annotations: looksOnly,
  role: 'reader',
  call: async ({ maxChars: most, ...query }, { editor, call }) => {
    const { found, note: mistake } = await foundOrNote(editor.language.getSyntaxTree(query, call.signal), nowhere);
    return mistake === undefined ? fitted(found, most) : { ...(found as Output), note: mistake };
  },
  toText,
});

const cutNote = 'Nodes were left out, the deepest first: pass a range to see more of a part.';
const silentNote = 'No provider of this language answered: it may have none, or is still starting.';

/** Leaves out the deepest levels until the tree fits into `most` characters. */
function fitted({ root, providers, isCut }: SyntaxTree, most: number): Output {
  for (let nodes = most; ; nodes = Math.floor(nodes / 2)) {
    const { roots, left } = cutTree(root.children, nodes);
    const isSmaller = isCut || left > 0;
    const isSilent = !Object.values(providers).includes(true);
    const why = isSilent ? silentNote : isSmaller ? cutNote : undefined;
    const tree = { root: { ...root, children: roots }, providers, isCut: isSmaller, ...(why !== undefined && { note: why }) } as Output;
    if (nodes === 0 || Math.max(JSON.stringify(tree).length, toText(tree).length) <= most) {
      return tree;
    }
  }
}

function toText({ root, providers, note: why }: Output): string {
  const lines = flatten([root], Infinity).entries.map(
    ({ node: { kind, range }, level }) => `${'  '.repeat(level)}${kind} ${rangeText(range)}`,
  );
  const answered = Object.entries(providers).flatMap(([name, hasAnswered]) => (hasAnswered ? [name] : []));
  return answerText([...lines, `Providers: ${answered.join(', ') || 'none'}.`], { note: why });
}
