import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { demandApplied } from './fileChange.ts';

/** How often the cells are put back: whatever changes them again after that means it. */
const maxRounds = 3;

interface KeptCell {
  readonly cell: vscode.NotebookCell;
  readonly metadata: vscode.NotebookCell['metadata'];
}

/**
 * Cells whose texts are changed while all else about them stays. VS Code's own extension for notebooks forgets how often a cell was
 * run, and may note its language, when it is told of a new text. It does so by an edit of its own, some time later: nobody can wait
 * for that, because it is not said whether it comes.
 */
export class KeptCells {
  readonly #cells: readonly KeptCell[];

  constructor(cells: readonly vscode.NotebookCell[]) {
    this.#cells = cells.map((cell) => ({ cell, metadata: cell.metadata }));
  }

  /**
   * Fills an edit with the texts of the cells. Within the edit the counts are gone before the texts change and are there again after
   * them, so that who is told of a text finds nothing to forget.
   */
  async around(edit: vscode.WorkspaceEdit, addTexts: () => Promise<void> | void): Promise<void> {
    const counted = this.#cells.filter(({ metadata }) => Boolean(metadata['execution_count']));
    for (const { cell, metadata } of counted) {
      edit.set(cell.notebook.uri, [vscode.NotebookEdit.updateCellMetadata(cell.index, { ...metadata, execution_count: null })]);
    }
    await addTexts();
    for (const { cell, metadata } of counted) {
      edit.set(cell.notebook.uri, [vscode.NotebookEdit.updateCellMetadata(cell.index, metadata)]);
    }
  }

  /**
   * Puts back what was changed nevertheless. Who was told of the texts has sent an edit by now, and VS Code makes edits in the order in
   * which they come; one that changes nothing leaves no trace.
   */
  async putBack(): Promise<void> {
    for (let round = 0; round < maxRounds && (round === 0 || !this.isKept()); round++) {
      const cells = this.#present();
      if (cells.length === 0) {
        return;
      }
      const edit = new vscode.WorkspaceEdit();
      for (const { cell, metadata } of cells) {
        edit.set(cell.notebook.uri, [vscode.NotebookEdit.updateCellMetadata(cell.index, metadata)]);
      }
      await demandApplied(edit);
    }
  }

  isKept(): boolean {
    return this.#present().every(({ cell, metadata }) => isDeepStrictEqual(cell.metadata, metadata));
  }

  /** A cell that somebody removed has no place any more. */
  #present(): readonly KeptCell[] {
    return this.#cells.filter(({ cell }) => cell.index >= 0 && !cell.notebook.isClosed);
  }
}
