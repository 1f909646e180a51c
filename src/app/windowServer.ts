import * as os from 'node:os';
import * as vscode from 'vscode';
import type { Event } from '../base/events.ts';
import type { DisposableStore } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import type { ConsentGate } from '../consent/consentGate.ts';
import type { OpenQuestions } from '../consent/openQuestions.ts';
import { createOwnLoginShellPath } from '../definitions/loginShellPath.ts';
import { createEditorPort } from '../editor/editorPort.ts';
import type { SettingsReader } from '../editor/settingsReader.ts';
import { listWorkspaceFolders } from '../editor/workspaceFolders.ts';
import type { ClientPermissions } from '../server/access/clientPermissions.ts';
import { createConsentApproval } from '../server/access/consentApproval.ts';
import type { OauthStorage } from '../server/oauth/issuedTokensFile.ts';
import type { EmbeddedServer } from '../server/window/serverCore.ts';
import type { ErrorReporter } from '../views/errorReporter.ts';
import type { ProposalReviews } from '../views/proposalReviews.ts';
import { reportHome } from '../views/serverReports.ts';

export interface WindowServerOptions {
  readonly version: string;
  readonly gate: ConsentGate;
  /** Where VS Code keeps its own settings, storage and secrets. */
  readonly userDataPath: string;
  readonly questions: OpenQuestions;
  readonly settings: SettingsReader;
  readonly reporter: ErrorReporter;
  readonly log: Log;
}

export interface WindowServerParts {
  readonly proposals: ProposalReviews;
  readonly permissions: ClientPermissions;
  readonly oauthStorage: Promise<OauthStorage>;
  readonly onDidChangePolicy: Event<void>;
  /** Of the server and of what it holds of the editor. */
  readonly lifetime: DisposableStore;
}

/** The embedded server of this window, not listening yet. Its code is loaded here and not before. */
export async function createWindowServer(
  { gate, questions, settings, log, version, reporter, userDataPath }: WindowServerOptions,
  { proposals, permissions, oauthStorage, onDidChangePolicy, lifetime }: WindowServerParts,
): Promise<{ readonly server: EmbeddedServer; readonly duplexHome: string }> {
  const [{ createEmbeddedServer }, { resolveDuplexHome }, storage] = await Promise.all([
    import('../server/embeddedServer.ts'),
    import('../server/window/discoveryFiles.ts'),
    oauthStorage,
  ]);
  const folders = listWorkspaceFolders().map((folder) => folder.path);
  const home = resolveDuplexHome(process.env['DUPLEX_HOME'], os.homedir(), folders);
  reportHome(home, reporter);
  // For the tests that clients run: what people have in a terminal.
  const loginShellPath = createOwnLoginShellPath(log);
  const server = createEmbeddedServer({
    editor: lifetime.add(createEditorPort(proposals, { settings, loginShellPath, log })),
    approval: createConsentApproval(gate, questions, permissions),
    policy: { read: () => settings.get('duplex.server.policy'), onDidChange: onDidChangePolicy },
    grants: permissions.grants,
    log,
    version,
    windowName: vscode.workspace.name ?? vscode.l10n.t('no folder'),
    duplexHome: home.path,
    oauthStorage: storage,
    neverShown: [userDataPath],
  });
  return { server: lifetime.add(server), duplexHome: home.path };
}
