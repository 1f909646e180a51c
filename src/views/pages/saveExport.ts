import * as vscode from 'vscode';

/** Saves a file of an app where the person wants it; false when they cancel. Nothing opens it. */
export async function saveBytes(name: string, bytes: Uint8Array): Promise<boolean> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Save a File of an App'),
    ...(folder !== undefined && { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
  if (target !== undefined) {
    await vscode.workspace.fs.writeFile(target, bytes);
  }
  return target !== undefined;
}

/** Saves a text as a file where the person wants it; undefined when they cancel. */
export async function saveExport(
  title: string,
  name: string,
  filters: Readonly<Record<string, string[]>>,
  text: string,
): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog({
    title,
    ...(folder !== undefined && { defaultUri: vscode.Uri.joinPath(folder, name) }),
    filters: { ...filters },
  });
  if (target !== undefined) {
    await vscode.workspace.fs.writeFile(target, Buffer.from(text));
  }
  return target;
}
