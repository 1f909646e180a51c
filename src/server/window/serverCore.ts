// window/: the server as part of one VS Code window: it starts and stops, has a token for processes of the window's user, tells
// them by a file where it listens, and writes a launcher for stdio. This file joins all rooms below.
import { isAppError, messageOf, type AppError } from '../../base/errors.ts';
import { Emitter, type Event } from '../../base/events.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import { Sequencer } from '../../base/sequencer.ts';
import type { MessageTransport } from '../../base/transport.ts';
import type { TrafficTap } from '../../traffic/trafficTap.ts';
import { serverError } from '../errors/serverErrors.ts';
import type { OauthStorage } from '../oauth/issuedTokens.ts';
import type { PageLanguage } from '../oauth/oauthPages.ts';
import { SignInPause } from '../oauth/signInPause.ts';
import { ClientRegistry } from '../protocol/clientRegistry.ts';
import { systemClock, type Clock } from '../../base/clock.ts';
import { CredentialStore, WindowToken } from '../access/credentials.ts';
import { defaultLimits, defaultServerTimings, type ServerLimits, type ServerTimings } from '../access/limits.ts';
import { AccessControl } from '../access/accessControl.ts';
import { AccessPolicy, type PolicySource } from '../access/policy.ts';
import { spellingsOf } from '../access/policyPaths.ts';
import type { Catalog } from '../offer/catalog/catalog.ts';
import type { ClientApproval } from '../access/clientApproval.ts';
import type { SeenFolder } from '../seen/ports/editorPort.ts';
import { noteReview, type CallRecords } from '../protocol/methods/callRecords.ts';
import { createMethods } from '../protocol/methods/methods.ts';
import { identityOf } from '../protocol/clients/protocolServices.ts';
import { SessionDirectory } from '../protocol/sessionDirectory.ts';
import { RealPaths } from '../../platform/paths/realPath.ts';
import type { Workbench } from '../seen/workbench.ts';
import { InMemoryClientEnd } from '../wire/transports/inMemory.ts';
import { readTlsMaterial, type TlsReading } from '../wire/http/tlsMaterial.ts';
import type { ServerUrls } from '../wire/endpoints.ts';
import { Running } from './running.ts';
import type { DiscoveryState, WindowUse } from './discovery.ts';

export interface ServerCoreOptions {
  readonly catalog: Catalog;
  readonly approval: ClientApproval;
  /** The setting `duplex.server.policy`; by default nothing is forbidden. */
  readonly policy?: PolicySource | undefined;
  /** Where calls are recorded; by default nowhere. */
  readonly records?: CallRecords | undefined;
  readonly log: Log;
  /** The version of the extension. */
  readonly version: string;
  /** The name of the window, for a person who chooses a window from a list. */
  readonly windowName: string;
  /** How the window is used; without it, windows with one folder are told apart by their age. */
  readonly windowUse?: WindowUse | undefined;
  /** The absolute path that `resolveDuplexHome` returned. */
  readonly duplexHome: string;
  /** The workspace folders, for the discovery file and for paths in the policy. */
  readonly folders: { list(): readonly SeenFolder[]; readonly onDidChange: Event<void> };
  /** Whether the page of the window answers, for bridges that look for a window. By default it does. */
  readonly workbench?: Pick<Workbench, 'answers'> | undefined;
  /** Other objects that are disposed with the server. */
  readonly parts?: readonly Disposable[] | undefined;
  readonly limits?: Partial<ServerLimits> | undefined;
  readonly timings?: Partial<ServerTimings> | undefined;
  readonly clock?: Clock | undefined;
  /** Where OAuth registrations and tokens are stored if the port is fixed. */
  readonly oauthStorage?: OauthStorage | undefined;
  /** The language of the sign-in pages; English when not given. */
  readonly pageLanguage?: PageLanguage | undefined;
  /** Where the messages of outside clients are recorded for the traffic view. */
  readonly traffic?: TrafficTap | undefined;
}

/** The options of a start. */
export interface ListenOptions {
  /** The port; with 0, or without it, the system chooses one. */
  readonly port?: number | undefined;
  /** The origins (`scheme://host[:port]`) of web pages that may call; none by default. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Limits that override those of the server. */
  readonly limits?: Partial<ServerLimits> | undefined;
  /** The setting `duplex.server.tls`. If something is wrong with it, the start fails. By default plain HTTP. */
  readonly tls?: TlsReading | undefined;
}

