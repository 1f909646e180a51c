import * as vscode from 'vscode';
import { toTextRange } from '../shared/ranges.ts';
import type { LanguageService } from './languageService.ts';
import type { SyntaxSpan } from './syntaxTree.ts';

/** Each one is a question to the selection-range provider. */
const maxPositions = 400;
const maxTokens = 5_000;

export interface SyntaxSource {
  readonly answered: boolean;
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

export async function readTokens(service: LanguageService, document: vscode.TextDocument, signal: AbortSignal): Promise<SyntaxSource> {
  const legend = await service.ask<vscode.SemanticTokensLegend>('vscode.provideDocumentSemanticTokensLegend', [document.uri], signal);
  const tokens =
    legend === undefined
      ? undefined
      : await service.ask<vscode.SemanticTokens>('vscode.provideDocumentSemanticTokens', [document.uri], signal);
  return {
    answered: tokens !== undefined,
    spans: legend === undefined || tokens === undefined ? [] : decodeTokens(tokens.data, legend.tokenTypes),
  };
}

/** Five numbers each: lines and characters since the token before, length, type, modifiers. */
export function decodeTokens(data: Uint32Array, types: readonly string[]): SyntaxSpan[] {
  const spans: SyntaxSpan[] = [];
  let line = 1;
  let character = 1;
  for (let index = 0; index + 4 < data.length && spans.length < maxTokens; index += 5) {
    const [lines = 0, characters = 0, length = 0, type = 0] = data.subarray(index, index + 5);
    character = lines === 0 ? character + characters : characters + 1;
    line += lines;
    spans.push({ kind: types[type] ?? 'token', range: { start: { line, character }, end: { line, character: character + length } } });
  }
  return spans;
}

/** Asked at the first character of each line in the range, and evenly fewer of them in a long one. */
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
