import * as vscode from 'vscode';

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
