import * as vscode from 'vscode';
import { placeInFile } from '../definitions/placeInFile.ts';
import type { ServerDefinition } from '../definitions/serverDefinition.ts';

/** Opens the file that a server is configured in, at its definition. */
export async function openDefinition(definition: ServerDefinition): Promise<void> {
  const editor = await openFile(definition);
  const place = editor && placeInFile(editor.document.getText(), definition.name);
  if (editor === undefined || place === undefined) {
    return;
  }
  const start = editor.document.positionAt(place.offset);
  editor.selection = new vscode.Selection(start, start);
  editor.revealRange(
    new vscode.Range(start, editor.document.positionAt(place.offset + place.length)),
    vscode.TextEditorRevealType.InCenterIfOutsideViewport,
  );
}

/** VS Code knows best where settings are kept; only files of a folder and of other programs have a path of their own. */
async function openFile({ scope, folder, path }: ServerDefinition): Promise<vscode.TextEditor | undefined> {
  switch (scope) {
    case 'user':
      return openedBy('workbench.action.openSettingsJson');
    case 'remote':
      return openedBy('workbench.action.openRemoteSettingsFile');
    case 'workspace':
      return openedBy('workbench.action.openWorkspaceSettingsFile');
    case 'folder':
      return folder && vscode.window.showTextDocument(vscode.Uri.joinPath(vscode.Uri.file(folder.path), '.vscode', 'settings.json'));
    case 'discovered':
      return path === undefined ? undefined : vscode.window.showTextDocument(vscode.Uri.file(path));
  }
}

async function openedBy(command: string): Promise<vscode.TextEditor | undefined> {
  await vscode.commands.executeCommand(command);
  return vscode.window.activeTextEditor;
}
