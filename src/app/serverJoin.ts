import * as os from 'node:os';
import * as vscode from 'vscode';
import { Emitter } from '../base/events.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import type { MessageTransport } from '../base/transport.ts';
import type { ConsentGate } from '../consent/consentGate.ts';
import type { Ledger } from '../consent/ledger.ts';
import type { OpenQuestions } from '../consent/openQuestions.ts';
import { createEditorPort, listWorkspaceFolders } from '../editor/editorPort.ts';
import type { SettingsReader } from '../editor/settingsReader.ts';
import type { ClientEntry } from '../server/clientRegistry.ts';
import type { EmbeddedServer, ServerState } from '../server/serverCore.ts';
import type { ErrorReporter } from '../views/errorReporter.ts';
import { keepInStep } from './clientPermissions.ts';
import { askConnect } from './connectQuestion.ts';

export interface ServerJoinOptions {
  readonly version: string;
  readonly gate: ConsentGate;
  readonly ledger: Ledger;
  /** Where VS Code keeps its own settings, storage and secrets. */
  readonly userDataPath: string;
  readonly questions: OpenQuestions;
  readonly settings: SettingsReader;
  readonly reporter: ErrorReporter;
  readonly log: Log;
}

/** Joins the embedded server to the editor: loaded on first use, listening only in a trusted window and while enabled. */
export class ServerJoin implements Disposable {
  readonly #options: ServerJoinOptions;
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<void>());
  #loading: Promise<EmbeddedServer> | undefined;
  #server: EmbeddedServer | undefined;
  #applying: Promise<void> = Promise.resolve();

  /** The listener's state or the connected clients changed. */
  readonly onDidChange = this.#changed.event;

  constructor(options: ServerJoinOptions) {
    this.#options = options;
    this.#lifetime.add(
      options.settings.onDidChange((affects) => {
        if (affects('duplex.server.enabled') || affects('duplex.server.port') || affects('duplex.server.allowedOrigins')) {
          void this.apply();
        }
      }),
    );
  }

  get state(): ServerState {
    return this.#server?.state ?? { kind: 'stopped' };
  }

  clients(): readonly ClientEntry[] {
    return this.#server?.clients.snapshot() ?? [];
  }

  /** The window token is no identity of its own: taking it from one client takes it from all, and a new one is made. */
  async revoke(client: ClientEntry): Promise<void> {
    if (client.credentialKind === 'windowToken') {
      await this.rotateToken();
    } else {
      this.#server?.clients.revoke(client.sessionId);
    }
  }

  async rotateToken(): Promise<void> {
    await this.#server?.rotateWindowToken();
  }

  /** Brings the listener into the state that trust and settings ask for, one change after the other. Never rejects. */
  apply(): Promise<void> {
    this.#applying = this.#applying.then(() => this.#applyNow()).catch((error: unknown) => this.#options.reporter.report(error));
    return this.#applying;
  }

  async #applyNow(): Promise<void> {
    const { settings, log } = this.#options;
    await this.#server?.stop();
    const isWanted = (): boolean => vscode.workspace.isTrusted && settings.get('duplex.server.enabled');
    const server = isWanted() ? await this.#load() : undefined;
    if (server === undefined || !isWanted()) {
      return; // also when it was switched off while the server was loading
    }
    const state = await server.start({
      port: settings.get('duplex.server.port'),
      allowedOrigins: settings.get('duplex.server.allowedOrigins'),
    });
    this.#reportState(state);
    log.info(`The editor's own MCP server: ${state.kind}${state.kind === 'listening' ? ` on port ${state.port}` : ''}.`);
  }

  /** The chat's own way in: the same server, without a listener. */
  async connectInMemory(): Promise<MessageTransport> {
    return (await this.#load()).connectInMemory();
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #reportState(state: ServerState): void {
    const { reporter } = this.#options;
    if (state.kind === 'failed') {
      reporter.report(state.error);
    } else if (state.kind === 'listening') {
      if (state.takenPort !== undefined) {
        reporter.warn(vscode.l10n.t('Port {0} is taken. Outside programs reach this editor on port {1}.', state.takenPort, state.port));
      }
      if (state.discovery.kind === 'failed') {
        reporter.report(state.discovery.error);
      }
    }
  }

  #load(): Promise<EmbeddedServer> {
    this.#loading ??= this.#create();
    return this.#loading;
  }

  async #create(): Promise<EmbeddedServer> {
    const { gate, questions, log, version, reporter } = this.#options;
    const [{ createEmbeddedServer }, { resolveDuplexHome }] = await Promise.all([
      import('../server/embeddedServer.ts'),
      import('../server/discovery.ts'),
    ]);
    const folders = listWorkspaceFolders().map((folder) => folder.path);
    const home = resolveDuplexHome(process.env['DUPLEX_HOME'], os.homedir(), folders);
    if (home.ignoredVariable !== undefined) {
      reporter.warn(vscode.l10n.t('DUPLEX_HOME points into this workspace and is ignored.'));
    }
    const server = createEmbeddedServer({
      editor: this.#lifetime.add(createEditorPort()),
      approval: {
        ask: (client, signal) => askConnect(client, { gate, ask: questions.ask, signal }),
        confirm: () => Promise.resolve('denied'),
        raiseRole: () => Promise.resolve('denied'),
      },
      log,
      version,
      windowName: vscode.workspace.name ?? vscode.l10n.t('no folder'),
      duplexHome: home.path,
      neverShown: [this.#options.userDataPath],
    });
    this.#server = this.#lifetime.add(server);
    this.#lifetime.add(server.onDidChangeState(() => this.#changed.fire()));
    this.#lifetime.add(server.clients.onDidChange(() => this.#changed.fire()));
    this.#lifetime.add(keepInStep(server.clients, this.#options.ledger));
    return server;
  }
}
