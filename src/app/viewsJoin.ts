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
import { needsPermission, needsSignIn } from '../host/serverState.ts';
import { ChatView } from '../views/chatView.ts';
import { ClientsTree } from '../views/clientsTree.ts';
import { registerCommands } from '../views/commandTable.ts';
import { ConsentPanel } from '../views/consentPanel.ts';
import type { ErrorReporter } from '../views/errorReporter.ts';
import { LastTextEditor } from '../views/lastTextEditor.ts';
import { ReadOnlyDocuments } from '../views/readOnlyDocuments.ts';
import { ServersTree } from '../views/serversTree.ts';
import { StatusItem, type StatusSummary } from '../views/statusItem.ts';
import type { ChatJoin } from './chatJoin.ts';
import { commandHandlers } from './commandHandlers.ts';
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
      problems: () => orphanProblems(host),
      modelName: (id, tool) => host.registry.modelTools().find((each) => each.serverId === id && each.tool === tool)?.name,
      isSignedIn: (id) => options.signIns.isSignedIn(id),
      openQuestions: () => openQuestions(options).total,
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
  const refreshStatus = (): void => status.show(summarize(options));
  lifetime.add(serversChanged.event(refreshStatus));
  lifetime.add(server.onDidChange(refreshStatus));
  lifetime.add(registerCommands(commandHandlers({ ...options, panel, chatView, serversTree, documents }), reporter));
  return lifetime;
}

/** Problems that belong to no server in the tree: their definition was too broken to become one. */
function orphanProblems(host: HostJoin): ReturnType<HostJoin['registry']['problems']> {
  const shown = new Set(host.registry.servers().flatMap((server) => server.problems));
  return host.registry.problems().filter((problem) => !shown.has(problem));
}

function openQuestions({ questions, chat }: ViewsJoinOptions): { readonly total: number; readonly inPanel: number } {
  const inPanel = questions.list().length;
  return { total: inPanel + chat.session.questions.list().length, inPanel };
}

/** The most urgent thing first. */
function summarize(options: ViewsJoinOptions): StatusSummary {
  const { host, server } = options;
  const servers = host.registry.servers();
  const open = openQuestions(options);
  const waiting = servers.filter(needsPermission).length;
  const failed = servers.filter((each) => each.state.kind === 'failed' && !needsSignIn(each)).map((each) => each.label);
  const unknown = servers.filter(needsSignIn).map((each) => each.label);
  if (open.total > 0) {
    return { kind: 'questions', count: open.total, areInChat: open.inPanel === 0 };
  }
  if (failed.length > 0) {
    return { kind: 'failed', names: failed };
  }
  if (waiting > 0) {
    return { kind: 'needsPermission', count: waiting };
  }
  if (unknown.length > 0) {
    return { kind: 'needsSignIn', names: unknown };
  }
  return server.state.kind === 'listening'
    ? { kind: 'listening', port: server.state.port, clients: server.clients().length }
    : { kind: 'off' };
}
