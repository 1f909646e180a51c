import * as vscode from 'vscode';
import type { ContextRef } from '../chat/context/contextSources.ts';
import { rangeRef, selectionRef } from '../editor/context/editorContext.ts';
import { toClientPath } from '../editor/shared/clientUris.ts';
import { refOfUri } from './chatContextHandlers.ts';

/** Lines around a problem that tell what it is about. */
const linesAround = 8;

/** A problem of a file, as a quick fix names it. */
export interface ProblemTarget {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
  readonly kind: 'problem';
}

/**
 * What a menu, a quick fix or the palette means. The editor's menu names its file, and means what is selected in it; the Explorer
 * and the source control view name all that is selected there; a test item is its source and what came of the last run.
 */
export async function addToChatTargets(args: readonly unknown[], editor: vscode.TextEditor | undefined): Promise<readonly ContextRef[]> {
  const [first, second] = args;
  if (isProblem(first)) {
    return problemRefs(first);
  }
  if (first instanceof vscode.Uri) {
    const isSelectedIn = !Array.isArray(second) && editor?.document.uri.toString() === first.toString();
    const selection = isSelectedIn ? selectionRef(editor) : undefined;
    const uris = Array.isArray(second) ? second.filter((each) => each instanceof vscode.Uri) : [first];
    return selection === undefined ? Promise.all((uris.length === 0 ? [first] : uris).map(refOfUri)) : [selection];
  }
  if (hasProperty(first, 'resourceUri')) {
    const uris = args.flatMap((each) =>
      hasProperty(each, 'resourceUri') && each.resourceUri instanceof vscode.Uri ? [each.resourceUri] : [],
    );
    return uris.map((uri) => ({ kind: 'changes', path: toClientPath(uri) }));
  }
  if (hasProperty(first, 'resourceStates') || hasProperty(first, 'rootUri')) {
    return [{ kind: 'changes' }];
  }
  if (hasProperty(first, 'uri') && first.uri instanceof vscode.Uri) {
    const range = hasProperty(first, 'range') && first.range instanceof vscode.Range ? first.range : undefined;
    return [...(range === undefined ? [await refOfUri(first.uri)] : [await rangeOf(first.uri, range)]), { kind: 'tests' }];
  }
  const active = editor;
  return active === undefined ? [] : [selectionRef(active) ?? (await refOfUri(active.document.uri))];
}

/** The problem and the lines around it. */
export async function problemRefs({ uri, range }: ProblemTarget): Promise<readonly ContextRef[]> {
  const lines = { start: range.start.line + 1, end: range.end.line + 1 };
  const around = new vscode.Range(Math.max(0, range.start.line - linesAround), 0, range.end.line + linesAround + 1, 0);
  return [{ kind: 'diagnostics', path: toClientPath(uri), lines }, await rangeOf(uri, around)];
}

export type ProblemWish = 'fix' | 'explain';

/** For the person to send, or to change first. */
export function problemDraft(wish: ProblemWish): string {
  return wish === 'fix'
    ? vscode.l10n.t('Fix the attached problem.')
    : vscode.l10n.t('Explain the attached problem: what it means and where it comes from.');
}

/** Does not wait for the person to close it. */
export function sayNoProblem(): void {
  void vscode.window.showInformationMessage(vscode.l10n.t('There is no problem at the cursor.'));
}

export function isProblem(value: unknown): value is ProblemTarget {
  return (
    hasProperty(value, 'kind') &&
    value.kind === 'problem' &&
    hasProperty(value, 'uri') &&
    value.uri instanceof vscode.Uri &&
    hasProperty(value, 'range') &&
    value.range instanceof vscode.Range
  );
}

/** At the cursor of the last editor, for those who call a command without one. */
export function problemAtCursor(editor: vscode.TextEditor | undefined): ProblemTarget | undefined {
  if (editor === undefined) {
    return undefined;
  }
  const { uri } = editor.document;
  const { active } = editor.selection;
  const here = vscode.languages.getDiagnostics(uri).filter(({ range }) => range.start.line <= active.line && range.end.line >= active.line);
  const best = here.sort((one, other) => one.severity - other.severity)[0];
  return best === undefined ? undefined : { kind: 'problem', uri, range: best.range };
}

async function rangeOf(uri: vscode.Uri, range: vscode.Range): Promise<ContextRef> {
  const document = await vscode.workspace.openTextDocument(uri);
  return rangeRef(document, document.validateRange(range));
}

function hasProperty<K extends string>(value: unknown, name: K): value is Readonly<Record<K, unknown>> {
  return typeof value === 'object' && value !== null && name in value;
}
