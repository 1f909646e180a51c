import { linkedFile } from './fileReferences.ts';
import type { Block, Inline } from './markdownTree.ts';

const extension = /\.[A-Za-z][A-Za-z0-9]{0,9}$/;
const maxLine = 300;

/** The file that a block of code is meant for, where its info string or its first line, a comment, names one. */
export function namedFile(info: string, code: string): string | undefined {
  const words = info.slice(0, maxLine).split(/\s+/);
  // ```ts src/cart.ts, ```ts:src/cart.ts, ```ts title="src/cart.ts"
  const named = words.map((word) => asPath(word.replaceAll(/["'{}]/g, '').replace(/^[\w+-]*[:=]/, ''))).find((path) => path !== undefined);
  return named ?? asPath(commentIn(code.slice(0, maxLine).split('\n', 1)[0] ?? ''));
}

/** The same, where the text above the block ends with its name: "In `src/cart.ts`:". */
export function fileNamedBefore(block: Block | undefined): string | undefined {
  if (block?.kind !== 'paragraph' && block?.kind !== 'heading') {
    return undefined;
  }
  const words = block.children.map(plainText).join('').trimEnd();
  const last = words.slice(-maxLine).split(/\s/).at(-1) ?? '';
  return asPath(last.replace(/^["'“(]+/, '').replace(/[:;,.)"'”]+$/, ''));
}

/** `// src/cart.ts`, `# src/cart.py`, `<!-- index.html -->`: a line that says nothing else. */
function commentIn(line: string): string {
  return /^\s*(?:\/\/|#|--|;|\/\*|<!--)\s*(\S+)\s*(?:\*\/|-->)?\s*$/.exec(line)?.[1] ?? '';
}

function asPath(word: string): string | undefined {
  const reference = word === '' ? undefined : linkedFile(word);
  return reference !== undefined && extension.test(reference.path) ? reference.path : undefined;
}

function plainText(inline: Inline): string {
  switch (inline.kind) {
    case 'text':
    case 'code':
      return inline.text;
    case 'strong':
    case 'emphasis':
    case 'deleted':
    case 'link':
    case 'file':
      return inline.children.map(plainText).join('');
    case 'break':
      return '\n';
    case 'checkbox':
    case 'image':
      return '';
  }
}
