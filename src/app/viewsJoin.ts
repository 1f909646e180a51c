import type * as vscode from 'vscode';
import { Emitter } from '../base/events.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { Ledger } from '../consent/ledger.ts';
import type { OpenQuestions } from '../consent/openQuestions.ts';
import type { ActingViews } from '../editor/acting/actingViews.ts';
import type { ApiKeyStore } from '../editor/apiKeyStore.ts';
import type { LastTextEditor } from '../editor/documents/lastTextEditor.ts';
import type { OutputLog } from '../editor/outputLog.ts';
import type { ServerLogs } from '../editor/serverLogs.ts';
import type { SettingsReader } from '../editor/settingsReader.ts';
import { ChatView } from '../views/chatView.ts';
import { createClientNotices } from '../views/clientNotices.ts';
import { ClientsTree } from '../views/clientsTree.ts';
import { registerCommands } from '../views/commandTable.ts';
import { ConsentPanel } from '../views/consentPanel.ts';
import type { ErrorReporter } from '../views/errorReporter.ts';
import { ProposalReviews } from '../views/proposalReviews.ts';
import { ReadOnlyDocuments } from '../views/readOnlyDocuments.ts';
import { needsSignIn } from '../views/serverDescription.ts';
import { ServersTree } from '../views/serversTree.ts';
import { StatusItem, type StatusSummary } from '../views/statusItem.ts';
import { WaitingQuestions } from '../views/waitingQuestions.ts';
import type { AuthJoin } from './authJoin.ts';
import type { ChatJoin } from './chatJoin.ts';
import { commandHandlers } from './commandHandlers.ts';
import { needsPermission, type HostJoin } from './hostJoin.ts';
import type { ServerJoin } from './serverJoin.ts';

export interface ViewsJoinOptions {
  readonly extensionUri: vscode.Uri;
  readonly version: string;
  readonly host: HostJoin;
  readonly server: ServerJoin;
  readonly chat: ChatJoin;
  readonly ledger: Ledger;
  readonly questions: OpenQuestions;
  readonly lastTextEditor: LastTextEditor;
  readonly keys: ApiKeyStore;
  readonly settings: SettingsReader;
  readonly reporter: ErrorReporter;
  readonly logs: ServerLogs;
  readonly auth: AuthJoin;
  readonly log: OutputLog;
}

export interface ViewsJoin extends Disposable {
  /** What people see of clients that act. */
  readonly acting: ActingViews;
}

/** Joins what people see to the rooms behind it. */
export function joinViews(options: ViewsJoinOptions): ViewsJoin {
  const { extensionUri, host, server, chat, questions, lastTextEditor, reporter, log } = options;
  const lifetime = new DisposableStore();
  const serversChanged = lifetime.add(new Emitter<void>());
  lifetime.add(host.registry.onDidChange(() => serversChanged.fire()));
  lifetime.add(options.auth.onDidChange(() => serversChanged.fire()));
  const reviews = lifetime.add(new ProposalReviews());
  const waiting = lifetime.add(new WaitingQuestions({ panel: questions, review: reviews, chat: chat.session.questions }));
  lifetime.add(waiting.onDidChange(() => serversChanged.fire()));
  const serversTree = lifetime.add(
    new ServersTree({
      servers: () => host.registry.servers(),
      problems: () => orphanProblems(host),
      modelName: (id, tool) => host.registry.modelTools().find((each) => each.serverId === id && each.tool === tool)?.name,
      isSignedIn: (id) => options.auth.isSignedIn(id),
      openQuestions: () => waiting.count,
      onDidChange: serversChanged.event,
    }),
  );
  lifetime.add(new ClientsTree(server));
  const documents = lifetime.add(new ReadOnlyDocuments());
  const panel = lifetime.add(new ConsentPanel(questions, extensionUri, log));
  const chatView = lifetime.add(new ChatView({ session: chat.session, extensionUri, reporter, lastTextEditor, log }));
  lifetime.add(chat.session.questions.onDidChange(() => chatView.noticeQuestions()));
  const status = lifetime.add(new StatusItem());
  const refreshStatus = (): void => status.show(summarize(options, waiting));
  lifetime.add(serversChanged.event(refreshStatus));
  lifetime.add(server.onDidChange(refreshStatus));
  lifetime.add(registerCommands(commandHandlers({ ...options, panel, reviews, waiting, chatView, serversTree, documents }), reporter));
  const notices = createClientNotices((sentence) => reporter.relay(sentence));
  return { acting: { reviews, notices }, dispose: () => lifetime.dispose() };
}

/** Problems that belong to no server in the tree: their definition was too broken to become one. */
function orphanProblems(host: HostJoin): ReturnType<HostJoin['registry']['problems']> {
  const shown = new Set(host.registry.servers().flatMap((server) => server.problems));
  return host.registry.problems().filter((problem) => !shown.has(problem));
}

/** The most urgent thing first. */
function summarize({ host, server }: ViewsJoinOptions, questions: WaitingQuestions): StatusSummary {
  const servers = host.registry.servers();
  const waiting = servers.filter(needsPermission).length;
  const failed = servers.filter((each) => each.state.kind === 'failed' && !needsSignIn(each)).map((each) => each.label);
  const unknown = servers.filter(needsSignIn).map((each) => each.label);
  if (questions.count > 0) {
    return { kind: 'questions', count: questions.count, areInChat: questions.firstSurface === 'chat' };
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
