import * as vscode from 'vscode';
import { pickClient, pickGrants, pickRole } from '../views/clientPicks.ts';
import type { ServerJoin } from './serverJoin.ts';

/** `Change Client Role…`: also lower, at once. */
export async function changeClientRole(server: ServerJoin, argument: unknown): Promise<void> {
  const client = await pickClient(argument, server.clients(), server.knownClients(), 'roleable');
  const role = client === undefined ? undefined : await pickRole(client.role);
  if (client !== undefined && role !== undefined) {
    await server.permissions.changeRole(client, role);
  }
}

/** `Change Client Access…`: what is lifted of the files that are withheld. */
export async function changeClientAccess(server: ServerJoin, argument: unknown): Promise<void> {
  const client = await pickClient(argument, server.clients(), server.knownClients(), 'accessible');
  const grants = client === undefined ? undefined : await pickGrants(server.permissions.grantsOf(client.credentialId));
  if (client !== undefined && grants !== undefined) {
    await server.permissions.changeGrants(client, grants);
  }
}

/** `Revoke Client…`: its streams close, and its next request is refused. */
export async function revokeClient(server: ServerJoin, argument: unknown): Promise<void> {
  const client = await pickClient(argument, server.clients(), server.knownClients(), 'revocable');
  if (client === undefined) {
    return;
  }
  await server.credentials.revoke(client);
  if (client.credentialKind === 'windowToken') {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Every program that used the token of this window was disconnected. A new token was made.'),
    );
  }
}
