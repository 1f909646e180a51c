import type { ServerDefinition } from '../../definitions/serverDefinition.ts';
import { listDefinitionFolders } from '../../editor/shared/workspaceFolders.ts';
import type { CommandHandlers } from '../../views/commandTable.ts';
import { addServer, adoptServer, type AddedServers, type WillAdd } from '../../views/servers/adding/addServer.ts';
import { checkServer } from '../../views/servers/checkServer.ts';
import { copyServer } from '../../views/servers/copyServer.ts';
import { moveSecretToInput } from '../../views/servers/files/moveSecret.ts';
import { openDefinition } from '../../views/servers/files/openDefinition.ts';
import { setServerLogLevel } from '../../views/servers/serverLogLevel.ts';
import { isFromTree, pickServer } from '../../views/servers/pickServer.ts';
import { removeServer, setDisabled, tellInputsForgotten } from '../../views/servers/files/serverChanges.ts';
import { tellSignedOut } from '../../views/servers/serverStarts.ts';
import { startAdded } from '../../views/servers/adding/startAdded.ts';
import type { CommandContext } from './commandContext.ts';

type ServerCommand =
  | 'addServer'
  | 'browseServers'
  | 'adoptServer'
  | 'bringServersTogether'
  | 'startServer'
  | 'stopServer'
  | 'restartServer'
  | 'allowHost'
  | 'showServerLog'
  | 'setServerLogLevel'
  | 'checkServer'
  | 'offerToConnectedClients'
  | 'stopOffering'
  | 'signOut';

/** The commands that start, stop and look at MCP servers. */
export function serverCommands(context: CommandContext): Pick<CommandHandlers, ServerCommand> {
  const { host, signIns, logs, panel, serversTree, documents, inputs, pages } = context;
  const { registry, starts, signedIn } = host;
  // Gives the focus back to the row whose button was pressed, unless the person has gone elsewhere.
  const toTree = (id: string) => () => (panel.isActive ? void serversTree.reveal(id) : undefined);
  const withServer =
    (ability: Parameters<typeof pickServer>[1], act: (id: string, giveBack?: () => void) => unknown) =>
    async (argument?: unknown): Promise<void> => {
      const picked = await pickServer(registry.servers(), ability, argument, (id) => signIns.isSignedIn(id));
      if (picked !== undefined) {
        await act(picked.id, isFromTree(argument) ? toTree(picked.id) : undefined);
      }
    };
  // In an untrusted window there would be no server to choose from, and no word about why.
  const onceTrusted =
    (act: (argument?: unknown) => Promise<void>) =>
    async (argument?: unknown): Promise<void> => {
      registry.requireTrust();
      await act(argument);
    };
  const startingWhat = (add: (willAdd: WillAdd) => Promise<AddedServers | undefined>): Promise<readonly string[]> =>
    host.whileAdding(async (willAdd) => {
      const added = await add(willAdd);
      return added === undefined ? [] : startAdded(added, { registry, starts, inputs, tree: serversTree });
    });
  return {
    addServer: async () => void (await startingWhat(addServer)),
    adoptServer: withServer('adoptable', async (id) => {
      const definition = registry.definitionOf(id);
      if (definition !== undefined) {
        await startingWhat((willAdd) => adoptServer(definition, listDefinitionFolders(), willAdd));
      }
    }),
    bringServersTogether: onceTrusted(() => bringTogether(context)),
    browseServers: async () => (await pages.registry.get()).show(),
    startServer: onceTrusted(withServer('startable', (id, giveBack) => starts.start(id, giveBack))),
    stopServer: withServer('stoppable', (id) => registry.stop(id)),
    restartServer: onceTrusted(withServer('restartable', (id, giveBack) => starts.restart(id, giveBack))),
    allowHost: onceTrusted((argument) => letReach(host, argument)),
    showServerLog: withServer('loggable', (id) => logs.show(registry.labelOf(id))),
    setServerLogLevel: onceTrusted((argument) => setServerLogLevel(registry, argument)),
    checkServer: (argument) => checkServer({ registry, schemas: host.schemas, documents }, argument),
    ...offerCommands(host, onceTrusted),
    signOut: withServer('signedIn', async (id) => tellSignedOut(registry.labelOf(id), await signedIn.signOut(id))),
  };
}

