import * as os from 'node:os';
import * as vscode from 'vscode';
import { listWorkspaceFolders } from '../../editor/shared/workspaceFolders.ts';
import { pickConnection, pickHost, tellCopied, tellRevoked } from '../../views/copyClientConfiguration.ts';
import { configurationText, offeredAddress, type HostConnection, type KnownHost } from '../../contract/clientConfigurations.ts';
import type { ServerJoin } from '../serverJoin.ts';

/** `Copy Client Configuration…` */
export async function copyClientConfiguration(server: ServerJoin): Promise<void> {
  const choice = await pickHost();
  const connection = choice === undefined ? undefined : await connectionFor(choice.host, server);
  if (choice === undefined || connection === undefined) {
    return;
  }
  const issued = await server.credentials.mintFor(choice.label, (token) =>
    vscode.env.clipboard.writeText(configurationText(choice.host, connection, token)),
  );
  // Not awaited: the command is done, the notification may stand for long.
  void tellCopied(choice, issued.credentialId).then(async (isTakenBack) => {
    if (isTakenBack) {
      await server.credentials.revoke(issued);
      tellRevoked(choice);
    }
  });
}

async function connectionFor(host: KnownHost, { state, fixedPort }: ServerJoin): Promise<HostConnection | undefined> {
  const listening = state.kind === 'listening' ? { port: state.port, url: state.urls.mcp } : undefined;
  const url = offeredAddress(host, fixedPort, listening);
  const kind = url === undefined ? 'bridge' : await pickConnection(url);
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
