import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import { prefixed, type Log } from '../base/log.ts';
import type { MessageTransport } from '../base/transport.ts';
import type { ConsentGate } from '../consent/consentGate.ts';
import type { Ledger } from '../consent/ledger.ts';
import type { OpenQuestions } from '../consent/openQuestions.ts';
import { editorServerName } from '../contract/identity.ts';
import type { InputValues } from '../definitions/inputValues.ts';
import { createOwnLoginShellPath } from '../definitions/loginShellPath.ts';
import type { ServerDefinition } from '../definitions/serverDefinition.ts';
import { isThisEditor } from '../definitions/thisEditor.ts';
import type { ServerLogs } from '../editor/serverLogs.ts';
import type { SettingsReader } from '../editor/settingsReader.ts';
import type { HostEnvironment } from '../host/approval.ts';
import { SignedInServers } from '../host/auth/signedInServers.ts';
import { eraStorageIn } from '../host/eraCache.ts';
import { FailureBatch } from '../host/failureBatch.ts';
import { HostRegistry } from '../host/hostRegistry.ts';
import { needsPermission, needsSignIn, type ServerSnapshot, type ServerState } from '../host/serverState.ts';
import { lineFor, StateChanges } from '../host/stateChanges.ts';
import { SupervisorClient } from '../host/supervisorClient.ts';
import { ToolCaller } from '../host/toolCaller.ts';
import { toolRisk } from '../server/offer/tools/toolRisk.ts';
import type { ErrorReporter } from '../views/errorReporter.ts';
import { tellOfFailures } from '../views/failureNotice.ts';
import { offerReview } from '../views/permissionNotice.ts';
import { signInThroughBrowser } from '../views/signInNotice.ts';
import { DefinitionsJoin } from './definitionsJoin.ts';
import type { FeaturesJoin } from './featuresJoin.ts';
import type { SignInJoin } from './signInJoin.ts';

export interface HostJoinOptions {
  readonly extensionPath: string;
  readonly version: string;
  readonly gate: ConsentGate;
  readonly ledger: Ledger;
  readonly questions: OpenQuestions;
  readonly settings: SettingsReader;
  readonly openEditorServer: () => Promise<MessageTransport>;
  /** Of this window's listener, once it is known; none while it is off. */
  readonly ownPort: () => Promise<number | undefined>;
  /** The person's answers to `${input:id}`. */
  readonly inputs: InputValues;
  readonly auth: SignInJoin;
  /** What servers may ask of the person and the model. */
  readonly features: FeaturesJoin;
  readonly logs: ServerLogs;
  readonly globalState: vscode.Memento;
  readonly reporter: ErrorReporter;
  readonly log: Log;
}

/** Failures this close together are one event for a person. */
const failureQuietMs = 1_500;
const failureLongestMs = 15_000;

/** Joins the host to the settings, the permissions and the editor's own server. */
export class HostJoin implements Disposable {
  readonly registry: HostRegistry;
  readonly caller: ToolCaller;
  readonly #options: HostJoinOptions;
  readonly #lifetime = new DisposableStore();
  readonly #definitions: DefinitionsJoin;
  #noticed: ReadonlySet<string> = new Set();
  readonly #stateChanges = new StateChanges();
  readonly #failures: FailureBatch;
  #askedShell = false;
  readonly #signedIn: SignedInServers;

