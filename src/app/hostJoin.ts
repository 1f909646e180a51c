import * as path from 'node:path';
import * as vscode from 'vscode';
import { Emitter } from '../base/events.ts';
import { type Disposable, DisposableStore } from '../base/lifecycle.ts';
import { type Log, prefixed } from '../base/log.ts';
import type { MessageTransport } from '../base/transport.ts';
import type { AuditLog } from '../consent/audit/auditLog.ts';
import type { ConsentGate } from '../consent/consentGate.ts';
import { hasAllowedAny } from '../consent/consentModel.ts';
import type { Ledger } from '../consent/ledger.ts';
import type { OpenQuestions } from '../consent/openQuestions.ts';
import type { OwnCalls } from '../consent/ownCalls.ts';
import { editorServerName } from '../contract/identity.ts';
import type { ServerElsewhere } from '../definitions/foreign/elsewhere.ts';
import { foreignPlaces, type ForeignPlacesContext } from '../definitions/foreign/foreignFiles.ts';
import { DefinitionReader, FoundServers } from '../definitions/foreign/foundServers.ts';
import type { InputValues } from '../definitions/inputs.ts';
import type { KnownSecrets } from '../definitions/knownSecrets.ts';
import type { DefinitionReading, ServerDefinition } from '../definitions/serverDefinition.ts';
import { isThisEditor } from '../definitions/foreign/thisEditor.ts';
import { attachDebugger } from '../editor/debug/attachDebugger.ts';
import { createHostEnvironment, watchFiles } from '../editor/hostEnvironment.ts';
import { offerStorageIn } from '../editor/storage/offerStorage.ts';
import type { ServerLogs } from '../editor/logs/serverLogs.ts';
import type { SettingsReader } from '../editor/settingsReader.ts';
import { listDefinitionFolders } from '../editor/shared/workspaceFolders.ts';
import type { HostEnvironment } from '../host/approval/approval.ts';
import { Boxes } from '../host/box/boxes.ts';
import { Offers } from '../host/offered/offers.ts';
import { ContentReader } from '../host/resources/contentReader.ts';
import { DevRestarts } from '../host/starting/devRestarts.ts';
import type { FeaturePorts } from '../host/features/handlerContext.ts';
import { HostRegistry } from '../host/hostRegistry.ts';
import { SupervisorClient, supervisorLaunch } from '../host/processes/supervisorClient.ts';
import { eraStorageIn } from '../host/shared/eraCache.ts';
import { SignedInServers } from '../host/starting/signedInServers.ts';
import { isFreshStart, lineFor, StateChanges } from '../host/reports/serverLog.ts';
import { ToolCaller } from '../host/tools/toolCaller.ts';
import type { LoginShellPath } from '../platform/processes/loginShellPath.ts';
import { asksItself, onlyLooking, toolRisk } from '../server/offer/tools/toolRisk.ts';
import type { TrafficTap } from '../traffic/trafficTap.ts';
import type { ErrorReporter } from '../views/errorReporter.ts';
import type { WillAdd } from '../views/servers/adding/addServer.ts';
import { settingsPlaces } from '../views/servers/files/openDefinition.ts';
import { ServerNotices, tellOfDebugger } from '../views/servers/serverNotices.ts';
import { ServerStarts } from '../views/servers/serverStarts.ts';
import { SchemaChecks } from '../worker/schemaChecks.ts';
import type { WorkerPool } from '../worker/workerPool.ts';
import type { SignInJoin } from './signInJoin.ts';

export interface HostJoinOptions {
  readonly extensionPath: string;
  /** Where this editor keeps what is the person's own in all workspaces. */
  readonly editorFolder: string;
  /** Where Duplex keeps what all windows share. */
  readonly storageFolder: string;
  readonly version: string;
  readonly gate: ConsentGate;
  readonly audit: AuditLog;
  readonly ledger: Ledger;
  readonly questions: OpenQuestions;
  readonly ownCalls: OwnCalls;
  readonly settings: SettingsReader;
  readonly loginShellPath: LoginShellPath;
  readonly openEditorServer: () => Promise<MessageTransport>;
  /** The port of this window's own server, once it is known; undefined while it is off. */
  readonly ownPort: () => Promise<number | undefined>;
  /** A random name of this installation. */
  readonly machine: string;
  /** The person's answers to `${input:id}`. */
  readonly inputs: InputValues;
  readonly secrets: KnownSecrets;
  readonly auth: SignInJoin;
  /** What servers may ask of the person and the model. */
  readonly features: FeaturePorts;
  /** Threads for work that is too slow to be done here: checking the schemas of servers. */
  readonly workers: WorkerPool;
  readonly logs: ServerLogs;
  readonly globalState: vscode.Memento;
  readonly workspaceState: vscode.Memento;
  readonly traffic: TrafficTap;
  readonly reporter: ErrorReporter;
  readonly log: Log;
}

