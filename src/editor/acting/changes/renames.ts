import * as vscode from 'vscode';
import { messageOf } from '../../../base/errors.ts';
import type { RenameRequest } from '../../../server/seen/ports/actingPort.ts';
import { hasFreeMembers, nameProblem } from '../../language/symbolNames.ts';
import { editorError } from '../../shared/editorErrors.ts';

/**
 * Has the language service work out a rename. Rejects a name that the language does not allow: many services rename to anything,
 * and leave a text that is none of their language any more.
 */
export async function renameEdit(
  document: vscode.TextDocument,
  { path, line, character, newName }: RenameRequest,
): Promise<vscode.WorkspaceEdit> {
  const position = new vscode.Position(line - 1, character - 1);
  const edit = await askForRename(document, position, newName);
  if (edit === undefined || edit.size === 0) {
    throw editorError('editor.noRename', { path, line, character });
  }
  const { languageId: language } = document;
  const place = edit.get(document.uri).find(({ range }) => range.contains(position))?.range;
  const problem = nameProblem(language, place === undefined ? '' : document.getText(place), newName);
  if (problem === 'notName' && !(hasFreeMembers(language) && place !== undefined && isQuoted(document, place))) {
    throw editorError('editor.notName', { name: newName, language });
  }
  if (problem === 'reserved' && !(hasFreeMembers(language) && (await isMember(edit)))) {
    throw editorError('editor.reservedName', { name: newName, language });
  }
  return edit;
}

async function askForRename(
  document: vscode.TextDocument,
  position: vscode.Position,
  newName: string,
): Promise<vscode.WorkspaceEdit | undefined> {
  try {
    const command = 'vscode.executeDocumentRenameProvider';
    return (await vscode.commands.executeCommand<vscode.WorkspaceEdit | null>(command, document.uri, position, newName)) ?? undefined;
  } catch (error) {
    throw editorError('editor.renameRefused', { reason: messageOf(error) }, { cause: error });
  }
}

/** Whether the name stands in quotes, as that of a property may. */
function isQuoted(document: vscode.TextDocument, { start, end }: vscode.Range): boolean {
  const line = document.lineAt(start.line).text;
  const before = line[start.character - 1] ?? '';
  return start.line === end.line && ['"', "'"].includes(before) && line[end.character] === before;
}

/** The most files in whose outlines the declaration is looked for. */
const maxOutlines = 12;

/** Whether one of the renamed places declares a member, after a dot or in braces, where any word is a name. */
async function isMember(edit: vscode.WorkspaceEdit): Promise<boolean> {
  const { Method, Property, Field, EnumMember } = vscode.SymbolKind;
  const memberKinds = [Method, Property, Field, EnumMember];
  for (const [uri, edits] of edit.entries().slice(0, maxOutlines)) {
    const command = 'vscode.executeDocumentSymbolProvider';
    const outline = (await vscode.commands.executeCommand<readonly vscode.DocumentSymbol[] | undefined>(command, uri)) ?? [];
    const starts = new Set(edits.map(({ range: { start } }) => `${start.line}:${start.character}`));
    const isDeclaredHere = ({ kind, selectionRange: { start } }: vscode.DocumentSymbol): boolean =>
      memberKinds.includes(kind) && starts.has(`${start.line}:${start.character}`);
    if (everySymbol(outline).some(isDeclaredHere)) {
      return true;
    }
  }
  return false;
}

/** All symbols of an outline. Services that have no tree return a flat list of another type, which has no `selectionRange`. */
function everySymbol(symbols: readonly vscode.DocumentSymbol[]): vscode.DocumentSymbol[] {
  return symbols.filter((symbol) => 'selectionRange' in symbol).flatMap((symbol) => [symbol, ...everySymbol(symbol.children)]);
}
