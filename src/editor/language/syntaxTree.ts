import * as vscode from 'vscode';
import type { SyntaxNode } from '../../server/seen/ports/languagePort.ts';
import type { TextRange } from '../../server/seen/ports/documentsPort.ts';
import { toTextRange } from '../shared/clientPlaces.ts';
import type { LanguageService } from './languageService.ts';

export interface SyntaxSpan {
  readonly kind: string;
  readonly range: TextRange;
}

/** The most nodes of a tree; more are left out, the deepest first. */
const maxNodes = 1_500;

interface Growing {
  kind: string;
  readonly range: TextRange;
  readonly depth: number;
  readonly children: Growing[];
}

/**
 * Spans of several providers as one tree, by containment. Of equal spans the first kind stays that says more than
 * "selection"; what overlaps without nesting is left out.
 */
export function buildSyntaxTree(whole: TextRange, spans: readonly SyntaxSpan[], depth: number): { root: SyntaxNode; isCut: boolean } {
  const root: Growing = { kind: 'document', range: whole, depth: 0, children: [] };
  const ordered = spans
    .filter(({ range }) => contains(whole, range) && compare(range.start, range.end) < 0 && !isSame(range, whole))
    .sort((a, b) => compare(a.range.start, b.range.start) || compare(b.range.end, a.range.end));
  const open: Growing[] = [root];
  const all: Growing[] = [];
  for (const span of ordered) {
    while (open.length > 1 && compare(open.at(-1)?.range.end ?? span.range.start, span.range.start) <= 0) {
      open.pop();
    }
    const parent = open.at(-1) ?? root;
    if (parent !== root && isSame(parent.range, span.range)) {
      parent.kind = parent.kind === 'selection' ? span.kind : parent.kind;
    } else if (contains(parent.range, span.range)) {
      const node: Growing = { kind: span.kind, range: span.range, depth: open.length, children: [] };
      parent.children.push(node);
      open.push(node);
      all.push(node);
    }
  }
  const limit = Math.min(depth, deepestWithin(all, maxNodes));
  return { root: prune(root, limit), isCut: all.some((node) => node.depth > limit) };
}

/** The greatest depth at which all nodes together stay within the limit. */
function deepestWithin(nodes: readonly Growing[], limit: number): number {
  const perDepth = new Map<number, number>();
  for (const node of nodes) {
    perDepth.set(node.depth, (perDepth.get(node.depth) ?? 0) + 1);
  }
  let count = 0;
  let depth = 0;
  while (perDepth.has(depth + 1)) {
    count += perDepth.get(depth + 1) ?? 0;
    if (count > limit && depth > 0) {
      return depth;
    }
    depth += 1;
  }
  return Math.max(depth, 1);
}

function prune({ kind, range, depth, children }: Growing, limit: number): SyntaxNode {
  // A first level that is larger than everything allowed is cut at its end.
  return { kind, range, children: depth >= limit ? [] : children.slice(0, maxNodes).map((child) => prune(child, limit)) };
}

export function contains(outer: TextRange, inner: TextRange): boolean {
  return compare(outer.start, inner.start) <= 0 && compare(inner.end, outer.end) <= 0;
}

function isSame(a: TextRange, b: TextRange): boolean {
  return compare(a.start, b.start) === 0 && compare(a.end, b.end) === 0;
}

function compare(a: TextRange['start'], b: TextRange['start']): number {
  return a.line - b.line || a.character - b.character;
}

/** The most positions that the selection-range provider is asked about. */
const maxPositions = 400;
/** The most semantic tokens that are taken of a range. */
const maxTokens = 5_000;

export interface SyntaxSource {
  readonly answered: boolean;
  /** Whether there is more in the range than was taken. */
  readonly isCut?: boolean;
  readonly spans: readonly SyntaxSpan[];
}