/** Joins the host to the settings, the permissions and the editor's own server. */
export class HostJoin implements Disposable {
  readonly registry: HostRegistry;
  readonly caller: ToolCaller;
  readonly reader: ContentReader;
  readonly signedIn: SignedInServers;
  readonly starts: ServerStarts;
  /** Which servers the person offers to outside clients. */
  readonly offers: Offers;
  /** Checks values against the schemas of servers. */
  readonly schemas: SchemaChecks;
  #tellKnown: () => void = () => undefined;
  /** Resolves when the configured servers are known, running or not: never before the workspace is trusted. */
  readonly serversKnown = new Promise<void>((resolve) => (this.#tellKnown = resolve));
  readonly #options: HostJoinOptions;
  readonly #lifetime = new DisposableStore();
  readonly #definitions: DefinitionsJoin;
  readonly #notices: ServerNotices;

  constructor(options: HostJoinOptions) {
    this.#options = options;
    const { auth, questions, settings, logs, reporter, log } = options;
    this.schemas = new SchemaChecks(options.workers);
    const environment = this.#environment();
    const registry = this.#lifetime.add(this.#createRegistry(environment));
    this.registry = registry;
    this.caller = new ToolCaller(registry, options.gate, options.audit);
    this.reader = new ContentReader(registry, options.audit);
    this.offers = this.#lifetime.add(new Offers(registry, offerStorageIn(settings, options.workspaceState)));
    this.starts = new ServerStarts({ registry, signIns: auth.signIns, ask: questions.askOwn, logs, reporter });
    const report = (error: unknown): void => reporter.report(error);
    const signedIn = this.#lifetime.add(new SignedInServers({ registry, ...auth, onStartFailed: report, log }));
    this.signedIn = signedIn;
    const isExpected = signedIn.isExpected.bind(signedIn);
    this.#notices = this.#lifetime.add(new ServerNotices({ registry, starts: this.starts, isExpected, logs }));
    this.#lifetime.add(registry.onDidRevoke((label) => this.#notices.tellRevoked(label)));
    this.#lifetime.add(auth.signIns.onDidWantMore((wish) => void this.#notices.offerMoreAccess(wish).catch(report)));
    this.#lifetime.add(joinStates({ registry, signedIn, notices: this.#notices, logs }));
    const logFor = (label: string): Log => logs.logFor(label);
    this.#lifetime.add(new DevRestarts({ registry, folders: listDefinitionFolders, watch: watchFiles, logFor }));
    this.#definitions = this.#lifetime.add(new DefinitionsJoin(settings, environment, options.editorFolder));
    this.#lifetime.add(this.#definitions.onDidChange(() => void this.#applyDefinitions().catch(report)));
  }

  /** Shows the configured servers, starts those that were allowed before and tells about the others. Asks nothing by itself. */
  async start(): Promise<void> {
    if (vscode.workspace.isTrusted) {
      const ownQuestions = { calls: this.#options.ownCalls, asksItself, onlyLooking };
      this.registry.addBuiltIn({ name: editorServerName, openTransport: this.#options.openEditorServer, riskOf: toolRisk, ownQuestions });
      await this.#applyDefinitions();
    }
  }

  /** Runs what adds servers to the settings and asks whether they may start. Those that nobody asked about after all are told of afterwards. */
  async whileAdding(add: (willAdd: WillAdd) => Promise<readonly string[]>): Promise<readonly string[]> {
    try {
      return await this.#notices.whileAdding(add);
    } finally {
      this.#offerReview();
    }
  }

  /** Whether the person's shell was asked for the PATH, which happens only after they allowed a first server. */
  get askedShell(): boolean {
    return this.#options.loginShellPath.wasAsked;
  }

  /** What is configured in all other programs that are known. Their files are read only when the person asks for that. */
  readElsewhere(): Promise<readonly ServerElsewhere[]> {
    return this.#definitions.readElsewhere();
  }

  stop(): Promise<void> {
    return this.registry.stopAll();
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #createRegistry(environment: HostEnvironment): HostRegistry {
    const { extensionPath, version, gate, inputs, secrets, auth, features, globalState, logs, traffic, log } = this.#options;
    return new HostRegistry({
      gate,
      supervisor: this.#lifetime.add(new SupervisorClient(supervisorLaunch(extensionPath), log)),
      environment,
      inputs,
      authFor: auth.signIns.authFor,
      onEnvFile: (id, variables) => secrets.addFile(id, variables),
      debuggers: {
        attach: attachDebugger,
        tell: (label, problem) => void tellOfDebugger(label, problem, () => logs.show(label)),
      },
      boxes: this.#lifetime.add(this.#createBoxes(environment)),
      features,
      isThisEditor: (definition) => this.#isThisEditor(definition),
      eraStorage: eraStorageIn(globalState),
      clientVersion: version,
      schemas: this.schemas,
      traffic,
      log,
      logFor: (label) => (label === editorServerName ? prefixed(log, label) : logs.logFor(label)),
    });
  }

  #createBoxes({ userHome, env, platform }: HostEnvironment): Boxes {
    const { editorFolder, storageFolder } = this.#options;
    const home = env['DUPLEX_HOME'];
    const secretPlaces = [path.dirname(editorFolder), ...(home === undefined ? [] : [home])];
    return new Boxes({ folder: path.join(storageFolder, 'boxes'), userHome, env, platform, secretPlaces });
  }

  async #applyDefinitions(): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      return;
    }
    const { log } = this.#options;
    const reading = await this.#definitions.read();
    reading.problems.forEach((problem) => log.warn(`${problem.location}: ${problem.message}`));
    await this.registry.apply(reading);
    this.#tellKnown();
    await this.registry.startApproved();
    this.#offerReview();
  }

  #offerReview(): void {
    this.#notices.offerReview().catch((error: unknown) => this.#options.reporter.report(error));
  }

  async #isThisEditor(definition: ServerDefinition): Promise<boolean> {
    const port = definition.kind === 'remote' ? await this.#options.ownPort() : undefined;
    return isThisEditor(definition, { port, folders: listDefinitionFolders().map((folder) => folder.path) });
  }

