import { addServer } from '../../views/addServer.ts';
import { checkServer } from '../../views/checkServer.ts';
import type { CommandHandlers } from '../../views/commandTable.ts';
import { isFromTree, pickServer } from '../../views/pickServer.ts';
import { revealAdded } from '../../views/revealAdded.ts';
import { tellSignedOut } from '../../views/signInNotice.ts';
import type { CommandContext } from './commandContext.ts';

type ServerCommand = 'addServer' | 'startServer' | 'stopServer' | 'restartServer' | 'showServerLog' | 'checkServer' | 'signOut';

/** The MCP servers of this window. */
export function serverCommands({
  host,
  signIns,
  logs,
  panel,
  serversTree,
  documents,
}: CommandContext): Pick<CommandHandlers, ServerCommand> {
  const { registry, starts, signedIn } = host;
  // Back to the row whose button was pressed, if the person has not gone elsewhere.
  const toTree = (id: string) => () => (panel.isActive ? void serversTree.reveal(id) : undefined);
  const withServer =
    (ability: Parameters<typeof pickServer>[1], act: (id: string, giveBack?: () => void) => unknown) =>
    async (argument?: unknown): Promise<void> => {
      const picked = await pickServer(registry.servers(), ability, argument, (id) => signIns.isSignedIn(id));
      if (picked !== undefined) {
        await act(picked.id, isFromTree(argument) ? toTree(picked.id) : undefined);
      }
    };
  // Before there is nothing to choose from, which would say nothing of why.
  const onceTrusted =
    (act: (argument?: unknown) => Promise<void>) =>
    async (argument?: unknown): Promise<void> => {
      registry.requireTrust();
      await act(argument);
    };
  return {
    addServer: async () => {
      const added = await addServer();
      if (added !== undefined) {
        await revealAdded(added, registry, serversTree);
      }
    },
    startServer: onceTrusted(withServer('startable', (id, giveBack) => starts.start(id, giveBack))),
    stopServer: withServer('stoppable', (id) => registry.stop(id)),
    restartServer: onceTrusted(withServer('restartable', (id, giveBack) => starts.restart(id, giveBack))),
    showServerLog: withServer('loggable', (id) => logs.show(registry.labelOf(id))),
    checkServer: (argument) => checkServer({ registry, schemas: host.schemas, documents }, argument),
    signOut: withServer('signedIn', async (id) => {
      const label = registry.labelOf(id);
      tellSignedOut(label, await signedIn.signOut(id));
    }),
  };
}