  constructor(options: HostJoinOptions) {
    this.#options = options;
    const { gate, log, logs, inputs } = options;
    const logFor = (label: string): Log => (label === editorServerName ? prefixed(log, label) : logs.logFor(label));
    const supervisor = this.#lifetime.add(new SupervisorClient(supervisorLaunch(options.extensionPath), log));
    const environment = this.#environment();
    this.registry = this.#lifetime.add(
      new HostRegistry({
        gate,
        supervisor,
        environment,
        inputs,
        authFor: options.auth.signIns.authFor,
        features: options.features.ports,
        isThisEditor: (definition) => this.#isThisEditor(definition),
        eraStorage: eraStorageIn(options.globalState),
        clientVersion: options.version,
        log,
        logFor,
      }),
    );
    this.caller = new ToolCaller(this.registry, gate);
    const tell = (failed: readonly ServerSnapshot[]): void => this.#tell(failed);
    this.#failures = this.#lifetime.add(new FailureBatch({ quietMs: failureQuietMs, longestMs: failureLongestMs, tell }));
    this.#lifetime.add(this.registry.onDidChange(() => this.#watchStates()));
    const onStartFailed = (error: unknown): void => options.reporter.report(error);
    this.#signedIn = this.#lifetime.add(new SignedInServers({ registry: this.registry, ...options.auth, onStartFailed, log }));
    this.#definitions = this.#lifetime.add(new DefinitionsJoin(options.settings, environment));
    this.#lifetime.add(this.#definitions.onDidChange(() => this.#applyDefinitionsSoon()));
  }

  /** Shows what is configured, starts what was allowed before and tells of the rest. Asks nothing by itself. */
  async start(): Promise<void> {
    if (vscode.workspace.isTrusted) {
      this.registry.addBuiltIn({
        name: editorServerName,
        openTransport: this.#options.openEditorServer,
        riskOf: toolRisk,
      });
      await this.#applyDefinitions();
    }
  }

  /** Starts one server; the question, if there is one, opens in the consent panel. */
  async startServer(id: string): Promise<ServerState> {
    const server = this.registry.servers().find((each) => each.id === id);
    const { signIns } = this.#options.auth;
    if (server !== undefined && needsSignIn(server) && signIns.canSignIn(id)) {
      const log = this.#options.logs.logFor(server.label);
      await signInThroughBrowser(server, signIns, { log, tryAgain: () => this.#startForPerson(id) });
      // Only what the person changed is tried again: without a sign-in the server would refuse as before.
      if (!signIns.isSignedIn(id)) {
        return server.state;
      }
    }
    return this.registry.start(id, { ask: this.#options.questions.ask, signal: new AbortController().signal });
  }

  restartServer(id: string): Promise<ServerState> {
    return this.registry.restart(id, { ask: this.#options.questions.ask, signal: new AbortController().signal });
  }

  signOut(id: string): ReturnType<SignedInServers['signOut']> {
    return this.#signedIn.signOut(id);
  }

  /** Whether the person's shell was asked for the PATH: not before a first approval. */
  get askedShell(): boolean {
    return this.#askedShell;
  }

  stop(): Promise<void> {
    return this.registry.stopAll();
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #tell(failed: readonly ServerSnapshot[]): void {
    const news = failed.filter((server) => !this.#signedIn.isExpected(server));
    const signIn = (id: string): void => this.#startForPerson(id);
    void tellOfFailures(news, { showLog: (label) => this.#options.logs.show(label), signIn });
  }

  #startForPerson(id: string): void {
    this.startServer(id).catch((error: unknown) => this.#options.reporter.report(error));
  }

  #watchStates(): void {
    const servers = this.registry.servers();
    const changes = this.#stateChanges.since(servers);
    this.#signedIn.look(changes.map(({ server }) => server));
    for (const { server } of changes) {
      if (server.scope !== 'builtIn') {
        this.#options.logs.logFor(server.label).info(lineFor(server.state));
      }
    }
    this.#failures.update(servers);
  }

  #applyDefinitionsSoon(): void {
    this.#applyDefinitions().catch((error: unknown) => this.#options.reporter.report(error));
  }

  async #applyDefinitions(): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      return;
    }
    const reading = await this.#definitions.read();
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

  async #isThisEditor(definition: ServerDefinition): Promise<boolean> {
    const port = definition.kind === 'remote' ? await this.#options.ownPort() : undefined;
    const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
    return isThisEditor(definition, { port, folders });
  }

  #environment(): HostEnvironment {
    const { ledger, log } = this.#options;
    const { env, platform } = process;
    const userHome = os.homedir();
    const askShell = createOwnLoginShellPath(log);
    return {
      folders: () => (vscode.workspace.workspaceFolders ?? []).map((folder) => ({ name: folder.name, path: folder.uri.fsPath })),
      userHome,
      env,
      platform,
      loginShellPath: () => {
        this.#askedShell = true;
        return askShell();
      },
      hasApprovedAny: () => ledger.answers().some(({ action, answer }) => action === 'startServer' && answer === 'allow'),
      isTrusted: () => vscode.workspace.isTrusted,
    };
  }
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
