import * as vscode from 'vscode';
import type { ContextRef } from '../../chat/context/contextSources.ts';
import { rangeRef } from '../../editor/context/editorContext.ts';
import { toClientPath } from '../../editor/shared/clientPlaces.ts';

/** How many lines before and after a problem are attached with it, so that a model sees what it is about. */
const linesAround = 8;

/** A problem of a file, as a quick fix names it. */
export interface ProblemTarget {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
  readonly kind: 'problem';
}

export type ProblemWish = 'fix' | 'explain';

export interface AskedChat {
  /** Shows the chat with words that the person can send, or change first. */
  readonly draft: (text: string) => Promise<void>;
  readonly attach: (refs: readonly ContextRef[]) => Promise<void>;
}

/**
 * Asks the chat to fix or explain the problem of a quick fix, or else the one at the cursor. Where there is none, the person is told
 * so, and the chat stays as it is.
 */
export async function askAboutProblem(
  argument: unknown,
  wish: ProblemWish,
  editor: vscode.TextEditor | undefined,
  { draft, attach }: AskedChat,
): Promise<void> {
  const problem = isProblem(argument) ? argument : problemAtCursor(editor);
  if (problem === undefined) {
    // Not awaited: the notification stands until the person closes it.
    void vscode.window.showInformationMessage(vscode.l10n.t('There is no problem at the cursor.'));
    return;
  }
  await draft(
    wish === 'fix'
      ? vscode.l10n.t('Fix the attached problem.')
      : vscode.l10n.t('Explain the attached problem: what it means and where it comes from.'),
  );
  await attach(await problemRefs(problem));
}

/** The problem and the lines around it. */
export async function problemRefs({ uri, range }: ProblemTarget): Promise<readonly ContextRef[]> {
  const lines = { start: range.start.line + 1, end: range.end.line + 1 };
  const around = new vscode.Range(Math.max(0, range.start.line - linesAround), 0, range.end.line + linesAround + 1, 0);
  return [{ kind: 'diagnostics', path: toClientPath(uri), lines }, await refOfRange(uri, around)];
}

/** The lines of a document, as far as it has them. */
export async function refOfRange(uri: vscode.Uri, range: vscode.Range): Promise<ContextRef> {
  const document = await vscode.workspace.openTextDocument(uri);
  return rangeRef(document, document.validateRange(range));
}

export function isProblem(value: unknown): value is ProblemTarget {
  const { kind, uri, range } = (typeof value === 'object' && value !== null ? value : {}) as Partial<Record<keyof ProblemTarget, unknown>>;
  return kind === 'problem' && uri instanceof vscode.Uri && range instanceof vscode.Range;
}

/** The worst problem in the line of the cursor. */
function problemAtCursor(editor: vscode.TextEditor | undefined): ProblemTarget | undefined {
  if (editor === undefined) {
    return undefined;
  }
  const { uri } = editor.document;
  const { active } = editor.selection;
  const here = vscode.languages.getDiagnostics(uri).filter(({ range }) => range.start.line <= active.line && range.end.line >= active.line);
  const best = here.sort((one, other) => one.severity - other.severity)[0];
  return best === undefined ? undefined : { kind: 'problem', uri, range: best.range };
}
