import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import type { MessageTransport } from '../base/transport.ts';
import type { ConsentGate } from '../consent/consentGate.ts';
import type { Ledger } from '../consent/ledger.ts';
import type { OpenQuestions } from '../consent/openQuestions.ts';
import { editorServerName } from '../contract/identity.ts';
import { createLoginShellPath } from '../definitions/loginShellPath.ts';
import { readDefinitions } from '../definitions/readDefinitions.ts';
import type { SettingsReader } from '../editor/settingsReader.ts';
import type { HostEnvironment } from '../host/approval.ts';
import { HostRegistry } from '../host/hostRegistry.ts';
import type { ServerSnapshot, ServerState } from '../host/serverState.ts';
import { SupervisorClient } from '../host/supervisorClient.ts';
import { ToolCaller } from '../host/toolCaller.ts';
import type { ErrorReporter } from '../views/errorReporter.ts';
import { offerReview } from '../views/permissionNotice.ts';

export interface HostJoinOptions {
  readonly extensionPath: string;
  readonly version: string;
  readonly gate: ConsentGate;
  readonly ledger: Ledger;
  readonly questions: OpenQuestions;
  readonly settings: SettingsReader;
  readonly openEditorServer: () => Promise<MessageTransport>;
  readonly reporter: ErrorReporter;
  readonly log: Log;
}

const shellTimeoutMs = 10_000;

/** Joins the host to the settings, the permissions and the editor's own server. */
export class HostJoin implements Disposable {
  readonly registry: HostRegistry;
  readonly caller: ToolCaller;
  readonly #options: HostJoinOptions;
  readonly #lifetime = new DisposableStore();
  #noticed: ReadonlySet<string> = new Set();

  constructor(options: HostJoinOptions) {
    this.#options = options;
    const { gate, log } = options;
    const supervisor = this.#lifetime.add(new SupervisorClient(supervisorLaunch(options.extensionPath), log));
    const environment = this.#environment();
    this.registry = this.#lifetime.add(new HostRegistry({ gate, supervisor, environment, clientVersion: options.version, log }));
    this.caller = new ToolCaller(this.registry, gate);
    this.#lifetime.add(
      options.settings.onDidChange((affects) => {
        if (affects('duplex.mcpServers')) {
          this.#applyDefinitionsSoon();
        }
      }),
    );
    this.#lifetime.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.#applyDefinitionsSoon()));
  }

  /** Shows what is configured, starts what was allowed before and tells of the rest. Asks nothing by itself. */
  async start(): Promise<void> {
    if (vscode.workspace.isTrusted) {
      this.registry.addBuiltIn({
        name: editorServerName,
        openTransport: this.#options.openEditorServer,
        riskOf: () => 'readsEditor', // every tool of this version only looks
      });
      await this.#applyDefinitions();
    }
  }

  /** Starts one server; the question, if there is one, opens in the consent panel. */
  startServer(id: string): Promise<ServerState> {
    return this.registry.start(id, { ask: this.#options.questions.ask, signal: new AbortController().signal });
  }

  restartServer(id: string): Promise<ServerState> {
    return this.registry.restart(id, { ask: this.#options.questions.ask, signal: new AbortController().signal });
  }

  stop(): Promise<void> {
    return this.registry.stopAll();
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #applyDefinitionsSoon(): void {
    this.#applyDefinitions().catch((error: unknown) => this.#options.reporter.report(error));
  }

  async #applyDefinitions(): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      return;
    }
    const reading = readDefinitions(this.#options.settings.definitionSources());
    reading.problems.forEach((problem) => this.#options.log.warn(`${problem.location}: ${problem.message}`));
    await this.registry.apply(reading);
    await this.registry.startApproved();
    this.#offerReview().catch((error: unknown) => this.#options.reporter.report(error));
  }

  /** One notification for all that wait, and none twice for the same server. */
  async #offerReview(): Promise<void> {
    const servers = this.registry.servers();
    const waiting = servers.filter(needsPermission);
    const news = waiting.filter((server) => !this.#noticed.has(server.id));
    // One that was running and waits again has changed, and is news again.
    this.#noticed = new Set(waiting.map((server) => server.id));
    if (news.length > 0 && (await offerReview(news.map((server) => server.label)))) {
      const wanted = new Set(news.map((server) => server.id));
      const still = this.registry.servers().filter((server) => wanted.has(server.id) && needsPermission(server));
      await Promise.all(still.map((server) => this.startServer(server.id)));
    }
  }

  #environment(): HostEnvironment {
    const { ledger, log } = this.#options;
    const { env, platform } = process;
    const userHome = os.homedir();
    return {
      folders: () => (vscode.workspace.workspaceFolders ?? []).map((folder) => ({ name: folder.name, path: folder.uri.fsPath })),
      userHome,
      env,
      platform,
      loginShellPath: createLoginShellPath({ shell: env['SHELL'], home: userHome, env, platform, timeoutMs: shellTimeoutMs, log }),
      hasApprovedAny: () => ledger.answers().some(({ action, answer }) => action === 'startServer' && answer === 'allow'),
      isTrusted: () => vscode.workspace.isTrusted,
    };
  }
}

export function needsPermission(server: ServerSnapshot): boolean {
  return server.state.kind === 'stopped' && server.state.reason === 'needsConsent';
}

function inherited(name: string): Readonly<Record<string, string>> {
  const value = process.env[name];
  return value === undefined ? {} : { [name]: value };
}

/** VS Code's own runtime as plain Node, with nothing of the editor's environment but what it needs to run. */
function supervisorLaunch(extensionPath: string): ConstructorParameters<typeof SupervisorClient>[0] {
  return {
    command: process.execPath,
    args: [path.join(extensionPath, 'dist', 'supervisor.js')],
    env: { ELECTRON_RUN_AS_NODE: '1', ...inherited('PATH'), ...inherited('SystemRoot') },
  };
}
