import { changeClientAccess, changeClientRole, revokeClient } from '../../views/clients/clientPicks.ts';
import { copyClientConfiguration } from '../../views/clients/copyClientConfiguration.ts';
import type { CommandHandlers } from '../../views/commandTable.ts';
import type { CommandContext } from './commandContext.ts';

type ClientCommand = 'changeClientRole' | 'changeClientAccess' | 'revokeClient' | 'rotateServerToken' | 'copyClientConfiguration';

/** The commands about outside programs that use this editor as a server. */
export function clientCommands({ server }: CommandContext): Pick<CommandHandlers, ClientCommand> {
  return {
    changeClientRole: (argument) => changeClientRole(server, argument),
    changeClientAccess: (argument) => changeClientAccess(server, argument),
    revokeClient: (argument) => revokeClient(server, argument),
    rotateServerToken: () => server.credentials.rotateWindowToken(),
    copyClientConfiguration: () => copyClientConfiguration(server),
  };
}
