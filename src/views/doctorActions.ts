import * as vscode from 'vscode';
import type { CommandId } from '../contract/commands.ts';
import type { DoctorAction } from '../contract/doctorMessages.ts';
import type { DefinitionScope } from '../contract/definitionSchemas.ts';
import type { DefinitionProblem } from '../definitions/serverDefinition.ts';
import type { ServerSnapshot } from '../host/shared/serverState.ts';

export interface DoctorSubjects {
  readonly servers: readonly ServerSnapshot[];
  readonly problems: readonly DefinitionProblem[];
}

const settingsFiles: Readonly<Partial<Record<DefinitionScope, string>>> = {
  user: 'workbench.action.openSettingsJson',
  remote: 'workbench.action.openRemoteSettingsFile',
  workspace: 'workbench.action.openWorkspaceSettingsFile',
  folder: 'workbench.action.openFolderSettingsFile',
};

/** Does what a button of the doctor's page offers: always a command that a person could give as well. */
export function doDoctorAction(findingId: string, action: DoctorAction, { servers, problems }: DoctorSubjects): Thenable<unknown> {
  const server = servers.find(({ id }) => id === findingId);
  const run = (command: CommandId): Thenable<unknown> =>
    vscode.commands.executeCommand(command, server === undefined ? undefined : { server: { id: server.id } });
  switch (action) {
    case 'start':
      return run('duplex.startServer');
    case 'restart':
      return run('duplex.restartServer');
    case 'showLog':
      return run('duplex.showServerLog');
    case 'addServer':
      return run('duplex.addServer');
    case 'managePermissions':
      return run('duplex.managePermissions');
    case 'manageTrust':
      return vscode.commands.executeCommand('workbench.trust.manage');
    case 'openDefinition':
      return server !== undefined
        ? run('duplex.openServerDefinition')
        : openSettings(problems[Number(/^problem (\d+)$/.exec(findingId)?.[1] ?? Number.NaN)]);
  }
}

/** The file in which something is wrong: what could not be read has no place in it. */
function openSettings(subject: Pick<DefinitionProblem, 'scope' | 'location'> | undefined): Thenable<unknown> {
  const scope = subject?.scope;
  if (subject !== undefined && scope === 'discovered') {
    return vscode.commands.executeCommand('vscode.open', vscode.Uri.file(subject.location));
  }
  const command = scope === undefined ? undefined : settingsFiles[scope];
  return command === undefined
    ? vscode.commands.executeCommand('workbench.action.openSettings', 'duplex.mcpServers')
    : vscode.commands.executeCommand(command, { revealSetting: { key: 'duplex.mcpServers' } });
}