type Act = (argument?: unknown) => Promise<void>;

/** The commands that offer a server to outside clients, and that end it. */
function offerCommands(
  { registry, offers }: CommandContext['host'],
  onceTrusted: (act: Act) => Act,
): Record<'offerToConnectedClients' | 'stopOffering', Act> {
  const withOffer =
    (state: ReturnType<typeof offers.stateOf>, act: (id: string) => Promise<void>): Act =>
    async (argument) => {
      const candidates = registry.servers().filter((server) => offers.stateOf(server) === state);
      const picked = await pickServer(candidates, 'loggable', argument);
      if (picked !== undefined) {
        await act(picked.id);
      }
    };
  return {
    offerToConnectedClients: onceTrusted(withOffer('offerable', (id) => offers.offer(id))),
    stopOffering: withOffer('offered', (id) => offers.stopOffering(id)),
  };
}

type DefinitionCommand =
  | 'editServer'
  | 'disableServer'
  | 'enableServer'
  | 'removeServer'
  | 'forgetServerInputs'
  | 'moveSecretToInput'
  | 'copyServerForm';

/** The commands that change the definition of a server. */
export function definitionCommands({ host, inputs, userDataPath, reporter }: CommandContext): Pick<CommandHandlers, DefinitionCommand> {
  const { registry } = host;
  const withDefinition =
    (ability: Parameters<typeof pickServer>[1], act: (definition: ServerDefinition) => Promise<void>) =>
    async (argument?: unknown): Promise<void> => {
      const picked = await pickServer(registry.servers(), ability, argument);
      const definition = picked === undefined ? undefined : registry.definitionOf(picked.id);
      if (definition !== undefined) {
        await act(definition);
      }
    };
  const forget = (definition: ServerDefinition): Promise<void> => inputs.forget(definition, definition.inputs);
  return {
    editServer: withDefinition('openable', openDefinition),
    disableServer: withDefinition('disableable', (definition) => setDisabled(definition, true)),
    enableServer: withDefinition('enableable', (definition) => setDisabled(definition, false)),
    removeServer: withDefinition('editable', (definition) =>
      removeServer(definition, { onGone: () => forget(definition), report: (error) => reporter.report(error) }),
    ),
    moveSecretToInput: (argument) => moveSecretToInput({ inputs, userDataPath }, argument),
    copyServerForm: copyServer,
    forgetServerInputs: withDefinition('withInputs', async (definition) => {
      await forget(definition);
      tellInputsForgotten(definition.label);
    }),
  };
}

/** People do this once, so its code is loaded then. */
async function bringTogether({ host, server, inputs, serversTree, reporter }: CommandContext): Promise<void> {
  const { registry, starts, offers } = host;
  const [{ bringServersTogether }, { adoptServers }, { copyConfigurationFor }] = await Promise.all([
    import('../../views/servers/adding/bringTogether.ts'),
    import('../../views/servers/adding/addServer.ts'),
    import('../../views/clients/copyClientConfiguration.ts'),
  ]);
  await bringServersTogether({
    elsewhere: () => host.readElsewhere(),
    own: () => registry.servers().flatMap(({ id, scope }) => (scope === 'user' ? (registry.definitionOf(id) ?? []) : [])),
    adopt: (definitions) =>
      host.whileAdding(async (willAdd) => {
        const added = await adoptServers(definitions, listDefinitionFolders(), willAdd);
        return added === undefined ? [] : startAdded(added, { registry, starts, inputs, tree: serversTree });
      }),
    offer: (id) => offers.offer(id),
    copyFor: (program) => copyConfigurationFor(program, server, (error) => reporter.report(error)),
  });
}

/** Few servers run confined, so the code that asks for their hosts is loaded then. */
async function letReach({ registry, starts }: CommandContext['host'], argument: unknown): Promise<void> {
  const { allowHost } = await import('../../views/servers/allowHost.ts');
  await allowHost({ servers: () => registry.servers(), allow: (id, wanted) => starts.allowHost(id, wanted) }, argument);
}
