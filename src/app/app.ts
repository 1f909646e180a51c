// app/: the composition root. What is in this folder joins rooms to each other and to VS Code, one file per join, and does
// nothing else: a rule, a question or a store belongs to a room below. commands/ joins the commands to what they act on.
import * as path from 'node:path';
import * as vscode from 'vscode';
import { abortError } from '../base/abort.ts';
import type { Part } from '../base/late.ts';
import { DisposableStore } from '../base/lifecycle.ts';
import { LateChat } from '../chat/lateChat.ts';
import type { AuditLog } from '../consent/audit/auditLog.ts';
import type { ConsentGate } from '../consent/consentGate.ts';
import type { Ledger } from '../consent/ledger.ts';
import { OwnCalls } from '../consent/ownCalls.ts';
import { OpenQuestions } from '../consent/openQuestions.ts';
import { KnownSecrets, rememberedInputs } from '../definitions/knownSecrets.ts';
import { ApiKeyStore } from '../editor/storage/apiKeyStore.ts';
import type { LogLevel } from '../base/log.ts';
import type { ConfigurationHelp } from '../editor/configurationHelp.ts';
import { LastTextEditor } from '../editor/documents/lastTextEditor.ts';
import { type PromptForInput, StoredInputValues } from '../editor/storage/storedInputValues.ts';
import type { OutputLog } from '../editor/logs/outputLog.ts';
import { ServerLogs } from '../editor/logs/serverLogs.ts';
import { SettingsReader } from '../editor/settingsReader.ts';
import { userDataFolder } from '../editor/hostEnvironment.ts';
import { createIssuerConsent } from '../host/auth/issuerConsent.ts';
import type { ServerSnapshot } from '../host/shared/serverState.ts';
import { LoginShellPath } from '../platform/processes/loginShellPath.ts';
import { markStart } from '../platform/startMarks.ts';
import type { TrafficLog } from '../traffic/trafficLog.ts';
import type { ErrorReporter } from '../views/errorReporter.ts';
import { nativeText } from '../views/nativeText.ts';
import { WorkerPool } from '../worker/workerPool.ts';
import { type AuditJoin, openAudit, openGate, openStores, type Stores } from './storesJoin.ts';
import { joinConfigurationHelp } from './configurationHelpJoin.ts';
import { joinFeatures } from './featuresJoin.ts';
import type { ChatJoin, OpenChatOptions } from './chatJoin.ts';
import { HostJoin } from './hostJoin.ts';
import { ServerJoin } from './serverJoin.ts';
import { joinSignIns } from './signInJoin.ts';
import { createTrafficLog, joinViews, type ViewsJoin, type WindowParts } from './views/viewsJoin.ts';

/** What tests inside a test window may reach: the questions that a person would answer, and what the trees show. */
export interface TestAccess {
  readonly questions: OpenQuestions;
  servers(): readonly ServerSnapshot[];
}

export interface App extends Part {
  readonly testAccess: TestAccess;
  /** What VS Code may ask for. Throws before the app has started. */
  readonly parts: WindowParts;
  logLevel(): LogLevel;
}

/** What was made before the app was loaded. */
export interface AppOptions {
  readonly log: OutputLog;
  readonly reporter: ErrorReporter;
}

export function createApp(context: vscode.ExtensionContext, options: AppOptions): App {
  return new DuplexApp(context, options);
}

interface Joins {
  readonly host: HostJoin;
  readonly server: ServerJoin;
  readonly chat: LateChat<ChatJoin>;
  readonly configurationHelp: ConfigurationHelp;
  readonly parts: WindowParts;
}

/** What most joins need. */
interface Common {
  readonly version: string;
  readonly gate: ConsentGate;
  readonly ledger: Ledger;
  readonly record: AuditJoin;
  readonly audit: AuditLog;
  readonly questions: OpenQuestions;
  readonly ownCalls: OwnCalls;
  readonly settings: SettingsReader;
  readonly loginShellPath: LoginShellPath;
  readonly workers: WorkerPool;
  /** The values of each server that are known to be secret. */
  readonly secrets: KnownSecrets;
  readonly traffic: TrafficLog;
  readonly reporter: ErrorReporter;
  readonly log: OutputLog;
}

