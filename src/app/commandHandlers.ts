import * as vscode from 'vscode';
import type { ClientEntry } from '../server/clientRegistry.ts';
import { removeApiKey, setApiKey } from '../views/apiKeyCommands.ts';
import type { ChatView } from '../views/chatView.ts';
import { approvalWords } from '../views/clientsTree.ts';
import type { CommandHandlers } from '../views/commandTable.ts';
import type { ConsentPanel } from '../views/consentPanel.ts';
import { managePermissions } from '../views/managePermissions.ts';
import { nativeText } from '../views/nativeText.ts';
import { pickServer } from '../views/pickServer.ts';
import type { ViewsJoinOptions } from './viewsJoin.ts';

export interface CommandContext extends ViewsJoinOptions {
  readonly panel: ConsentPanel;
  readonly chatView: ChatView;
}

/** What each command of the contract does. */
export function commandHandlers(context: CommandContext): CommandHandlers {
  const { chat, chatView, host, server, ledger, keys, panel, log } = context;
  const withServer =
    (ability: Parameters<typeof pickServer>[1], act: (id: string) => unknown) =>
    async (argument?: unknown): Promise<void> => {
      const picked = await pickServer(host.registry.servers(), ability, argument);
      if (picked !== undefined) {
        await act(picked.id);
      }
    };
  return {
    openChat: () => chatView.focus(),
    newConversation: async () => {
      await chat.session.newConversation();
      await chatView.focus();
    },
    setApiKey: () => setApiKey(keys),
    removeApiKey: () => removeApiKey(keys),
    addServer: () => vscode.commands.executeCommand('workbench.action.openSettings', 'duplex.mcpServers'),
    startServer: withServer('startable', (id) => host.startServer(id)),
    stopServer: withServer('stoppable', (id) => host.registry.stop(id)),
    restartServer: withServer('restartable', (id) => host.restartServer(id)),
    showServerLog: () => log.show(),
    managePermissions: () => managePermissions(ledger, (id) => host.registry.labelOf(id)),
    revokeClient: async (argument) => {
      const clients = server.clients();
      const sessionId = sessionIdOf(argument) ?? (await pickClient(clients));
      const client = clients.find((each) => each.sessionId === sessionId);
      if (client !== undefined) {
        await server.revoke(client);
      }
    },
    rotateServerToken: () => server.rotateToken(),
    showPermissionQuestions: () => panel.show(),
  };
}

function sessionIdOf(argument: unknown): string | undefined {
  const isEntry = typeof argument === 'object' && argument !== null && 'sessionId' in argument && typeof argument.sessionId === 'string';
  return isEntry ? (argument.sessionId as string) : undefined;
}

async function pickClient(clients: readonly ClientEntry[]): Promise<string | undefined> {
  if (clients.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No outside program is connected.'));
    return undefined;
  }
  const items = clients.map((client) => ({
    sessionId: client.sessionId,
    label: nativeText(client.callsItself),
    description: approvalWords(client),
  }));
  return (await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('Choose the client to disconnect') }))?.sessionId;
}
