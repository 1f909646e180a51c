import * as path from 'node:path';
import * as vscode from 'vscode';
import { Emitter } from '../base/events.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { MessageTransport } from '../base/transport.ts';
import type { Ledger } from '../consent/ledger.ts';
import { registerWithAgent } from '../editor/agentRegistration.ts';
import { SharedFile } from '../platform/sharedFile.ts';
import { ClientPermissions } from '../server/access/clientPermissions.ts';
import type { ClientEntry } from '../server/protocol/clientRegistry.ts';
import { keepBridgeInstalled } from '../server/window/bridgeInstallation.ts';
import { IssuedCredentials } from '../server/window/issuedCredentials.ts';
import type { EmbeddedServer, ServerState } from '../server/window/serverCore.ts';
import { ServerStorage } from '../server/window/serverStorage.ts';
import type { KnownClient } from '../views/clientNodes.ts';
import { reportLimits, reportPolicy, reportStart } from '../views/serverReports.ts';
import { createWindowServer, type WindowServerOptions } from './windowServer.ts';

export interface ServerJoinOptions extends WindowServerOptions {
  readonly ledger: Ledger;
  /** Where Duplex keeps what all windows share. */
  readonly storageFolder: string;
}

/** A change of one of these is a new start of the listener. */
const listenerSettings = [
  'duplex.server.enabled',
  'duplex.server.port',
  'duplex.server.allowedOrigins',
  'duplex.server.limits',
  'duplex.server.tls',
] as const;

/** Joins the embedded server to the editor: loaded on first use, listening only in a trusted window and while enabled. */
export class ServerJoin implements Disposable {
  readonly #options: ServerJoinOptions;
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<void>());
  readonly #policyChanged = this.#lifetime.add(new Emitter<void>());
  #loading: Promise<EmbeddedServer> | undefined;
  #server: EmbeddedServer | undefined;
  #applying: Promise<void> = Promise.resolve();

  /** The listener's state or the connected clients changed. */
  readonly onDidChange = this.#changed.event;
  readonly permissions: ClientPermissions;
  readonly storage: ServerStorage;
  readonly credentials: IssuedCredentials;

  constructor(options: ServerJoinOptions) {
    this.#options = options;
    this.permissions = new ClientPermissions(options.ledger, options.gate);
    const { storageFolder, log } = options;
    this.storage = this.#lifetime.add(new ServerStorage((name) => SharedFile.open(path.join(storageFolder, name), log), log));
    this.credentials = new IssuedCredentials({ permissions: this.permissions, clientTokens: () => this.storage.clientTokens() });
    this.#lifetime.add(
      options.settings.onDidChange((affects) => {
        if (listenerSettings.some(affects)) {
          void this.apply();
        }
        if (affects('duplex.server.policy')) {
          this.#policyChanged.fire();
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

  /** Credentials that were given out, connected or not. */
  knownClients(): readonly KnownClient[] {
    return this.credentials.list();
  }

  /** Waits for a start that is under way. */
  async ownPort(): Promise<number | undefined> {
    await this.#applying;
    const { state } = this;
    return state.kind === 'listening' ? state.port : undefined;
  }

  /** The port the person chose; none: every start has another. */
  get fixedPort(): number | undefined {
    return this.#options.settings.get('duplex.server.port') || undefined;
  }

  /** Brings the listener into the state that trust and settings ask for, one change after the other. Never rejects. */
  apply(): Promise<void> {
    this.#applying = this.#applying.then(() => this.#applyNow()).catch((error: unknown) => this.#options.reporter.report(error));
    return this.#applying;
  }

  async #applyNow(): Promise<void> {
    const { settings, log } = this.#options;
    await this.#server?.stop();
    this.permissions.forgetWindowTokens();
    const isWanted = (): boolean => vscode.workspace.isTrusted && settings.get('duplex.server.enabled');
    const server = isWanted() ? await this.#load() : undefined;
    if (server === undefined || !isWanted()) {
      return; // also when it was switched off while the server was loading
    }
    const limits = settings.read('duplex.server.limits');
    reportLimits(limits, this.#options.reporter);
    const state = await server.start({
      port: settings.get('duplex.server.port'),
      allowedOrigins: settings.get('duplex.server.allowedOrigins'),
      limits: limits.kind === 'valid' ? limits.value : limits.rest,
      tls: settings.read('duplex.server.tls'),
    });
    reportStart(state, this.#options.reporter);
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

  #load(): Promise<EmbeddedServer> {
    this.#loading ??= this.#create();
    return this.#loading;
  }

  async #create(): Promise<EmbeddedServer> {
    const { reporter } = this.#options;
    const [{ server, duplexHome }, tokens] = await Promise.all([
      createWindowServer(this.#options, {
        permissions: this.permissions,
        oauthStorage: this.storage.oauth(),
        onDidChangePolicy: this.#policyChanged.event,
        lifetime: this.#lifetime,
      }),
      this.storage.clientTokens(),
    ]);
    this.#server = server;
    this.#lifetime.add(server.onDidChangeState(() => this.#changed.fire()));
    this.#lifetime.add(keepBridgeInstalled(server, { ...this.#options, duplexHome }));
    this.#lifetime.add(server.clients.onDidChange(() => this.#changed.fire()));
    this.#lifetime.add(this.permissions.forgetEnded(server.clients));
    this.#lifetime.add(tokens.onDidChange(() => this.#changed.fire()));
    this.#lifetime.add(this.credentials.admitTo(server, tokens));
    this.#offerToAgent(server);
    reportPolicy(server, reporter);
    this.#lifetime.add(this.#policyChanged.event(() => reportPolicy(server, reporter)));
    return server;
  }

  #offerToAgent(server: EmbeddedServer): void {
    const { version, log } = this.#options;
    const { credentials } = server;
    this.#lifetime.add(registerWithAgent({ version, state: () => server.state, onDidChange: this.onDidChange, credentials, log }));
  }
}