class DuplexApp implements App {
  readonly #context: vscode.ExtensionContext;
  readonly #lifetime = new DisposableStore();
  readonly #log: OutputLog;
  readonly #settings: SettingsReader;
  readonly #questions = this.#lifetime.add(new OpenQuestions());
  readonly #reporter: ErrorReporter;
  #joins: Joins | undefined;
  #record: AuditJoin | undefined;
  #startsSoon: NodeJS.Immediate | undefined;
  #isOver = false;

  constructor(context: vscode.ExtensionContext, { log, reporter }: AppOptions) {
    this.#context = context;
    this.#log = log;
    this.#reporter = reporter;
    this.#settings = this.#lifetime.add(new SettingsReader(log));
  }

  get parts(): WindowParts {
    if (this.#joins === undefined) {
      throw new Error('The app has not started.');
    }
    return this.#joins.parts;
  }

  logLevel(): LogLevel {
    return this.#settings.get('duplex.log.level');
  }

  get testAccess(): TestAccess {
    return { questions: this.#questions, servers: () => this.#joins?.host.registry.servers() ?? [] };
  }

  async start(): Promise<void> {
    const { secrets, globalStorageUri } = this.#context;
    const storageFolder = globalStorageUri.fsPath;
    const options = { storageFolder, reporter: this.#reporter, log: this.#log };
    // Opened before anything is awaited, because `stop` writes what waits in it.
    this.#record = openAudit({ ...options, secrets }, this.#lifetime);
    const stores = await openStores(options, this.#lifetime);
    if (this.#isOver) {
      throw abortError();
    }
    const joins = this.#join(stores, this.#record, storageFolder);
    this.#joins = joins;
    this.#lifetime.add(vscode.workspace.onDidGrantWorkspaceTrust(() => void this.#startJoins(joins)));
    // Commands wait for this start. They must not wait for questions or connections, nor for loading the code that these need.
    this.#startsSoon = setImmediate(() => void this.#startJoins(joins));
    markStart('started');
  }

  /** Stops servers and the listener, within the time that VS Code grants on shutdown. */
  async stop(): Promise<void> {
    this.#isOver = true;
    clearImmediate(this.#startsSoon);
    const { host, server, chat, configurationHelp } = this.#joins ?? {};
    // Nobody can answer any more. Whoever asked is told so while there is time.
    this.#questions.dispose();
    // The audit log is written first, too: what takes long to end may use up all the time.
    await Promise.allSettled([chat?.stop(), this.#record?.audit.flush(), host?.stop(), server?.stop(), configurationHelp?.stop()]);
    await this.#record?.audit.flush();
    // Without this, other windows would first have to find out that this one is gone.
    await this.#record?.lines.close();
  }

  dispose(): void {
    this.#isOver = true;
    clearImmediate(this.#startsSoon);
    this.#lifetime.dispose();
  }

  async #startJoins({ host, server, chat }: Joins): Promise<void> {
    const listening = server.apply().then(() => markStart('listening'));
    const outcomes = await Promise.allSettled([chat.loadKey(), listening, host.start()]);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') {
        this.#reporter.report(outcome.reason);
      }
    }
  }

  #common(ledger: Ledger, record: AuditJoin): Common {
    const { extensionPath, extension } = this.#context;
    const { version } = extension.packageJSON as { version: string };
    const log = this.#log;
    const gate = this.#lifetime.add(openGate(ledger, record.audit, { reporter: this.#reporter, log }));
    const workers = this.#lifetime.add(new WorkerPool({ program: path.join(extensionPath, 'dist', 'workThread.js') }));
    const loginShellPath = LoginShellPath.ofThisProcess(log);
    // The registry is made later, so it is looked up at each message.
    const secrets = new KnownSecrets((id) => this.#joins?.host.registry.definitionOf(id), process.env);
    const traffic = this.#lifetime.add(createTrafficLog(secrets));
    return {
      version,
      gate,
      ledger,
      record,
      audit: record.audit,
      questions: this.#questions,
      ownCalls: new OwnCalls(),
      settings: this.#settings,
      loginShellPath,
      workers,
      secrets,
      traffic,
      reporter: this.#reporter,
      log,
    };
  }

  #join({ ledger, budgets, byHandStorage, machine }: Stores, record: AuditJoin, storageFolder: string): Joins {
    const { extensionPath, extensionUri, secrets, globalState, workspaceState } = this.#context;
    const common = this.#common(ledger, record);
    const { gate, questions, settings, secrets: known, log } = common;
    const keys = this.#lifetime.add(new ApiKeyStore(secrets));
    const logs = this.#lifetime.add(
      new ServerLogs(
        () => settings.get('duplex.log.level'),
        (label) => `Duplex: ${nativeText(label)}`,
      ),
    );
    const lastTextEditor = this.#lifetime.add(new LastTextEditor());
    const userDataPath = userDataFolder(this.#context);
    const actingViews = (): ViewsJoin['acting'] => views.acting;
    const server = this.#lifetime.add(
      new ServerJoin({ ...common, lastTextEditor, actingViews, offering: () => host, storageFolder, machine, extensionPath, userDataPath }),
    );
    // Few servers have inputs, so the code that asks for one is loaded then.
    const promptForInput: PromptForInput = async (...asked) =>
      (await import('../views/servers/inputValuesPrompt.ts')).promptForInput(...asked);
    const inputs = rememberedInputs(new StoredInputValues(secrets, machine, promptForInput), known);
    const issuers = createIssuerConsent(gate, questions.ask);
    const auth = joinSignIns({ secrets, known, machine, storageFolder, issuers, log }, this.#lifetime);
    const openEditorServer = (): ReturnType<ServerJoin['connectInMemory']> => server.connectInMemory();
    // The chat is made after the host, which it uses; servers ask for a model only later.
    const features = joinFeatures({ ask: questions.ask, chat: () => chat, budgets, audit: record.audit, log });
    const host: HostJoin = this.#lifetime.add(
      new HostJoin({
        ...common,
        ...{ extensionPath, storageFolder, openEditorServer, machine, inputs, auth, features, logs, globalState, workspaceState },
        editorFolder: path.join(userDataPath, 'User'),
        ownPort: () => server.ownPort(),
      }),
    );
    const chat: LateChat<ChatJoin> = this.#lateChat({
      ...{ version: common.version, gate, keys, settings, storageFolder, log, logs, known, server, host, lastTextEditor },
      ...{ traffic: common.traffic, extensionUri, neverShown: [userDataPath] },
    });
    const configurationHelp = this.#lifetime.add(joinConfigurationHelp({ ...common, extensionPath, userDataPath, host }));
    const { signIns } = auth;
    const views = this.#lifetime.add(
      joinViews({
        ...common,
        ...{ machine, userDataPath, storageFolder, globalState, lastTextEditor, extensionUri, signIns },
        ...{ host, server, chat, inputs, keys, logs, byHandStorage },
      }),
    );
    return { host, server, chat, configurationHelp, parts: views.parts };
  }

  #lateChat(options: Omit<OpenChatOptions, 'memory' | 'workspaceState' | 'reporter'>): LateChat<ChatJoin> {
    const { globalState: memory, workspaceState } = this.#context;
    const reporter = this.#reporter;
    return this.#lifetime.add(
      new LateChat({
        open: async (lifetime) => (await import('./chatJoin.ts')).openChat({ ...options, memory, workspaceState, reporter }, lifetime),
        report: (error) => reporter.report(error),
      }),
    );
  }
}
