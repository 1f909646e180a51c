import * as vscode from 'vscode';
import type { Question } from '../contract/questions.ts';
import { placeInFile } from '../definitions/placeInFile.ts';
import type { ServerDefinition } from '../definitions/serverDefinition.ts';
import type { ErrorReporter } from './errorReporter.ts';

/** Shows what a start question is about in the file where it is configured. */
export type ShowDefinition = (questions: readonly Question[], askId: string) => void;

export function definitionShower(
  definitionOf: (serverId: string) => ServerDefinition | undefined,
  reporter: Pick<ErrorReporter, 'report'>,
): ShowDefinition {
  return (questions, askId) => {
    const detail = questions.find((question) => question.askId === askId)?.detail;
    const definition = detail?.kind === 'startServer' ? definitionOf(detail.serverId ?? '') : undefined;
    if (definition !== undefined) {
      void showDefinition(definition).catch((error: unknown) => reporter.report(error));
    }
  };
}

/** Opens the file that a server is configured in, at its definition. */
async function showDefinition(definition: ServerDefinition): Promise<void> {
  const editor = await openFile(definition);
  const place = editor && placeInFile(editor.document.getText(), definition.name);
  if (editor === undefined || place === undefined) {
    return;
  }
  const start = editor.document.positionAt(place.offset);
  editor.selection = new vscode.Selection(start, start);
  editor.revealRange(new vscode.Range(start, editor.document.positionAt(place.offset + place.length)));
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
