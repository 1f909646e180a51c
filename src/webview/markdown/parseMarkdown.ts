import type { Links, MarkedToken, Token, Tokens } from 'marked';
import { revealInContent } from '../../base/visibleText.ts';
import type { FileReference } from '../../contract/chat/chatMessages.ts';
import { disguisedHost, openableHref } from '../shared/linkPolicy.ts';
import { fileNamedBefore, fileReferenceOf, linkedFile, namedFile, splitFileReferences } from './fileReferences.ts';
import { decodeEntities, lexMarkdown } from './lexMarkdown.ts';

/**
 * Markdown as data. This closed set of nodes is all that text from a model can become on the page: there is no node for
 * HTML, for an image that loads, or for an address that was not checked.
 */
export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'break' }
  | { readonly kind: 'checkbox'; readonly checked: boolean }
  | { readonly kind: 'strong' | 'emphasis' | 'deleted'; readonly children: readonly Inline[] }
  | {
      readonly kind: 'link';
      /** An address that `openableHref` has checked. */
      readonly href: string;
      readonly children: readonly Inline[];
      /** The host that the link leads to, when its text names another. */
      readonly disguisedHost?: string;
    }
  /** A file of the workspace, as far as the text can tell. */
  | { readonly kind: 'file'; readonly reference: FileReference; readonly children: readonly Inline[] }
  /** An image is named, never loaded. */
  | { readonly kind: 'image'; readonly alt: string; readonly href?: string };

type Alignment = 'left' | 'center' | 'right' | undefined;

