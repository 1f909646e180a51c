import * as vscode from 'vscode';
import type { MadeEdit } from '../contract/chat/edits.ts';
import { fromClientPath } from '../editor/shared/clientUris.ts';
import { nativeText } from './nativeText.ts';
import type { ReadOnlyDocuments } from './readOnlyDocuments.ts';

/** The file before an answer changed it, beside the file as it is now. */
export async function showEdit(documents: ReadOnlyDocuments, { path, from, before, after }: MadeEdit): Promise<void> {
  const old = documents.add(`before/${from ?? path}`, before ?? '');
  const now = after === undefined ? documents.add(`deleted/${path}`, '') : fromClientPath(path);
  const title = vscode.l10n.t('{0} (before this answer ↔ now)', nativeText(path));
  await vscode.commands.executeCommand('vscode.diff', old, now, title);
}
