// host/: this window as an MCP client. The files of this folder itself are the registry: every configured server is approved
// (approval/), started and kept connected (connection/, transports/, auth/, processes/). Its tools are called under consent (tools/),
// and everything else of the protocol is in features/ and resources/. The host knows no editor and no chat.
import { atMost, neverAborted } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import { Emitter } from '../base/events.ts';
import { DisposableStore, toDisposable, type Disposable } from '../base/lifecycle.ts';
import { prefixed, type Log } from '../base/log.ts';
import { Sequencer } from '../base/sequencer.ts';
import type { Ask } from '../consent/consentGate.ts';
import type { DefinitionProblem, DefinitionReading, ServerDefinition } from '../definitions/serverDefinition.ts';
import { builtInId, nameInId } from '../definitions/serverNames.ts';
import { createFeatures } from './features/createFeatures.ts';
import type { FeaturePorts } from './features/handlerContext.ts';
import { ServerFeatures } from './features/serverFeatures.ts';
import type { Approval, ApprovalOptions, ApprovalPorts } from './approval/approval.ts';
import type { OutputVerdict, SchemaChecker } from './connection/schemaChecks.ts';
import { RememberedEras, type EraStorage } from './shared/eraCache.ts';
import { hostError } from './shared/hostErrors.ts';
import { ManagedServer } from './managedServer.ts';
import { contentOf, disposeEntry, snapshotOf, type ServerEntry } from './serverEntry.ts';
import { ModelToolNames, type ToolForModel } from './shared/modelTools.ts';
import type { ServerSnapshot, ServerState } from './shared/serverState.ts';
import { AdaptedTransport, type BuiltInServer } from './builtInServer.ts';
import type { TrafficTap } from '../traffic/trafficTap.ts';

export interface HostRegistryOptions extends ApprovalPorts {
  readonly clientVersion: string;
  readonly schemas: SchemaChecker;
  readonly log: Log;
  /** The log of one server, by its label. Without it, its lines go to `log` with the label before them. */
  readonly logFor?: ((label: string) => Log) | undefined;
  /** Whether a definition leads back to this window: such a server is shown and never connected. */
  readonly isThisEditor?: ((definition: ServerDefinition) => Promise<boolean>) | undefined;
  /** Without this port servers are offered no roots, no sampling and no elicitation. */
  readonly features?: FeaturePorts | undefined;
  /** Keeps the eras of servers beyond the window; not used when there is an `eraCache`. */
  readonly eraStorage?: EraStorage | undefined;
  /** Receives the messages to and from servers for the traffic view. */
  readonly traffic?: TrafficTap | undefined;
  readonly clock?: Clock | undefined;
}

export interface StartOptions {
  /** Without it nobody is asked: only what is allowed already starts. */
  readonly ask?: Ask | undefined;
  readonly signal: AbortSignal;
}

/** How long, in ms, a server may take to answer where its definition has no `timeout`. */
const defaultTimeoutMs = 60_000;
/** Somebody may think at a breakpoint for long. */
const debuggedTimeoutMs = 3_600_000;
/** The editor gives an extension 5 s in all to stop. */
const stopAllMs = 3_900;

