import * as path from 'node:path';
import * as vscode from 'vscode';
import { Emitter } from '../base/events.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { MessageTransport } from '../base/transport.ts';
import type { Ledger } from '../consent/ledger.ts';
import { SharedFile } from '../editor/sharedFile.ts';
import type { ClientTokens } from '../server/access/clientTokens.ts';
import type { ClientEntry } from '../server/protocol/clientRegistry.ts';
import type { EmbeddedServer, ServerState } from '../server/window/serverCore.ts';
import type { KnownClient } from '../views/clientNodes.ts';
import { ProposalReviews } from '../views/proposalReviews.ts';
import { registerWithAgent } from '../editor/agentRegistration.ts';
import { keepBridgeInstalled } from '../server/window/bridgeInstallation.ts';
import { ClientPermissions } from '../server/access/clientPermissions.ts';
import { reportPolicy, reportStart } from '../views/serverReports.ts';
import { ServerStorage } from '../server/window/serverStorage.ts';
import { createWindowServer, type WindowServerOptions } from './windowServer.ts';

export interface ServerJoinOptions extends WindowServerOptions {
  readonly ledger: Ledger;
  readonly extensionPath: string;
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
  #tokens: ClientTokens | undefined;
  #applying: Promise<void> = Promise.resolve();

  /** The listener's state or the connected clients changed. */
  readonly onDidChange = this.#changed.event;
  readonly permissions: ClientPermissions;
  readonly storage: ServerStorage;
  /** Where the person answers what clients want to change. */
  readonly proposals: ProposalReviews;

  constructor(options: ServerJoinOptions) {
    this.#options = options;
    this.proposals = this.#lifetime.add(new ProposalReviews((sentence) => options.reporter.relay(sentence)));
    this.permissions = new ClientPermissions(options.ledger, options.gate);
    const { storageFolder, log } = options;
    this.storage = this.#lifetime.add(new ServerStorage((name) => SharedFile.open(path.join(storageFolder, name), log), log));
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
    const tokens = (this.#tokens?.list() ?? []).map(({ id, label }) => ({
      credentialId: id,
      credentialKind: 'clientToken' as const,
      label,
    }));
    const registered = this.#server?.oauthClients() ?? [];
    return [...tokens, ...registered.map(({ id, label }) => ({ credentialId: id, credentialKind: 'oauth' as const, label }))];
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

  /** The window token is no identity of its own: taking it from one client takes it from all, and a new one is made. */
  async revoke({ credentialId, credentialKind }: Pick<ClientEntry, 'credentialId' | 'credentialKind'>): Promise<void> {
    if (credentialKind === 'windowToken') {
      await this.rotateToken();
    } else {
      this.#server?.credentials.revoke(credentialId);
      if (credentialKind === 'clientToken') {
        await (await this.storage.clientTokens()).revoke(credentialId);
      }
      await this.permissions.forgetClient(credentialId);
    }
  }

  async rotateToken(): Promise<void> {
    await this.#server?.rotateWindowToken();
    this.permissions.forgetWindowTokens();
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
    const { readLimits } = await import('../server/limitSettings.ts');
    const { limits, problems } = readLimits(settings.get('duplex.server.limits'));
    problems.forEach((problem) => this.#options.reporter.warn(problem));
    const state = await server.start({
      port: settings.get('duplex.server.port'),
      allowedOrigins: settings.get('duplex.server.allowedOrigins'),
      limits,
      tls: settings.get('duplex.server.tls'),
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
        proposals: this.proposals,
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
    this.#joinCredentials(server, tokens);
    reportPolicy(server, reporter);
    this.#lifetime.add(this.#policyChanged.event(() => reportPolicy(server, reporter)));
    return server;
  }

  #joinCredentials(server: EmbeddedServer, tokens: ClientTokens): void {
    const { version, log } = this.#options;
    this.#tokens = tokens;
    this.#lifetime.add(tokens.onDidChange(() => this.#changed.fire()));
    this.#lifetime.add(tokens.admitTo(server.credentials));
    const { credentials } = server;
    this.#lifetime.add(registerWithAgent({ version, state: () => server.state, onDidChange: this.onDidChange, credentials, log }));
  }
}
