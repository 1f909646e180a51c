import type * as vscode from 'vscode';
import { Emitter } from '../base/events.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { Ledger } from '../consent/ledger.ts';
import type { OpenQuestions } from '../consent/openQuestions.ts';
import type { ApiKeyStore } from '../editor/apiKeyStore.ts';
import type { OutputLog } from '../editor/outputLog.ts';
import type { ServerLogs } from '../editor/serverLogs.ts';
import type { SettingsReader } from '../editor/settingsReader.ts';
import type { SignIns } from '../host/auth/signIns.ts';
import { ChatView } from '../views/chatView.ts';
import { ClientsTree } from '../views/clientsTree.ts';
import { registerCommands } from '../views/commandTable.ts';
import { ConsentPanel } from '../views/consentPanel.ts';
import type { ErrorReporter } from '../views/errorReporter.ts';
import { LastTextEditor } from '../views/lastTextEditor.ts';
import { ReadOnlyDocuments } from '../views/readOnlyDocuments.ts';
import { problemsOfNoServer } from '../views/serverNodes.ts';
import { ServersTree } from '../views/serversTree.ts';
import { StatusItem } from '../views/statusItem.ts';
import { summarizeStatus } from '../views/statusSummary.ts';
import type { ChatJoin } from './chatJoin.ts';
import { commandHandlers } from './commands/commands.ts';
import type { HostJoin } from './hostJoin.ts';
import type { ServerJoin } from './serverJoin.ts';

export interface ViewsJoinOptions {
  readonly extensionUri: vscode.Uri;
  readonly version: string;
  readonly host: HostJoin;
  readonly server: ServerJoin;
  readonly chat: ChatJoin;
  readonly ledger: Ledger;
  readonly questions: OpenQuestions;
  readonly keys: ApiKeyStore;
  readonly settings: SettingsReader;
  readonly reporter: ErrorReporter;
  readonly logs: ServerLogs;
  readonly signIns: SignIns;
  readonly log: OutputLog;
}

/** Joins what people see to the rooms behind it. */
export function joinViews(options: ViewsJoinOptions): Disposable {
  const { extensionUri, host, server, chat, questions, reporter, log } = options;
  const lifetime = new DisposableStore();
  const serversChanged = lifetime.add(new Emitter<void>());
  lifetime.add(host.registry.onDidChange(() => serversChanged.fire()));
  lifetime.add(options.signIns.onDidChange(() => serversChanged.fire()));
  lifetime.add(questions.onDidChange(() => serversChanged.fire()));
  lifetime.add(chat.session.questions.onDidChange(() => serversChanged.fire()));
  const serversTree = lifetime.add(
    new ServersTree({
      servers: () => host.registry.servers(),
      problems: () => problemsOfNoServer(host.registry.problems(), host.registry.servers()),
      modelName: (id, tool) => host.registry.modelTools().find((each) => each.serverId === id && each.tool === tool)?.name,
      isSignedIn: (id) => options.signIns.isSignedIn(id),
      openQuestions: () => questions.list().length + chat.session.questions.list().length,
      onDidChange: serversChanged.event,
    }),
  );
  lifetime.add(new ClientsTree(server));
  const documents = lifetime.add(new ReadOnlyDocuments());
  const panel = lifetime.add(new ConsentPanel(questions, extensionUri, log));
  const lastTextEditor = lifetime.add(new LastTextEditor());
  const chatView = lifetime.add(new ChatView({ session: chat.session, extensionUri, reporter, lastTextEditor, log }));
  lifetime.add(chat.session.questions.onDidChange(() => chatView.noticeQuestions()));
  const status = lifetime.add(new StatusItem());
  const refreshStatus = (): void =>
    status.show(
      summarizeStatus({
        servers: host.registry.servers(),
        questions: { inPanel: questions.list().length, inChat: chat.session.questions.list().length },
        embedded: server.state,
        clients: server.clients().length,
      }),
    );
  lifetime.add(serversChanged.event(refreshStatus));
  lifetime.add(server.onDidChange(refreshStatus));
  lifetime.add(registerCommands(commandHandlers({ ...options, panel, chatView, serversTree, documents }), reporter));
  return lifetime;
}
