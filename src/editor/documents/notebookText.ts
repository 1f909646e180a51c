import * as vscode from 'vscode';
import { cellTexts, type CellText, type OutputItem } from './cellTexts.ts';

/** A notebook as one text: a marker line before each cell. What versions are of: running a cell is no change of it. */
export function notebookText(notebook: vscode.NotebookDocument): string {
  return cellTexts(cellsOf(notebook), 'sources');
}

/** The same with what running the cells gave. */
export function notebookWithOutputs(notebook: vscode.NotebookDocument): string {
  return cellTexts(cellsOf(notebook), 'outputs');
}

function cellsOf(notebook: vscode.NotebookDocument): CellText[] {
  return notebook.getCells().map(({ kind, document, outputs }) => ({
    kind: kind === vscode.NotebookCellKind.Markup ? 'markdown' : 'code',
    languageId: document.languageId,
    source: document.getText(),
    outputs: outputs.map(({ items }) => items.map(toItem)),
  }));
}

function toItem({ mime, data }: vscode.NotebookCellOutputItem): OutputItem {
  return { mime, size: data.byteLength, readText: () => new TextDecoder().decode(data) };
}