export type EmbeddedServerState =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'starting' }
  | {
      readonly kind: 'listening';
      readonly port: number;
      /** The configured port, if it was taken and another one is used. */
      readonly takenPort: number | undefined;
      readonly urls: ServerUrls;
      readonly discovery: DiscoveryState;
    }
  | { readonly kind: 'stopping' }
  | { readonly kind: 'failed'; readonly error: AppError };

export interface EmbeddedServer extends Disposable {
  readonly state: EmbeddedServerState;
  readonly onDidChangeState: Event<EmbeddedServerState>;
  readonly clients: ClientRegistry;
  readonly policy: AccessPolicy;
  /** The credentials that the server accepts, beside the window token. */
  readonly credentials: CredentialStore;
  /** The window token, while the server listens. It is a secret for the clipboard and the bridge: it must never be logged. */
  readonly windowToken: string | undefined;
  /** The OAuth clients that were approved and can come back. */
  oauthClients(): readonly { readonly id: string; readonly label: string }[];
  /** The time in which no new program can ask to sign in by browser. */
  readonly signInPause: SignInPause;
  /** Starts to listen; does nothing if the server listens already. */
  start(options?: ListenOptions): Promise<EmbeddedServerState>;
  /** Closes every outside connection within two seconds. The chat's link stays. */
  stop(): Promise<void>;
  /** Makes a new window token and ends all sessions of the old one. */
  rotateWindowToken(): Promise<void>;
  /** Opens a session for the chat and returns the client's end. It works whether or not the server listens. */
  connectInMemory(): MessageTransport;
}

/** Makes a server for any catalog, with listener, transports, sessions, credentials and discovery. */
export function createServerCore(options: ServerCoreOptions): EmbeddedServer {
  return new ServerCore(options);
}

class ServerCore implements EmbeddedServer {
  readonly credentials = new CredentialStore();
  readonly #token = new WindowToken(this.credentials);
  readonly clients: ClientRegistry;
  readonly policy: AccessPolicy;
  readonly signInPause: SignInPause;
  readonly #options: ServerCoreOptions;
  /** The limits. Everybody shares this one object, because a start may change its values. */
  readonly #limits: { -readonly [Name in keyof ServerLimits]: ServerLimits[Name] };
  readonly #timings: ServerTimings;
  readonly #clock: Clock;
  readonly #owned = new DisposableStore();
  readonly #stateEmitter: Emitter<EmbeddedServerState>;
  readonly #directory: SessionDirectory;
  readonly #access: AccessControl;
  #state: EmbeddedServerState = { kind: 'stopped' };
  #running: Running | undefined;
  /** Starts, stops and rotations happen one after the other. */
  readonly #transitions = new Sequencer();

