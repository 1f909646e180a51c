import { pickClient, pickGrants, pickRole, tellWindowTokenReplaced } from '../../views/clientPicks.ts';
import type { CommandHandlers } from '../../views/commandTable.ts';
import type { ServerJoin } from '../serverJoin.ts';
import type { CommandContext } from './commandContext.ts';
import { copyClientConfiguration } from './copyClientConfiguration.ts';

type ClientCommand = 'changeClientRole' | 'changeClientAccess' | 'revokeClient' | 'rotateServerToken' | 'copyClientConfiguration';

/** The outside programs that use this editor as a server. */
export function clientCommands({ server }: CommandContext): Pick<CommandHandlers, ClientCommand> {
  return {
    changeClientRole: (argument) => changeClientRole(server, argument),
    changeClientAccess: (argument) => changeClientAccess(server, argument),
    revokeClient: (argument) => revokeClient(server, argument),
    rotateServerToken: () => server.credentials.rotateWindowToken(),
    copyClientConfiguration: () => copyClientConfiguration(server),
  };
}

/** `Change Client Role…`: also lower, at once. */
async function changeClientRole(server: ServerJoin, argument: unknown): Promise<void> {
  const client = await pickClient(argument, server.clients(), server.knownClients(), 'roleable');
  const role = client === undefined ? undefined : await pickRole(client.role, server.permissions.rolesOf(client));
  if (client !== undefined && role !== undefined) {
    await server.permissions.changeRole(client, role);
  }
}

/** `Change Client Access…`: what is lifted of the files that are withheld. */
async function changeClientAccess(server: ServerJoin, argument: unknown): Promise<void> {
  const client = await pickClient(argument, server.clients(), server.knownClients(), 'accessible');
  const grants = client === undefined ? undefined : await pickGrants(server.permissions.grantsOf(client));
  if (client !== undefined && grants !== undefined) {
    await server.permissions.changeGrants(client, grants);
  }
}

/** `Revoke Client…`: its streams close, and its next request is refused. */
async function revokeClient(server: ServerJoin, argument: unknown): Promise<void> {
  const client = await pickClient(argument, server.clients(), server.knownClients(), 'revocable');
  if (client === undefined) {
    return;
  }
  await server.credentials.revoke(client);
  if (client.credentialKind === 'windowToken') {
    tellWindowTokenReplaced();
  }
}
