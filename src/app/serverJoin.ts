import * as path from 'node:path';
import * as vscode from 'vscode';
import { Emitter } from '../base/events.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { MessageTransport } from '../base/transport.ts';
import type { Ledger } from '../consent/ledger.ts';
import { registerWithAgent } from '../editor/agentRegistration.ts';
import { SharedFile } from '../platform/files/sharedFile.ts';
import { ClientPermissions } from '../server/access/clientPermissions.ts';
import type { ClientEntry } from '../server/protocol/clientRegistry.ts';
import { keepBridgeInstalled } from '../server/window/bridgeLauncher.ts';
import { IssuedCredentials, ServerStorage } from '../server/window/issuedCredentials.ts';
import type { EditorPort } from '../server/seen/ports/editorPort.ts';
import type { EmbeddedServer, EmbeddedServerState } from '../server/window/serverCore.ts';
import { WindowListener } from '../server/window/windowListener.ts';
import type { KnownClient } from '../views/clients/clientNodes.ts';
import { reportServerLimits, reportPolicy, reportStart } from '../views/windowReports.ts';
import type { WindowServerOptions } from './windowServer.ts';

export interface ServerJoinOptions extends WindowServerOptions {
  readonly ledger: Ledger;
  /** Where Duplex keeps what all windows share. */
  readonly storageFolder: string;
}

/**
 * Joins the embedded server to the editor. Its code is loaded on first use; it listens only in a trusted window and while it is
 * enabled.
 */
export class ServerJoin implements Disposable {
  readonly #options: ServerJoinOptions;
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<void>());
  readonly #policyChanged = this.#lifetime.add(new Emitter<void>());
  readonly #listener: WindowListener<EmbeddedServer>;
  #editor: EditorPort | undefined;

  /** Fires when the listener's state or the connected clients changed. */
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
    this.#listener = this.#lifetime.add(this.#createListener());
    this.#lifetime.add(
      options.settings.onDidChange((affects) => {
        if (affects('duplex.server.policy')) {
          this.#policyChanged.fire();
        }
      }),
    );
  }

  get state(): EmbeddedServerState {
    return this.#listener.state;
  }

  clients(): readonly ClientEntry[] {
    return this.#listener.server?.clients.snapshot() ?? [];
  }

  /** The credentials that were given out, connected or not. */
  knownClients(): readonly KnownClient[] {
    return this.credentials.list();
  }

  /** How long new programs have to wait before they can ask to sign in, in ms. */
  signInWaitMs(): number {
    return this.#listener.server?.signInPause.remainingMs ?? 0;
  }

  letTheNextOneAsk(): void {
    this.#listener.server?.signInPause.letNextAsk();
  }

  ownPort(): Promise<number | undefined> {
    return this.#listener.ownPort();
  }

  get fixedPort(): number | undefined {
    return this.#listener.fixedPort;
  }

  /** Makes the listener follow the settings and the trust in the workspace. Never rejects. */
  apply(): Promise<void> {
    return this.#listener.apply();
  }

  /** Connects the chat to the same server, without a listener. */
  async connectInMemory(): Promise<MessageTransport> {
    return (await this.#listener.load()).connectInMemory();
  }

  /** The editor as clients see it, but with nothing withheld: for what the person does themselves. */
  async editor(): Promise<EditorPort> {
    await this.#listener.load();
    if (this.#editor === undefined) {
      throw new Error('The editor is served by nobody.');
    }
    return this.#editor;
  }

  stop(): Promise<void> {
    return this.#listener.stop();
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #createListener(): WindowListener<EmbeddedServer> {
    const { settings, reporter, log } = this.#options;
    return new WindowListener({
      wishes: {
        get: (name) => settings.get(name),
        read: (name) => settings.read(name),
        onDidChange: settings.onDidChange,
        isTrusted: () => vscode.workspace.isTrusted,
      },
      create: () => this.#create(),
      forgetWindowTokens: () => this.permissions.forgetWindowTokens(),
      reports: {
        limits: (limits) => reportServerLimits(limits, reporter),
        started: (state) => {
          reportStart(state, reporter);
          log.info(`The editor's own MCP server: ${state.kind}${state.kind === 'listening' ? ` on port ${state.port}` : ''}.`);
        },
        failed: (error) => reporter.report(error),
      },
    });
  }

  async #create(): Promise<EmbeddedServer> {
    const { reporter } = this.#options;
    // The code that reads the editor for clients comes with it; none is needed before there is a server.
    const { createWindowServer } = await import('./windowServer.ts');
    const [{ server, editor, duplexHome }, tokens] = await Promise.all([
      createWindowServer(this.#options, {
        permissions: this.permissions,
        oauthStorage: this.storage.oauth(),
        onDidChangePolicy: this.#policyChanged.event,
        lifetime: this.#lifetime,
      }),
      this.storage.clientTokens(),
    ]);
    this.#editor = editor;
    this.#lifetime.add(server.onDidChangeState(() => this.#changed.fire()));
    this.#lifetime.add(keepBridgeInstalled(server, { ...this.#options, duplexHome }));
    this.#lifetime.add(server.clients.onDidChange(() => this.#changed.fire()));
    this.#lifetime.add(server.signInPause.onDidChange(() => this.#changed.fire()));
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