export async function readFolding(service: LanguageService, document: vscode.TextDocument, signal: AbortSignal): Promise<SyntaxSource> {
  const ranges = (await service.ask<vscode.FoldingRange[]>('vscode.executeFoldingRangeProvider', [document.uri], signal)) ?? [];
  const spans = ranges
    .filter(({ start, end }) => start < document.lineCount && end < document.lineCount)
    .map(({ start, end, kind }) => ({
      kind: foldingKind(kind),
      range: toTextRange(
        new vscode.Range(start, document.lineAt(start).firstNonWhitespaceCharacterIndex, end, document.lineAt(end).text.length),
      ),
    }));
  return { answered: ranges.length > 0, spans };
}

function foldingKind(kind: vscode.FoldingRangeKind | undefined): string {
  return kind === undefined ? 'block' : (['comment', 'imports', 'region'][kind - 1] ?? 'block');
}

export async function readTokens(
  service: LanguageService,
  document: vscode.TextDocument,
  range: vscode.Range,
  signal: AbortSignal,
): Promise<SyntaxSource> {
  const legend = await service.ask<vscode.SemanticTokensLegend>('vscode.provideDocumentSemanticTokensLegend', [document.uri], signal);
  const tokens =
    legend === undefined
      ? undefined
      : await service.ask<vscode.SemanticTokens>('vscode.provideDocumentSemanticTokens', [document.uri], signal);
  return legend === undefined || tokens === undefined
    ? { answered: tokens !== undefined, spans: [] }
    : { answered: true, ...decodeTokens(tokens.data, legend.tokenTypes, toTextRange(range)) };
}

/**
 * Decodes the semantic tokens in a range. Each is five numbers: lines and characters since the token before, length, type and
 * modifiers.
 */
export function decodeTokens(data: Uint32Array, types: readonly string[], wanted: TextRange): Required<Omit<SyntaxSource, 'answered'>> {
  const spans: SyntaxSpan[] = [];
  let line = 1;
  let character = 1;
  for (let index = 0; index + 4 < data.length; index += 5) {
    const [lines = 0, characters = 0, length = 0, type = 0] = data.subarray(index, index + 5);
    character = lines === 0 ? character + characters : characters + 1;
    line += lines;
    const range = { start: { line, character }, end: { line, character: character + length } };
    if (contains(wanted, range)) {
      if (spans.length >= maxTokens) {
        return { spans, isCut: true };
      }
      spans.push({ kind: types[type] ?? 'token', range });
    }
  }
  return { spans, isCut: false };
}

/**
 * Reads selection ranges. The provider is asked at the first character of each line in the range; in a long range, of every
 * second line, or third, and so on.
 */
export async function readSelections(
  service: LanguageService,
  document: vscode.TextDocument,
  range: vscode.Range,
  signal: AbortSignal,
): Promise<SyntaxSource> {
  const lines: number[] = [];
  for (let line = range.start.line; line <= range.end.line && line < document.lineCount; line += 1) {
    if (!document.lineAt(line).isEmptyOrWhitespace) {
      lines.push(line);
    }
  }
  const step = Math.max(1, Math.ceil(lines.length / maxPositions));
  const positions = lines
    .filter((_line, index) => index % step === 0)
    .map((line) => new vscode.Position(line, document.lineAt(line).firstNonWhitespaceCharacterIndex));
  const chains =
    positions.length === 0
      ? []
      : ((await service.ask<vscode.SelectionRange[]>('vscode.executeSelectionRangeProvider', [document.uri, positions], signal)) ?? []);
  return { answered: chains.length > 0, spans: chains.flatMap(chainSpans) };
}

function chainSpans(innermost: vscode.SelectionRange): SyntaxSpan[] {
  const spans: SyntaxSpan[] = [];
  for (let step: vscode.SelectionRange | undefined = innermost; step !== undefined; step = step.parent) {
    spans.push({ kind: 'selection', range: toTextRange(step.range) });
  }
  return spans;
}