  constructor(options: ServerCoreOptions) {
    this.#options = options;
    options.parts?.forEach((part) => this.#owned.add(part));
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#timings = { ...defaultServerTimings, ...options.timings };
    this.#clock = options.clock ?? systemClock;
    this.signInPause = this.#owned.add(new SignInPause(this.#clock));
    const { log, catalog, approval } = options;
    const common = { clock: this.#clock, timings: this.#timings, log };
    const realPaths = new RealPaths();
    const spellings = (path: string): readonly string[] => spellingsOf(path, options.folders.list(), realPaths);
    this.policy = this.#owned.add(new AccessPolicy({ source: options.policy, spellings, clock: this.#clock }));
    const access = this.#owned.add(
      new AccessControl({
        ...common,
        didReview: (viewer, key, answer) => noteReview(options.records, viewer, key, answer),
        approval,
        policy: this.policy,
        actingPerSecond: () => this.#limits.actingPerSecond,
      }),
    );
    this.#access = access;
    const services = {
      ...common,
      catalog,
      methods: createMethods({ catalog, records: options.records, log }),
      access,
      limits: this.#limits,
      identity: identityOf(options.version),
      traffic: options.traffic,
    };
    this.#stateEmitter = this.#owned.add(new Emitter<EmbeddedServerState>());
    this.clients = this.#owned.add(new ClientRegistry(this.#clock, this.#timings.registryRefresh));
    this.#directory = this.#owned.add(new SessionDirectory(services, this.clients));
    this.#owned.add(this.credentials);
    this.#owned.add(this.credentials.onDidRevoke((id) => this.#forget(id)));
    this.#owned.add(access.onDidRevoke((revoked) => this.clients.endRevoked(revoked)));
  }

  get state(): EmbeddedServerState {
    return this.#state;
  }

  get onDidChangeState(): Event<EmbeddedServerState> {
    return this.#stateEmitter.event;
  }

  get windowToken(): string | undefined {
    return this.#token.value;
  }

  start(options: ListenOptions = {}): Promise<EmbeddedServerState> {
    return this.#transitions.run(async () => {
      if (this.#running !== undefined || this.#owned.isDisposed) {
        return this.#state;
      }
      this.#change({ kind: 'starting' });
      try {
        await this.#publish(await this.#open(options));
      } catch (error) {
        this.#release();
        this.#change({ kind: 'failed', error: startFailure(error) });
      }
      return this.#state;
    });
  }

  stop(): Promise<void> {
    return this.#transitions.run(async () => {
      const running = this.#running;
      if (running !== undefined) {
        this.#change({ kind: 'stopping' });
        this.#release();
        await running.close(this.#timings.stop);
      }
      this.#change({ kind: 'stopped' });
    });
  }

  rotateWindowToken(): Promise<void> {
    return this.#transitions.run(async () => {
      if (this.#running !== undefined) {
        this.#token.rotate();
        await this.#publish(this.#running);
      }
    });
  }

  oauthClients(): ReturnType<EmbeddedServer['oauthClients']> {
    return this.#running?.oauth.clients() ?? [];
  }

  connectInMemory(): MessageTransport {
    return new InMemoryClientEnd(this.#directory);
  }

  /** Ends everything synchronously, at the end of the process; `stop` is the friendly way. */
  dispose(): void {
    const running = this.#running;
    this.#release();
    running?.closeNow();
    this.#state = { kind: 'stopped' };
    this.#owned.dispose();
  }

  async #open({ port = 0, allowedOrigins = [], ...options }: ListenOptions): Promise<Running> {
    const { log, catalog, approval, oauthStorage, duplexHome, windowName, windowUse, folders } = this.#options;
    const tls = await readTlsMaterial(options.tls);
    Object.assign(this.#limits, defaultLimits, this.#options.limits, options.limits);
    const running = await Running.open({
      port,
      allowedOrigins,
      tls,
      approval,
      oauthStorage,
      pause: this.signInPause,
      pageLanguage: this.#options.pageLanguage,
      credentials: this.credentials,
      limits: this.#limits,
      timings: this.#timings,
      clock: this.#clock,
      log,
      directory: this.#directory,
      catalog,
      duplexHome,
      windowName,
      use: windowUse,
      folders,
      token: () => this.#token.value,
      workbench: this.#options.workbench ?? { answers: () => Promise.resolve(true) },
    });
    this.#running = running;
    if (this.#owned.isDisposed) {
      // `dispose` does not wait for the start to end, so it found nothing to close yet.
      this.dispose();
      throw serverError('server.stopped');
    }
    this.#token.mint();
    return running;
  }

  #release(): void {
    const running = this.#running;
    this.#running = undefined;
    this.#token.withdraw();
    this.#access.forgetAll();
    running?.closeWebSockets();
    this.#directory.closeClients();
    running?.dispose();
  }

  async #publish(running: Running): Promise<void> {
    const { port, takenPort, urls } = running;
    const discovery = await running.publish();
    // `dispose` does not wait: it may have ended the server meanwhile.
    if (this.#running === running) {
      this.#change({ kind: 'listening', port, takenPort, urls, discovery });
    }
  }

  /** Closes everything of a credential that is no longer valid, and forgets its approvals. */
  #forget(credentialId: string): void {
    this.#directory.closeClients(credentialId);
    this.#access.forget(credentialId);
  }

  #change(state: EmbeddedServerState): void {
    this.#state = state;
    this.#stateEmitter.fire(state);
  }
}

function startFailure(error: unknown): AppError {
  return isAppError(error) ? error : serverError('server.start', { reason: messageOf(error) }, { cause: error });
}
