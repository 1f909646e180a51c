import * as vscode from 'vscode';

/** A notebook as one text: a marker line before each cell, outputs left out. */
export function notebookText(notebook: vscode.NotebookDocument): string {
  return notebook
    .getCells()
    .map((cell) => {
      const kind = cell.kind === vscode.NotebookCellKind.Markup ? 'markdown' : 'code';
      return `# %% [${kind}] cell ${cell.index + 1} ${cell.document.languageId}\n${cell.document.getText()}\n`;
    })
    .join('\n');
}