export type Block =
  | { readonly kind: 'paragraph'; readonly children: readonly Inline[] }
  | { readonly kind: 'heading'; readonly depth: number; readonly children: readonly Inline[] }
  | {
      readonly kind: 'code';
      readonly language: string;
      readonly text: string;
      /** The file that the block, or the text above it, names. */
      readonly file?: string;
    }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | { readonly kind: 'list'; readonly start: number | undefined; readonly items: readonly (readonly Block[])[] }
  | {
      readonly kind: 'table';
      readonly align: readonly Alignment[];
      readonly header: readonly (readonly Inline[])[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    }
  | { readonly kind: 'rule' }
  /** What Markdown would hide or run (HTML, comments), shown as the text it is. */
  | { readonly kind: 'raw'; readonly text: string };

export interface TopBlock {
  /** What was written, for when it cannot be drawn as anything else. */
  readonly source: string;
  readonly block: Block;
}

/** How many levels of blocks, and of emphasis and links in a text, are drawn; what lies deeper is plain text. */
const maxDepth = 24;

/** A piece of Markdown that begins and ends between blocks. */
export interface ReadPiece {
  readonly tops: readonly ReadTop[];
  readonly links: Links;
}
export interface ReadTop {
  /** How many characters of the text it takes up; spaces between blocks count too, and are not drawn. */
  readonly length: number;
  readonly kind: 'block' | 'space' | 'definition';
  readonly blocks: readonly TopBlock[];
}

/** Reads Markdown in bounded time, and never throws: text that cannot be read as Markdown is shown as it is. */
export function parseMarkdown(text: string): readonly TopBlock[] {
  const source = revealInContent(text);
  return namedBlocks(readPiece(source)?.tops.flatMap(({ blocks }) => blocks) ?? [asIs(source)]);
}

/** Gives each block of code the file that the line above it names. */
export function namedBlocks(blocks: readonly TopBlock[]): readonly TopBlock[] {
  return blocks.map((top, index) => {
    const block = namedAbove(top.block, blocks[index - 1]?.block);
    return block === top.block ? top : { ...top, block };
  });
}

type CodeBlock = Extract<Block, { kind: 'code' }>;

function withFile(block: CodeBlock, file: string | undefined): CodeBlock {
  return file === undefined ? block : { ...block, file };
}

function namedAbove(block: Block, above: Block | undefined): Block {
  return block.kind === 'code' && block.file === undefined ? withFile(block, fileNamedBefore(above)) : block;
}

/** Reads a piece of Markdown in which everything is visible already. `undefined` when it is to be shown as plain text. */
export function readPiece(source: string, knownLinks: Links = {}): ReadPiece | undefined {
  const lexed = lexMarkdown(source, knownLinks);
  if (lexed === undefined) {
    return undefined;
  }
  const tops = lexed.tokens.map((token) => ({
    length: token.raw.length,
    kind: token.type === 'space' ? ('space' as const) : token.type === 'def' ? ('definition' as const) : ('block' as const),
    blocks: toBlocks([token], 0).map((block) => ({ source: token.raw, block })),
  }));
  return { tops, links: lexed.links };
}

export function asIs(text: string): TopBlock {
  return { source: text, block: { kind: 'raw', text } };
}

function toBlocks(tokens: readonly Token[], depth: number): Block[] {
  if (depth > maxDepth) {
    return [{ kind: 'raw', text: tokens.map((token) => token.raw).join('') }];
  }
  const blocks: Block[] = [];
  let checkbox: Inline[] = [];
  for (const token of tokens) {
    // In a tight list the checkbox of a task comes before its text, not in it.
    if (token.type === 'checkbox') {
      checkbox = toInlines([token], depth);
      continue;
    }
    const block = toBlock(token as MarkedToken, depth);
    if (block !== undefined) {
      blocks.push(block.kind === 'paragraph' ? { ...block, children: [...checkbox, ...block.children] } : block);
      checkbox = [];
    }
  }
  return blocks;
}

function toBlock(token: MarkedToken, depth: number): Block | undefined {
  switch (token.type) {
    case 'space':
    case 'def':
      return undefined;
    case 'paragraph':
      return { kind: 'paragraph', children: toInlines(token.tokens, depth) };
    case 'text':
      return { kind: 'paragraph', children: toInlines(token.tokens ?? [token], depth) };
    case 'heading':
      return { kind: 'heading', depth: token.depth, children: toInlines(token.tokens, depth) };
    case 'code':
      return withFile({ kind: 'code', language: languageOf(token), text: token.text }, namedFile(token.lang ?? '', token.text));
    case 'blockquote':
      return { kind: 'quote', blocks: toBlocks(token.tokens, depth + 1) };
    case 'list':
      return toList(token, depth);
    case 'table':
      return toTable(token, depth);
    case 'hr':
      return { kind: 'rule' };
    case 'html':
      return { kind: 'raw', text: token.text.trimEnd() };
    case 'br':
    case 'checkbox':
    case 'codespan':
    case 'del':
    case 'em':
    case 'escape':
    case 'image':
    case 'link':
    case 'list_item':
    case 'strong':
    default: // Extensions could add types; there are none.
      return { kind: 'paragraph', children: toInlines([token], depth) };
  }
}

function toList(token: Tokens.List, depth: number): Block {
  return {
    kind: 'list',
    start: token.ordered ? Number(token.start) : undefined,
    items: token.items.map((item) => toBlocks(item.tokens, depth + 1)),
  };
}

function toTable(token: Tokens.Table, depth: number): Block {
  const cells = (row: readonly Tokens.TableCell[]): Inline[][] => row.map((cell) => toInlines(cell.tokens, depth));
  return {
    kind: 'table',
    align: token.align.map((value): Alignment => value ?? undefined),
    header: cells(token.header),
    rows: token.rows.map(cells),
  };
}

function toInlines(tokens: readonly Token[], depth: number): Inline[] {
  if (depth > maxDepth) {
    return [{ kind: 'text', text: tokens.map((token) => token.raw).join('') }];
  }
  return tokens.flatMap((token) =>
    token.type === 'text' ? toTexts(decodeEntities((token as Tokens.Text).text)) : [toInline(token as MarkedToken, depth + 1)],
  );
}

function toTexts(text: string): Inline[] {
  return splitFileReferences(text).map((piece) =>
    typeof piece === 'string'
      ? { kind: 'text', text: piece }
      : { kind: 'file', reference: piece.reference, children: [{ kind: 'text', text: piece.text }] },
  );
}

function toCode(text: string): Inline {
  const reference = fileReferenceOf(text);
  const code: Inline = { kind: 'code', text };
  return reference === undefined ? code : { kind: 'file', reference, children: [code] };
}

function toInline(token: MarkedToken, depth: number): Inline {
  switch (token.type) {
    case 'text':
      return { kind: 'text', text: decodeEntities(token.text) };
    case 'escape':
      return { kind: 'text', text: token.text };
    case 'codespan':
      return toCode(token.text);
    case 'br':
      return { kind: 'break' };
    case 'checkbox':
      return { kind: 'checkbox', checked: token.checked };
    case 'strong':
      return { kind: 'strong', children: toInlines(token.tokens, depth) };
    case 'em':
      return { kind: 'emphasis', children: toInlines(token.tokens, depth) };
    case 'del':
      return { kind: 'deleted', children: toInlines(token.tokens, depth) };
    case 'link':
      return toLink(token, depth);
    case 'image':
      return toImage(token);
    case 'html':
      // Models break lines in table cells with `<br>`; every other tag is shown as written.
      return /^<br ?\/?>$/i.test(token.raw) ? { kind: 'break' } : { kind: 'text', text: token.raw };
    case 'blockquote':
    case 'code':
    case 'def':
    case 'heading':
    case 'hr':
    case 'list_item':
    case 'list':
    case 'paragraph':
    case 'space':
    case 'table':
    default:
      return { kind: 'text', text: token.raw };
  }
}

function toLink(token: Tokens.Link, depth: number): Inline {
  const target = token.autolink === true ? token.href : decodeEntities(token.href);
  const href = isVersionedPackage(token) ? undefined : openableHref(target);
  const children = (): Inline[] => withoutFiles(toInlines(token.tokens, depth));
  if (href === undefined) {
    const reference = isWritten(token) ? linkedFile(target) : undefined;
    return reference === undefined ? { kind: 'text', text: token.raw } : { kind: 'file', reference, children: children() };
  }
  const disguise = disguisedHost(decodeEntities(token.text), href);
  return { kind: 'link', href, children: children(), ...(disguise === undefined ? {} : { disguisedHost: disguise }) };
}

/** Whether a link was written as `[text](target)`, and not found in plain text. */
function isWritten({ raw }: Tokens.Link): boolean {
  return raw.startsWith('[');
}

/** Whether what looks like a mail address is a package and its version, as in `tiny-till@1.0.0`. */
function isVersionedPackage(token: Tokens.Link): boolean {
  return !isWritten(token) && /^mailto:[^@]*@\d+\.\d/i.test(token.href);
}

/** Takes links to files out of a link's text: a link cannot hold another. */
function withoutFiles(inlines: readonly Inline[]): Inline[] {
  return inlines.flatMap((inline): readonly Inline[] => {
    if (inline.kind === 'file') {
      return inline.children;
    }
    return 'children' in inline ? [{ ...inline, children: withoutFiles(inline.children) }] : [inline];
  });
}

function toImage(token: Tokens.Image): Inline {
  const href = openableHref(decodeEntities(token.href));
  return { kind: 'image', alt: decodeEntities(token.text), ...(href === undefined ? {} : { href }) };
}

function languageOf(token: Tokens.Code): string {
  return /^[\w+#.-]+/.exec(token.lang ?? '')?.[0] ?? '';
}
