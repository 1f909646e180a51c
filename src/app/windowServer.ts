import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Event } from '../base/events.ts';
import type { DisposableStore } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import type { AuditLog } from '../consent/audit/auditLog.ts';
import type { ConsentGate } from '../consent/consentGate.ts';
import type { OwnCalls } from '../consent/ownCalls.ts';
import type { OpenQuestions } from '../consent/openQuestions.ts';
import type { ActingViews } from '../editor/acting/actingViews.ts';
import type { LastTextEditor } from '../editor/documents/lastTextEditor.ts';
import { createServedEditor, createServedWorkbench } from '../editor/served/servedEditor.ts';
import type { SettingsReader } from '../editor/settingsReader.ts';
import { createWindowUse } from '../editor/windowUse.ts';
import { foldersOfWorkspace } from '../editor/shared/workspaceFolders.ts';
import type { OfferedServers } from '../host/offered/offeredServers.ts';
import type { LoginShellPath } from '../platform/processes/loginShellPath.ts';
import type { ClientPermissions } from '../server/access/clientPermissions.ts';
import { createConsentApproval } from '../server/access/consentApproval.ts';
import { ownerKey } from '../server/access/credentials.ts';
import type { OauthStorage } from '../server/oauth/issuedTokens.ts';
import type { EditorPort } from '../server/seen/ports/editorPort.ts';
import type { EmbeddedServer } from '../server/window/serverCore.ts';
import { resolveChain } from '../testRuns/chain/runChain.ts';
import { TestRunner } from '../testRuns/testRunner.ts';
import type { TrafficTap } from '../traffic/trafficTap.ts';
import { type ErrorReporter, say } from '../views/errorReporter.ts';
import { reportHome, windowName } from '../views/windowReports.ts';
import type { HostJoin } from './hostJoin.ts';
import { reportReader, type WorkerPool } from '../worker/workerPool.ts';

export interface WindowServerOptions {
  readonly version: string;
  readonly gate: ConsentGate;
  readonly audit: AuditLog;
  readonly extensionPath: string;
  /** A random name of this installation, which nobody is told. */
  readonly machine: string;
  /** The folder in which VS Code keeps its own settings, storage and secrets. */
  readonly userDataPath: string;
  readonly questions: OpenQuestions;
  readonly ownCalls: OwnCalls;
  readonly lastTextEditor: LastTextEditor;
  /** Gives the views when the server is loaded; they are made after it. */
  readonly actingViews: () => ActingViews;
  /** The servers that can be offered to clients. Asked for when the server is loaded, because the host is made after it. */
  readonly offering: () => Pick<HostJoin, 'registry' | 'caller' | 'reader' | 'offers'>;
  /** The PATH that people have in a terminal, for the tests that clients run. */
  readonly loginShellPath: LoginShellPath;
  /** Threads for work that is too slow to be done here: reading long outputs and reports of tests. */
  readonly workers: WorkerPool;
  readonly traffic: TrafficTap;
  readonly settings: SettingsReader;
  readonly reporter: ErrorReporter;
  readonly log: Log;
}

export interface WindowServerParts {
  readonly permissions: ClientPermissions;
  readonly oauthStorage: Promise<OauthStorage>;
  readonly onDidChangePolicy: Event<void>;
  /** The lifetime of the server and of its view of the editor. */
  readonly lifetime: DisposableStore;
}

export interface WindowServer {
  readonly server: EmbeddedServer;
  /** What it serves of the editor, with nothing withheld. */
  readonly editor: EditorPort;
  readonly duplexHome: string;
}

/** Creates the embedded server of this window, which does not listen yet. Its code is loaded here and not before. */
export async function createWindowServer(
  options: WindowServerOptions,
  { permissions, oauthStorage, onDidChangePolicy, lifetime }: WindowServerParts,
): Promise<WindowServer> {
  const { gate, questions, settings, loginShellPath, workers, log, version, reporter, extensionPath } = options;
  const [{ createEmbeddedServer }, { resolveDuplexHome }, offered, storage] = await Promise.all([
    import('../server/embeddedServer.ts'),
    import('../server/window/discovery.ts'),
    joinOffered(options),
    oauthStorage,
  ]);
  const folders = foldersOfWorkspace().map((folder) => folder.path);
  const home = resolveDuplexHome(process.env['DUPLEX_HOME'], os.homedir(), folders);
  reportHome(home, reporter);
  const editor = createServedEditor({
    actingViews: options.actingViews(),
    lastTextEditor: options.lastTextEditor,
    onEdits: ({ ownCallId }, edits) => options.ownCalls.tellEdits(ownCallId, edits),
    threadProgram: path.join(extensionPath, 'dist', 'workThread.js'),
    settings,
    loginShellPath: () => loginShellPath.read(),
    log,
    versionKey: options.machine,
    resolveChain,
    createRunner: (ground) => new TestRunner(ground, log, reportReader(workers, log)),
  });
  const server = createEmbeddedServer({
    editor: lifetime.add(editor),
    workbench: createServedWorkbench(),
    approval: createConsentApproval(gate, questions, permissions, options.ownCalls),
    policy: { read: () => settings.read('duplex.server.policy'), onDidChange: onDidChangePolicy },
    grants: permissions.grants,
    offered: lifetime.add(offered),
    records: options.audit,
    ...{ log, version },
    windowName: windowName(vscode.workspace.name),
    windowUse: lifetime.add(createWindowUse(() => windowName(vscode.workspace.name))),
    duplexHome: home.path,
    oauthStorage: storage,
    pageLanguage: { language: vscode.env.language, say },
    neverShown: [options.userDataPath],
    traffic: options.traffic,
  });
  lifetime.add(server.credentials.onDidRevoke((id) => endRevoked(editor, id)));
  lifetime.add(server.clients.onDidChange(() => endGone(editor, server.clients)));
  return { server: lifetime.add(server), editor, duplexHome: home.path };
}

/** Joins the servers that the person offers to the host that runs them. */
async function joinOffered({ offering, gate, questions, settings }: WindowServerOptions): Promise<OfferedServers> {
  const { OfferedServers } = await import('../host/offered/offeredServers.ts');
  const setting = 'duplex.server.toolList';
  return new OfferedServers({
    ...offering(),
    gate,
    ask: questions.ask,
    toolList: () => settings.get(setting),
    onDidChangeToolList: (listener) => settings.onDidChange((affects) => (affects(setting) ? listener() : undefined)),
  });
}

/** Ends what a client left in the editor whose credential was revoked. */
function endRevoked(editor: EditorPort, id: string): void {
  editor.acting.endClient(id);
  editor.debug.endOwners((owner) => owner === id || owner.startsWith(`${id} `));
}

/** Ends what clients left in the debugger that are no longer connected. The chat is no entry of the list, and never gone. */
function endGone(editor: EditorPort, clients: EmbeddedServer['clients']): void {
  let connected: ReadonlySet<string> | undefined;
  editor.debug.endOwners((owner) => {
    connected ??= new Set([
      ownerKey({ credentialId: 'chat', credentialKind: 'chat', sessionId: undefined }),
      ...clients
        .snapshot()
        .map(({ isStateless, sessionId, ...client }) => ownerKey({ ...client, sessionId: isStateless ? undefined : sessionId })),
    ]);
    return !connected.has(owner);
  });
}