/** Holds every server of this window. A configured server starts only after its approval (approval/). */
export class HostRegistry implements Disposable {
  readonly #options: HostRegistryOptions;
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<void>());
  readonly #entries = new Map<string, ServerEntry>();
  readonly #names = new ModelToolNames();
  #problems: readonly DefinitionProblem[] = [];
  readonly #applying = new Sequencer();
  /** The servers that are being stopped because their permission was revoked. */
  readonly #ending = new Set<Promise<void>>();
  /** The servers that were stopped for that since permissions could last be read again. */
  #ended = new WeakSet<ManagedServer>();
  #isStopping = false;

  readonly #revoked = this.#lifetime.add(new Emitter<string>());

  readonly onDidChange = this.#changed.event;
  /** Fires with the label of a server that was stopped because its permission to start was revoked. */
  readonly onDidRevoke = this.#revoked.event;

  constructor(options: HostRegistryOptions) {
    this.#options = { ...options, eraCache: options.eraCache ?? new RememberedEras(options.eraStorage) };
    this.#lifetime.add(toDisposable(() => this.#entries.forEach(disposeEntry)));
    this.#lifetime.add(options.gate.onDidChange(() => this.#endRevoked()));
    this.#lifetime.add(options.gate.onDidRecover(() => void this.#startAgain()));
    if (options.boxes !== undefined) {
      this.#lifetime.add(options.boxes.onDidChange(() => this.#changed.fire()));
    }
  }

  /** Adds a server inside the editor itself: it has no process to start, so nobody is asked. */
  addBuiltIn({ name, openTransport, riskOf, ownQuestions }: BuiltInServer): string {
    const id = builtInId(name);
    const open = async (): ReturnType<(Approval & { kind: 'approved' })['open']> => ({
      transport: new AdaptedTransport(await openTransport()),
      end: undefined,
      lastWords: '',
    });
    const approve = (): Promise<Approval> => Promise.resolve(this.#distrust() ?? { kind: 'approved', open });
    const features = new ServerFeatures({ timeoutMs: defaultTimeoutMs, log: this.#logOf(name) });
    const session = { ...this.#session(id, name), ...hooksOf(features) };
    this.#add(undefined, new ManagedServer({ id, name, session, initial: neverStarted, approve, riskOf, ownQuestions }), features);
    return id;
  }

  /**
   * Takes over the definitions as the settings have them now. Unchanged servers are left alone; changed ones are stopped and
   * asked about anew.
   */
  apply(reading: DefinitionReading): Promise<void> {
    return this.#applying.run(() => this.#applyNow(reading));
  }

  /** Throws in an untrusted workspace. It comes before everything else: without trust no server is used, nor asked about. */
  requireTrust(): void {
    if (!this.#options.environment.isTrusted()) {
      throw hostError('host.notTrusted');
    }
  }

  /** The folders of the workspace and the person's home, as paths of this machine. */
  get places(): { readonly folders: readonly string[]; readonly userHome: string } {
    const { environment } = this.#options;
    return { folders: environment.folders().map(({ path }) => path), userHome: environment.userHome };
  }

  /** Starts the servers that were allowed before and asks nobody; the others then say that they need permission. */
  async startApproved(): Promise<void> {
    // A server from another program's file is started by the person only.
    await this.#startWaiting(({ definition }) => definition?.scope !== 'discovered');
  }

  start(id: string, { ask, signal }: StartOptions): Promise<ServerState> {
    return this.#start(this.#entry(id).server, ask, signal);
  }

  stop(id: string): Promise<void> {
    return this.#entry(id).server.stop();
  }

  /**
   * Does not start the server again when somebody stops it meanwhile. Without `ask`, when the restart was not the person's
   * wish, a stop just before counts too.
   */
  async restart(id: string, options: StartOptions): Promise<ServerState> {
    const { server } = this.#entry(id);
    if (options.ask === undefined && server.isStopWished) {
      return server.state;
    }
    const { stops } = server;
    await server.stopToRestart();
    const now = this.#entry(id).server; // it may have got a new definition by then
    return now.stops === (now === server ? stops : 0) ? this.start(id, options) : now.state;
  }

  /** Asks whether a confined server may reach a host that it wanted. It starts anew with what is allowed then, be it more or not. */
  async allowHost(id: string, host: string, options: StartOptions): Promise<ServerState> {
    this.#options.boxes?.proposeHost(id, host);
    const state = await this.restart(id, options);
    const isRefused = state.kind === 'stopped' && state.reason === 'needsConsent';
    return isRefused ? this.start(id, { signal: options.signal }) : state;
  }

  /** Resolves within 4 s, whatever the servers do. After this nothing starts any more. */
  async stopAll(): Promise<void> {
    this.#isStopping = true;
    const stopped = Promise.all([...this.#entries.values()].map(({ server }) => server.stop())).then(() => this.#options.supervisor.stop());
    await atMost(stopped, stopAllMs);
    this.#options.supervisor.dispose();
  }

  servers(): readonly ServerSnapshot[] {
    const wanted = (id: string): readonly string[] => this.#options.boxes?.wantedHosts(id) ?? [];
    return [...this.#entries.values()].map((entry) => snapshotOf(entry, this.#problems, wanted));
  }

  /** All problems of the definitions, also of those that gave no server. */
  problems(): readonly DefinitionProblem[] {
    return this.#problems;
  }

  /** The tools of every running server under names that models can use. A name never comes to mean another tool. */
  modelTools(): readonly ToolForModel[] {
    return this.#names.name(this.servers());
  }

  /** The tool for which a name was given out, even when its server is gone; undefined for a name that was never given out. */
  toolNamed(name: string): { readonly serverId: string; readonly tool: string } | undefined {
    return this.#names.ownerOf(name);
  }

  /** The name under which models call a tool; undefined while its server does not run. */
  modelName(serverId: string, tool: string): string | undefined {
    return this.#names.nameOf(this.servers(), serverId, tool);
  }

  /** Finds a configured server by its id, with its connection, through which nobody is asked for consent. */
  find(id: string): ManagedServer | undefined {
    return this.#entries.get(id)?.server;
  }

  /** The prompts, resources, completions and log level of one server. */
  features(id: string): ServerFeatures {
    return this.#entry(id).features;
  }

  /** How the last results of its tools compared with their output schemas. */
  outputsOf(id: string): ReadonlyMap<string, OutputVerdict> {
    return this.#entry(id).outputs;
  }

  /** The name for people, even of a server that is gone; never its id, which says nothing to them. */
  labelOf(id: string): string {
    const entry = this.#entries.get(id);
    return entry?.definition?.label ?? entry?.server.name ?? nameInId(id);
  }

  /** The definition of a server; a built-in one has none, because it is configured nowhere. */
  definitionOf(id: string): ServerDefinition | undefined {
    return this.#entries.get(id)?.definition;
  }

  dispose(): void {
    this.#isStopping = true;
    this.#lifetime.dispose();
  }

  async #startWaiting(isMeant: (entry: ServerEntry) => boolean): Promise<void> {
    const waiting = [...this.#entries.values()].filter((entry) => isWaiting(entry.server.state) && isMeant(entry));
    await Promise.all(waiting.map(({ server }) => this.#start(server, undefined, neverAborted())));
  }

  async #start(server: ManagedServer, ask: Ask | undefined, signal: AbortSignal): Promise<ServerState> {
    if (this.#isStopping) {
      return server.state;
    }
    if (!this.#options.environment.isTrusted()) {
      const error = hostError('host.notTrusted');
      return ask === undefined ? server.state : { kind: 'failed', error };
    }
    return server.start({ ask, signal });
  }

  /** Checked at the approval of every start, because a lost server is started again without anybody's wish. */
  #distrust(): Approval | undefined {
    return this.#options.environment.isTrusted() ? undefined : { kind: 'failed', error: hostError('host.notTrusted') };
  }

  /** Stops servers whose permission was revoked, in this window or in another. */
  #endRevoked(): void {
    const revoked = [...this.#entries.values()].filter(({ server }) => server.runsOn && this.#options.gate.isRevoked(server.runsOn));
    for (const { server } of revoked) {
      const label = this.labelOf(server.id);
      this.#logOf(label).info('Its permission to start was revoked; it is stopped.');
      this.#ended.add(server);
      const ending = server.stop('needsConsent').then(
        () => this.#revoked.fire(label),
        (error: unknown) => this.#logOf(label).error('It could not be stopped.', error),
      );
      this.#ending.add(ending);
      void ending.finally(() => this.#ending.delete(ending));
    }
  }

  /**
   * Permissions that could not be read for a while counted as revoked. Where they hold again, the servers come back, also one from another
   * program's file that the person had started.
   */
  async #startAgain(): Promise<void> {
    const ended = this.#ended;
    this.#ended = new WeakSet();
    await Promise.all(this.#ending);
    await this.#startWaiting(({ server, definition }) => definition?.scope !== 'discovered' || ended.has(server));
  }

  async #applyNow({ definitions, problems }: DefinitionReading): Promise<void> {
    this.#problems = problems;
    const wanted = new Map(definitions.map((definition) => [definition.id, definition]));
    const leaving = [...this.#entries.values()].filter(({ definition }) => {
      const next = definition && wanted.get(definition.id);
      return definition !== undefined && (next === undefined || contentOf(next) !== contentOf(definition));
    });
    // They leave the table first, so that nobody starts the old definition while it is being stopped.
    leaving.forEach(({ server }) => this.#entries.delete(server.id));
    const wasRunning = new Set(leaving.filter(({ server }) => isRunning(server.state)).map(({ server }) => server.id));
    for (const definition of definitions) {
      const kept = this.#entries.get(definition.id);
      if (kept === undefined) {
        this.#create(definition, wasRunning.has(definition.id));
      } else {
        kept.definition = definition;
      }
    }
    this.#changed.fire();
    await Promise.all(leaving.map((entry) => entry.server.stop().finally(() => disposeEntry(entry))));
  }

  #create(definition: ServerDefinition, wasRunning: boolean): void {
    const log = this.#logOf(definition.label);
    const approve = async (options: ApprovalOptions): Promise<Approval> => {
      const distrust = this.#distrust();
      if (distrust !== undefined) {
        return distrust;
      }
      // The newest definition counts: an unchanged server may have another label by now.
      const now = this.#entries.get(definition.id)?.definition ?? definition;
      if ((await this.#options.isThisEditor?.(now)) === true) {
        return { kind: 'stopped', reason: 'thisEditor' };
      }
      // A window without servers does not need it.
      const { approveLocal, approveRemote } = await import('./approval/approval.ts');
      return now.kind === 'remote' ? approveRemote(now, this.#options, options, log) : approveLocal(now, this.#options, options, log);
    };
    const reason = wasRunning ? 'needsConsent' : 'neverStarted';
    const timeoutMs = definition.raw.timeout ?? (isDebugged(definition) ? debuggedTimeoutMs : defaultTimeoutMs);
    const features = createFeatures({
      serverId: definition.id,
      identity: () => this.find(definition.id)?.identity ?? '',
      label: () => this.labelOf(definition.id),
      folder: definition.folder,
      gate: this.#options.gate,
      ports: this.#options.features,
      timeoutMs,
      log,
    });
    const outputs = new Map<string, OutputVerdict>();
    const noteOutput = (tool: string, seen: OutputVerdict): void => void outputs.set(tool, seen);
    const server = new ManagedServer({
      id: definition.id,
      name: definition.name,
      session: {
        ...this.#session(definition.id, definition.label),
        timeoutMs,
        filter: definition.raw.tools,
        noteOutput,
        ...hooksOf(features),
      },
      initial: { kind: 'stopped', reason: definition.raw.disabled === true ? 'disabled' : reason },
      approve,
      riskOf: () => 'unknown',
    });
    this.#add(definition, server, features, outputs);
  }

  #session(id: string, label: string): ManagedSession {
    const { clientVersion, schemas, clock, traffic: tap } = this.#options;
    const traffic = tap && { tap, peer: () => ({ side: 'server' as const, id, name: this.labelOf(id) }) };
    return { clientVersion, schemas, timeoutMs: defaultTimeoutMs, filter: undefined, log: this.#logOf(label), traffic, clock };
  }

  #logOf(label: string): Log {
    return this.#options.logFor?.(label) ?? prefixed(this.#options.log, label);
  }

  #add(
    definition: ServerDefinition | undefined,
    server: ManagedServer,
    features: ServerFeatures,
    outputs: ServerEntry['outputs'] = new Map(),
  ): void {
    const watching = new DisposableStore();
    watching.add(server.onDidChange(() => this.#changed.fire()));
    watching.add(features.onDidChange(() => this.#changed.fire()));
    this.#entries.set(server.id, { server, features, watching, definition, outputs });
    this.#changed.fire();
  }

  #entry(id: string): ServerEntry {
    const entry = this.#entries.get(id);
    if (entry === undefined) {
      throw hostError('host.unknownServer', { server: nameInId(id) });
    }
    return entry;
  }
}

type ManagedSession = ConstructorParameters<typeof ManagedServer>[0]['session'];

const neverStarted: ServerState = { kind: 'stopped', reason: 'neverStarted' };

function isWaiting(state: ServerState): boolean {
  return state.kind === 'stopped' && (state.reason === 'neverStarted' || state.reason === 'needsConsent');
}

function isDebugged(definition: ServerDefinition): boolean {
  return definition.kind === 'stdio' && definition.raw.dev?.debug !== undefined;
}

function isRunning(state: ServerState): boolean {
  return state.kind === 'ready' || state.kind === 'starting';
}

function hooksOf(features: ServerFeatures): Pick<ManagedSession, 'configure' | 'afterConnect'> {
  return { configure: (client) => features.configure(client), afterConnect: (client, session) => features.attach(client, session) };
}
