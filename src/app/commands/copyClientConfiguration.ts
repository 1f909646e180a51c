import * as os from 'node:os';
import * as vscode from 'vscode';
import { listWorkspaceFolders } from '../../editor/shared/workspaceFolders.ts';
import { pickConnection, pickHost, tellCopied, tellRevoked } from '../../views/copyClientConfiguration.ts';
import { configurationText, takesAddresses, type HostConnection, type KnownHost } from '../../contract/clientConfigurations.ts';
import type { ServerJoin } from '../serverJoin.ts';

/** `Copy Client Configuration…` */
export async function copyClientConfiguration(server: ServerJoin): Promise<void> {
  const choice = await pickHost();
  const connection = choice === undefined ? undefined : await connectionFor(choice.host, server);
  if (choice === undefined || connection === undefined) {
    return;
  }
  const tokens = await server.storage.clientTokens();
  const { id, token } = await tokens.mint(choice.label);
  try {
    await vscode.env.clipboard.writeText(configurationText(choice.host, connection, token));
  } catch (error) {
    await tokens.revoke(id);
    throw error;
  }
  // Not awaited: the command is done, the notification may stand for long.
  void tellCopied(choice, id).then(async (isTakenBack) => {
    if (isTakenBack) {
      await server.credentials.revoke({ credentialId: id, credentialKind: 'clientToken' });
      tellRevoked(choice);
    }
  });
}

/** By address only where the address stays: with a port of the person's choice that this window has. */
async function connectionFor(host: KnownHost, server: ServerJoin): Promise<HostConnection | undefined> {
  const { state } = server;
  const url = state.kind === 'listening' && state.port === server.fixedPort ? state.urls.mcp : undefined;
  const kind = url !== undefined && takesAddresses(host) ? await pickConnection(url) : 'bridge';
  if (kind === 'address' && url !== undefined) {
    return { kind, url };
  }
  return kind === 'bridge' ? bridgeToHere() : undefined;
}

async function bridgeToHere(): Promise<HostConnection> {
  const { bridgeConnection } = await import('../../server/window/bridgeConnection.ts');
  const folders = listWorkspaceFolders().map((folder) => folder.path);
  return bridgeConnection(process.env['DUPLEX_HOME'], os.homedir(), folders);
}