  #environment(): HostEnvironment {
    const { ledger, loginShellPath, machine } = this.#options;
    return createHostEnvironment({
      installationKey: machine,
      loginShellPath: () => loginShellPath.read(),
      hasApprovedAny: () => hasAllowedAny(ledger.answers()),
    });
  }
}

export interface StateJoinOptions {
  readonly registry: HostRegistry;
  readonly signedIn: SignedInServers;
  readonly notices: ServerNotices;
  readonly logs: ServerLogs;
}

/** Joins the states of the servers to their logs, to the sign-ins and to what the person is told. */
function joinStates({ registry, signedIn, notices, logs }: StateJoinOptions): Disposable {
  const stateChanges = new StateChanges();
  return registry.onDidChange(() => {
    const servers = registry.servers();
    const changes = stateChanges.since(servers);
    const changed = changes.map(({ server }) => server);
    signedIn.look(changed);
    changes.filter(isFreshStart).forEach(({ server }) => logs.forgetLines(server.label));
    changed.filter(({ scope }) => scope !== 'builtIn').forEach(({ label, state }) => logs.logFor(label).info(lineFor(state)));
    notices.update(servers);
  });
}

/** Reads the definitions of servers from the settings of every scope and from files of other programs, and fires when they change. */
class DefinitionsJoin implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<void>());
  readonly #reader: DefinitionReader;
  readonly #context: () => ForeignPlacesContext;

  readonly onDidChange = this.#changed.event;

  constructor(settings: SettingsReader, environment: HostEnvironment, editorFolder: string) {
    const { userHome, env, platform } = environment;
    this.#context = () => ({ folders: environment.folders(), userHome, env, platform, editorFolder });
    const places = (): ReturnType<typeof foreignPlaces> => foreignPlaces(settings.get('duplex.discovery'), this.#context());
    const found = this.#lifetime.add(new FoundServers({ places, env: environment.env }));
    this.#reader = new DefinitionReader(() => settings.definitionSources(settingsPlaces), found, environment.env);
    const tell = (): void => this.#changed.fire();
    this.#lifetime.add(found.onDidChange(tell));
    this.#lifetime.add(vscode.workspace.onDidChangeWorkspaceFolders(tell));
    this.#lifetime.add(
      settings.onDidChange((affects) => {
        if (affects('duplex.mcpServers') || affects('duplex.inputs') || affects('duplex.discovery')) {
          tell();
        }
      }),
    );
  }

  async readElsewhere(): Promise<readonly ServerElsewhere[]> {
    const { readElsewhere } = await import('../definitions/foreign/elsewhere.ts');
    return readElsewhere(this.#context());
  }

  read(): Promise<DefinitionReading> {
    return this.#reader.read();
  }

  dispose(): void {
    this.#lifetime.dispose();
  }
}
