import { revealInvisible } from '../../base/visibleText.ts';
import type { FileReference } from '../../contract/chat/chatMessages.ts';
import type { Block, Inline } from './parseMarkdown.ts';

/** A text of so many characters, or more, is not taken for a path. */
const maxPath = 260;
const inPath = /[\p{L}\p{N}_.@+~/\\-]/u;
const extension = /\.[A-Za-z][A-Za-z0-9]{0,9}$/;
/** Endings of host names: a name and a number may also be a host and its port. */
const hostEnding = /\.(?:com|org|net|io|dev|app|ai|edu|gov|local|localhost|internal|example)$/i;

export type ReferencePiece = string | { readonly text: string; readonly reference: FileReference };

/** Splits a text into plain text and places in files, such as `src/cart.js:3` and `src/cart.js:3:5`, in one pass. */
export function splitFileReferences(text: string): readonly ReferencePiece[] {
  const pieces: ReferencePiece[] = [];
  let done = 0;
  for (const match of text.matchAll(/:(\d{1,7})(?::(\d{1,5}))?(?![\p{L}\p{N}_/\\])/gu)) {
    const start = pathStart(text, match.index, done);
    const path = text.slice(start, match.index);
    if (isPath(path) && extension.test(path) && !hostEnding.test(path)) {
      const end = match.index + match[0].length;
      pieces.push(text.slice(done, start), { text: text.slice(start, end), reference: at(path, match[1], match[2]) });
      done = end;
    }
  }
  pieces.push(text.slice(done));
  return pieces.filter((piece) => piece !== '');
}

/** The place in a file that the whole text is, as in `src/cart.js:3`; undefined for any other text. */
export function fileReferenceOf(text: string): FileReference | undefined {
  const [first, ...rest] = splitFileReferences(text);
  return first === undefined || typeof first === 'string' || rest.length > 0 ? undefined : first.reference;
}

/** The file that a relative link leads to: `src/cart.js`, `./src/cart.js#L3`, `src/cart.js:3`. */
export function linkedFile(href: string): FileReference | undefined {
  let decoded: string;
  try {
    decoded = decodeURIComponent(href);
  } catch {
    return undefined;
  }
  const [, path = '', line, character] =
    /^([^:#?]+)(?:[:#]L?(\d{1,7})(?:[:C](\d{1,5}))?(?:-L?\d{1,7}(?:C\d{1,5})?)?)?$/.exec(decoded) ?? [];
  return revealInvisible(path) === path && isPath(path) ? at(path, line, character) : undefined;
}

function pathStart(text: string, end: number, from: number): number {
  let start = end;
  while (start > from && end - start < maxPath && inPath.test(text[start - 1] ?? '')) {
    start -= 1;
  }
  return start;
}

const notDown: ReadonlySet<string> = new Set(['', '..']);

/** Whether a path leads down from a folder of the workspace and never up; the host finds out whether there is such a file. */
function isPath(path: string): boolean {
  const segments = path.split(/[\\/]/);
  return path.trim() === path && path.length < maxPath && !path.startsWith('~') && !segments.some((each) => notDown.has(each));
}

function at(path: string, line: string | undefined, character: string | undefined): FileReference {
  return {
    path: path.replace(/^(?:\.[\\/])+/, ''),
    ...(Number(line ?? 0) > 0 ? { line: Number(line) } : {}),
    ...(Number(line ?? 0) > 0 && Number(character ?? 0) > 0 ? { character: Number(character) } : {}),
  };
}

/** The most characters of a line, or of the end of the text before a block, that are searched for a file's name. */
const maxLine = 300;

/** The file that a block of code is meant for, where its info string or its first line, a comment, names one. */
export function namedFile(info: string, code: string): string | undefined {
  const words = info.slice(0, maxLine).split(/\s+/);
  // The info string may be ```ts src/cart.ts, ```ts:src/cart.ts or ```ts title="src/cart.ts".
  const named = words.map((word) => asPath(word.replaceAll(/["'{}]/g, '').replace(/^[\w+-]*[:=]/, ''))).find((path) => path !== undefined);
  return named ?? asPath(commentIn(code.slice(0, maxLine).split('\n', 1)[0] ?? ''));
}

/** The file that a block of code is meant for, where the text above the block ends with its name: "In `src/cart.ts`:". */
export function fileNamedBefore(block: Block | undefined): string | undefined {
  if (block?.kind !== 'paragraph' && block?.kind !== 'heading') {
    return undefined;
  }
  const words = block.children.map(plainText).join('').trimEnd();
  const last = words.slice(-maxLine).split(/\s/).at(-1) ?? '';
  return asPath(last.replace(/^["'“(]+/, '').replace(/[:;,.)"'”]+$/, ''));
}

/** The word in a comment that says nothing else: `// src/cart.ts`, `# src/cart.py`, `<!-- index.html -->`. */
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
