import { addServer } from '../../views/addServer.ts';
import type { CommandHandlers } from '../../views/commandTable.ts';
import { pickServer } from '../../views/pickServer.ts';
import { revealAdded } from '../../views/revealAdded.ts';
import { tellSignedOut } from '../../views/signInNotice.ts';
import type { CommandContext } from './commandContext.ts';

type ServerCommand = 'addServer' | 'startServer' | 'stopServer' | 'restartServer' | 'showServerLog' | 'signOut';

/** The MCP servers of this window. */
export function serverCommands({ host, signIns, logs, serversTree }: CommandContext): Pick<CommandHandlers, ServerCommand> {
  const { registry, starts, signedIn } = host;
  const withServer =
    (ability: Parameters<typeof pickServer>[1], act: (id: string) => unknown) =>
    async (argument?: unknown): Promise<void> => {
      const picked = await pickServer(registry.servers(), ability, argument, (id) => signIns.isSignedIn(id));
      if (picked !== undefined) {
        await act(picked.id);
      }
    };
  return {
    addServer: async () => {
      const added = await addServer();
      if (added !== undefined) {
        await revealAdded(added, registry, serversTree);
      }
    },
    startServer: withServer('startable', (id) => starts.start(id)),
    stopServer: withServer('stoppable', (id) => registry.stop(id)),
    restartServer: withServer('restartable', (id) => starts.restart(id)),
    showServerLog: withServer('loggable', (id) => logs.show(registry.labelOf(id))),
    signOut: withServer('signedIn', async (id) => {
      const label = registry.labelOf(id);
      tellSignedOut(label, await signedIn.signOut(id));
    }),
  };
}
