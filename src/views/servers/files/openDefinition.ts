// files/: servers where they are written: opening, changing and removing a definition, and the buttons above it.
import * as vscode from 'vscode';
import type { SettingsPlaces } from '../../../editor/settingsReader.ts';
import type { Question } from '../../../contract/questions/questions.ts';
import type { SettingName } from '../../../contract/settings/settings.ts';
import { placeInFile } from '../../../definitions/serverEntries.ts';
import type { ServerDefinition } from '../../../definitions/serverDefinition.ts';
import type { ErrorReporter } from '../../errorReporter.ts';

const setting = 'duplex.mcpServers' satisfies SettingName;

/** The settings in which definitions of servers stand, as people call them. */
export const settingsPlaces: SettingsPlaces = {
  user: () => vscode.l10n.t('user settings'),
  remote: () => vscode.l10n.t('remote settings'),
  workspace: () => vscode.l10n.t('workspace settings'),
  folder: (name) => vscode.l10n.t('settings of the folder {0}', name),
};

/** The place of a definition, or of a problem with one; without a name it is the whole setting. */
export type DefinitionPlace = Pick<ServerDefinition, 'scope' | 'folder' | 'path'> & { readonly name: string | undefined };

/** Opens the file that a server is configured in, at its definition. */
export async function openDefinition(definition: DefinitionPlace): Promise<void> {
  const { name } = definition;
  const editor = await openFile(definition);
  const place = editor && name !== undefined ? placeInFile(editor.document.getText(), name) : undefined;
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

/** Opens the file. Where settings are kept only VS Code knows; files of a folder and of other programs have a path. */
async function openFile({ scope, folder, path, name }: DefinitionPlace): Promise<vscode.TextEditor | undefined> {
  switch (scope) {
    case 'user':
      return openedBy('workbench.action.openSettingsJson', name);
    case 'remote':
      return openedBy('workbench.action.openRemoteSettingsFile', name);
    case 'workspace':
      return openedBy('workbench.action.openWorkspaceSettingsFile', name);
    case 'folder':
      return folder && vscode.window.showTextDocument(vscode.Uri.joinPath(vscode.Uri.file(folder.path), '.vscode', 'settings.json'));
    case 'discovered':
      return path === undefined ? undefined : vscode.window.showTextDocument(vscode.Uri.file(path));
  }
}

async function openedBy(command: string, name: string | undefined): Promise<vscode.TextEditor | undefined> {
  await vscode.commands.executeCommand(command, ...(name === undefined ? [{ revealSetting: { key: setting } }] : []));
  return vscode.window.activeTextEditor;
}

/** Opens the definition of the server that a question asks to start. */
export type ShowDefinition = (questions: readonly Question[], askId: string) => void;

export function definitionShower(
  definitionOf: (serverId: string) => ServerDefinition | undefined,
  reporter: Pick<ErrorReporter, 'report'>,
): ShowDefinition {
  return (questions, askId) => {
    const detail = questions.find((question) => question.askId === askId)?.detail;
    const definition = detail?.kind === 'startServer' ? definitionOf(detail.serverId ?? '') : undefined;
    if (definition !== undefined) {
      void openDefinition(definition).catch((error: unknown) => reporter.report(error));
    }
  };
}
