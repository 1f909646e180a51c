import * as vscode from 'vscode';
import type { TextRange } from '../../server/seen/ports/textRange.ts';

/** The editor counts from 0, clients from 1. */
export function toTextRange({ start, end }: vscode.Range): TextRange {
  return {
    start: { line: start.line + 1, character: start.character + 1 },
    end: { line: end.line + 1, character: end.character + 1 },
  };
}

export function fromTextRange({ start, end }: TextRange): vscode.Range {
  return new vscode.Range(start.line - 1, start.character - 1, end.line - 1, end.character - 1);
}
