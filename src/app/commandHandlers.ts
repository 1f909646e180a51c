import * as vscode from 'vscode';
import { addServer } from '../views/addServer.ts';
import { removeApiKey, setApiKey } from '../views/apiKeyCommands.ts';
import type { ChatView } from '../views/chatView.ts';
import type { CommandHandlers } from '../views/commandTable.ts';
import type { ConsentPanel } from '../views/consentPanel.ts';
import { doctorReport } from '../views/doctorReport.ts';
import { managePermissions } from '../views/managePermissions.ts';
import { nativeText } from '../views/nativeText.ts';
import { pickServer } from '../views/pickServer.ts';
import type { ReadOnlyDocuments } from '../views/readOnlyDocuments.ts';
import type { ServersTree } from '../views/serversTree.ts';
import { isFromCaller } from '../views/toolCallArgument.ts';
import { pickedToolOf } from '../views/serverNodes.ts';
import { changeClientAccess, changeClientRole, revokeClient } from './clientCommands.ts';
import { copyClientConfiguration } from './clientConfiguration.ts';
import { answerProposal } from './proposalCommands.ts';
import { revealAdded } from '../views/revealAdded.ts';
import { runToolForCaller, runToolForPerson } from './commands/toolCommands.ts';
import type { ViewsJoinOptions } from './viewsJoin.ts';

export interface CommandContext extends ViewsJoinOptions {
  readonly panel: ConsentPanel;
  readonly chatView: ChatView;
  readonly serversTree: ServersTree;
  readonly documents: ReadOnlyDocuments;
}

/** What each command of the contract does. */
export function commandHandlers(context: CommandContext): CommandHandlers {
  const { chat, chatView, host, server, ledger, keys, panel, documents, questions } = context;
  const runToolPorts = { registry: host.registry, caller: host.caller, ask: questions.ask, documents };
  const withServer =
    (ability: Parameters<typeof pickServer>[1], act: (id: string) => unknown) =>
    async (argument?: unknown): Promise<void> => {
      const picked = await pickServer(host.registry.servers(), ability, argument, (id) => context.signIns.isSignedIn(id));
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
    addServer: async () => {
      const added = await addServer();
      if (added !== undefined) {
        await revealAdded(added, host.registry, context.serversTree);
      }
    },
    startServer: withServer('startable', (id) => host.starts.start(id)),
    stopServer: withServer('stoppable', (id) => host.registry.stop(id)),
    restartServer: withServer('restartable', (id) => host.starts.restart(id)),
    showServerLog: withServer('loggable', (id) => context.logs.show(host.registry.labelOf(id))),
    signOut: withServer('signedIn', (id) => signOut(context, id)),
    runTool: (argument) =>
      isFromCaller(argument) ? runToolForCaller(runToolPorts, argument) : runToolForPerson(runToolPorts, pickedToolOf(argument)),
    doctor: () => documents.show('Duplex Doctor', 'md', doctorReport(findings(context))),
    managePermissions: () => managePermissions(ledger, (id) => host.registry.labelOf(id)),
    revokeClient: (argument) => revokeClient(server, argument),
    rotateServerToken: () => server.credentials.rotateWindowToken(),
    copyClientConfiguration: () => copyClientConfiguration(server),
    changeClientRole: (argument) => changeClientRole(server, argument),
    changeClientAccess: (argument) => changeClientAccess(server, argument),
    accept: (argument) => answerProposal(server, 'accept', argument),
    reject: (argument) => answerProposal(server, 'reject', argument),
    showPermissionQuestions: () => panel.show(),
  };
}

async function signOut({ host }: CommandContext, id: string): Promise<void> {
  const label = nativeText(host.registry.labelOf(id));
  const sentences = {
    notSignedIn: vscode.l10n.t('You are not signed in to {0}.', label),
    revoked: vscode.l10n.t('Signed out of {0}.', label),
    forgotten: vscode.l10n.t('Signed out of {0} on this machine. The server could not be told; the sign-in ends there by itself.', label),
  };
  void vscode.window.showInformationMessage(sentences[await host.signedIn.signOut(id)]);
}

function findings({ version, host, server, settings }: CommandContext): Parameters<typeof doctorReport>[0] {
  return {
    duplexVersion: version,
    isTrusted: vscode.workspace.isTrusted,
    env: process.env,
    askedShell: host.askedShell,
    servers: host.registry.servers(),
    problems: host.registry.problems(),
    embedded: server.state,
    isServerEnabled: settings.get('duplex.server.enabled'),
    hasProxySetting: settings.hasProxy(),
  };
}
