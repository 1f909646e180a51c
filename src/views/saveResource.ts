import * as vscode from 'vscode';
import type { ResourceDocuments } from './resourceDocuments.ts';
import { viewError } from './sentences/viewErrors.ts';

/** `Save Resource As…`: the bytes the server sent, also of what is shown as a picture or as hex. */
export async function saveResource(documents: ResourceDocuments, argument: unknown): Promise<void> {
  const uri = argument instanceof vscode.Uri ? argument : activeUri();
  const ref = uri === undefined ? undefined : documents.refOf(uri);
  if (ref === undefined) {
    throw viewError('views.noResource');
  }
  const { raw, rawName } = await documents.rawOf(ref);
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const defaultUri = folder === undefined ? vscode.Uri.file(rawName) : vscode.Uri.joinPath(folder, rawName);
  const target = await vscode.window.showSaveDialog({ defaultUri });
  if (target !== undefined) {
    await vscode.workspace.fs.writeFile(target, raw);
  }
}

function activeUri(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const isFile = input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom;
  return isFile ? input.uri : undefined;
}
