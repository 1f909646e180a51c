import * as vscode from 'vscode';
import type { ServerSnapshot } from '../../host/shared/serverState.ts';
import { nativeText } from '../nativeText.ts';
import { describeServer, type ServerDescription } from './serverDescription.ts';

type Ability = ServerDescription['abilities'][number];

/** The server of the tree row whose button was pressed, or else one that the person picks among those with this ability. */
export async function pickServer(
  servers: readonly ServerSnapshot[],
  ability: Ability,
  argument: unknown,
  isSignedIn: (id: string) => boolean = () => false,
): Promise<ServerSnapshot | undefined> {
  const given = servers.find((server) => server.id === serverIdOf(argument));
  if (given !== undefined) {
    return given;
  }
  const candidates = servers.filter((server) => describeServer(server, isSignedIn(server.id)).abilities.includes(ability));
  if (candidates.length === 0) {
    const sentence =
      ability === 'signedIn'
        ? vscode.l10n.t('You are not signed in to any server.')
        : vscode.l10n.t('There is no server for that right now.');
    void vscode.window.showInformationMessage(sentence);
    return undefined;
  }
  const items = candidates.map((server) => ({
    server,
    label: nativeText(server.label),
    description: nativeText(describeServer(server).text, 80),
    detail: nativeText(server.location),
  }));
  return (await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('Choose a server') }))?.server;
}

/** Whether a command was called by the button of a tree row. */
export function isFromTree(argument: unknown): boolean {
  return serverIdOf(argument) !== undefined;
}

/** The id of the server when the argument is a row of the servers tree. */
function serverIdOf(argument: unknown): string | undefined {
  if (typeof argument !== 'object' || argument === null || !('server' in argument)) {
    return undefined;
  }
  const { server } = argument;
  const isSnapshot = typeof server === 'object' && server !== null && 'id' in server && typeof server.id === 'string';
  return isSnapshot ? (server.id as string) : undefined;
}
