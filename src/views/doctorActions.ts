import * as vscode from 'vscode';
import type { CommandId } from '../contract/commands.ts';
import type { DoctorAction } from '../contract/doctorMessages.ts';
import type { DefinitionProblem } from '../definitions/serverDefinition.ts';
import type { ServerSnapshot } from '../host/shared/serverState.ts';
import type { DefinitionPlace } from './openDefinition.ts';

export interface DoctorSubjects {
  readonly servers: readonly ServerSnapshot[];
  readonly problems: readonly DefinitionProblem[];
  readonly openPlace: (place: DefinitionPlace) => Thenable<unknown>;
}

/** Does what a button of the doctor's page offers: always a command that a person could give as well. */
export function doDoctorAction(findingId: string, action: DoctorAction, subjects: DoctorSubjects): Thenable<unknown> {
  const { servers, problems, openPlace } = subjects;
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
        : openProblem(problems[Number(/^problem (\d+)$/.exec(findingId)?.[1] ?? Number.NaN)], openPlace);
  }
}

/** The file in which something is wrong. */
function openProblem(problem: DefinitionProblem | undefined, openPlace: DoctorSubjects['openPlace']): Thenable<unknown> {
  if (problem === undefined) {
    return vscode.commands.executeCommand('workbench.action.openSettings', 'duplex.mcpServers');
  }
  const { scope, folder, location, server } = problem;
  return openPlace({ scope, folder, path: scope === 'discovered' ? location : undefined, name: server });
}
