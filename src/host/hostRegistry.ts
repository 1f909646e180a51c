import { AppError } from '../base/errors.ts';
import { Emitter } from '../base/events.ts';
import { canonicalJson } from '../base/json.ts';
import { DisposableStore, toDisposable, type Disposable } from '../base/lifecycle.ts';
import { prefixed, type Log } from '../base/log.ts';
import type { MessageTransport } from '../base/transport.ts';
import type { Ask, ConsentGate } from '../consent/consentGate.ts';
import type { DefinitionProblem, DefinitionReading, ServerDefinition } from '../definitions/serverDefinition.ts';
import { approveLocal, type Approval, type ApprovalOptions, type HostEnvironment } from './approval.ts';
import { ManagedServer } from './managedServer.ts';
import { ModelToolNames, type ModelTool } from './modelToolNames.ts';
import type { Risk, ServerSnapshot, ServerState } from './serverState.ts';
import type { SupervisorClient } from './supervisorClient.ts';
import { AdaptedTransport } from './transports/adaptTransport.ts';

export interface HostRegistryOptions {
  readonly gate: ConsentGate;
  readonly supervisor: SupervisorClient;
  readonly environment: HostEnvironment;
  readonly clientVersion: string;
  readonly log: Log;
}

export interface BuiltInServer {
  readonly name: string;
  readonly openTransport: () => Promise<MessageTransport>;
  readonly riskOf: (tool: string) => Risk;
}

export interface StartOptions {
  readonly ask: Ask;
  readonly signal: AbortSignal;
}

interface Entry {
  readonly server: ManagedServer;
  readonly watching: Disposable;
  /** Undefined for a built-in one. */
  definition: ServerDefinition | undefined;
}

const defaultTimeoutMs = 60_000;
/** The editor gives 5 s in all. */
const stopAllMs = 3_900;

/** Every server of this window, and the one gate that each of their starts passes. */
export class HostRegistry implements Disposable {
  readonly #options: HostRegistryOptions;
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<void>());
  readonly #entries = new Map<string, Entry>();
  readonly #names = new ModelToolNames();
  #problems: readonly DefinitionProblem[] = [];
  #applying: Promise<void> = Promise.resolve();
  #isStopping = false;

  readonly onDidChange = this.#changed.event;

  constructor(options: HostRegistryOptions) {
    this.#options = options;
    this.#lifetime.add(toDisposable(() => this.#entries.forEach(disposeEntry)));
  }

  /** A server inside the editor itself: there is nothing to start and so nothing to ask. */
  addBuiltIn({ name, openTransport, riskOf }: BuiltInServer): string {
    const id = `builtIn:${name}`;
    const open = async (): ReturnType<(Approval & { kind: 'approved' })['open']> => ({
      transport: new AdaptedTransport(await openTransport()),
      end: undefined,
      lastWords: '',
    });
    const approve = (): Promise<Approval> => Promise.resolve({ kind: 'approved', open });
    this.#add(undefined, new ManagedServer({ id, name, session: this.#session(name), initial: neverStarted, approve, riskOf }));
    return id;
  }

  /** Takes over what the settings say now. What did not change is left alone; what did is stopped and asked about anew. */
  apply(reading: DefinitionReading): Promise<void> {
    // A change that failed must not keep later ones from being applied.
    this.#applying = this.#applying.catch(() => undefined).then(() => this.#applyNow(reading));
    return this.#applying;
  }

  /** Starts what was allowed before, asks nobody; the others say that they need permission. */
  async startApproved(): Promise<void> {
    const waiting = [...this.#entries.values()].filter(({ server }) => isWaiting(server.state));
    await Promise.all(waiting.map(({ server }) => this.#start(server, undefined, new AbortController().signal)));
  }

  start(id: string, { ask, signal }: StartOptions): Promise<ServerState> {
    return this.#start(this.#entry(id).server, ask, signal);
  }

  stop(id: string): Promise<void> {
    return this.#entry(id).server.stop();
  }

  async restart(id: string, options: StartOptions): Promise<ServerState> {
    await this.stop(id);
    return this.start(id, options);
  }

  /** Resolves within 4 s, whatever the servers do; afterwards nothing starts any more. */
  async stopAll(): Promise<void> {
    this.#isStopping = true;
    const stopped = Promise.all([...this.#entries.values()].map(({ server }) => server.stop())).then(() => this.#options.supervisor.stop());
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, stopAllMs)));
    await Promise.race([stopped, timeout]);
    clearTimeout(timer);
    this.#options.supervisor.dispose();
  }

  servers(): readonly ServerSnapshot[] {
    return [...this.#entries.values()].map((entry) => this.#snapshot(entry));
  }

  /** Also of definitions that gave no server. */
  problems(): readonly DefinitionProblem[] {
    return this.#problems;
  }

  /** The tools of every running server under names a model can use; a name never comes to mean another tool. */
  modelTools(): readonly ModelTool[] {
    return this.#names.name(this.servers());
  }

  /** For the tool caller. */
  find(id: string): ManagedServer | undefined {
    return this.#entries.get(id)?.server;
  }

  labelOf(id: string): string {
    const entry = this.#entries.get(id);
    return entry?.definition?.label ?? entry?.server.name ?? id;
  }

  dispose(): void {
    this.#isStopping = true;
    this.#lifetime.dispose();
  }

  async #start(server: ManagedServer, ask: Ask | undefined, signal: AbortSignal): Promise<ServerState> {
    if (this.#isStopping) {
      return server.state;
    }
    if (!this.#options.environment.isTrusted()) {
      const error = new AppError('host.notTrusted', 'No server starts before you trust this workspace.');
      return ask === undefined ? server.state : { kind: 'failed', error };
    }
    return server.start({ ask, signal });
  }

  async #applyNow({ definitions, problems }: DefinitionReading): Promise<void> {
    this.#problems = problems;
    const wanted = new Map(definitions.map((definition) => [definition.id, definition]));
    const leaving = [...this.#entries.values()].filter(({ definition }) => {
      const next = definition && wanted.get(definition.id);
      return definition !== undefined && (next === undefined || contentOf(next) !== contentOf(definition));
    });
    // Gone from the table first, so that nobody starts the old definition while it is being stopped.
    leaving.forEach(({ server }) => this.#entries.delete(server.id));
    const wasRunning = new Set(leaving.filter(({ server }) => isRunning(server.state)).map(({ server }) => server.id));
    for (const definition of definitions) {
      const kept = this.#entries.get(definition.id);
      if (kept === undefined) {
        this.#add(definition, this.#create(definition, wasRunning.has(definition.id)));
      } else {
        kept.definition = definition;
      }
    }
    this.#changed.fire();
    await Promise.all(leaving.map((entry) => entry.server.stop().finally(() => disposeEntry(entry))));
  }

  #create(definition: ServerDefinition, wasRunning: boolean): ManagedServer {
    const log = prefixed(this.#options.log, definition.label);
    const approve = (options: ApprovalOptions): Promise<Approval> => {
      if (definition.kind === 'remote') {
        const message = 'Remote servers cannot be connected yet; this version runs local ones.';
        return Promise.resolve({ kind: 'failed', error: new AppError('host.transportNotYet', message) });
      }
      return approveLocal(definition, this.#options, options, log);
    };
    const reason = wasRunning ? 'needsConsent' : 'neverStarted';
    return new ManagedServer({
      id: definition.id,
      name: definition.name,
      session: { ...this.#session(definition.label), timeoutMs: definition.raw.timeout ?? defaultTimeoutMs, filter: definition.raw.tools },
      initial: { kind: 'stopped', reason: definition.raw.disabled === true ? 'disabled' : reason },
      approve,
      riskOf: () => 'unknown',
    });
  }

  #session(label: string): ManagedSession {
    const { clientVersion, log } = this.#options;
    return { clientVersion, timeoutMs: defaultTimeoutMs, filter: undefined, log: prefixed(log, label) };
  }

  #add(definition: ServerDefinition | undefined, server: ManagedServer): void {
    const watching = server.onDidChange(() => this.#changed.fire());
    this.#entries.set(server.id, { server, watching, definition });
    this.#changed.fire();
  }

  #entry(id: string): Entry {
    const entry = this.#entries.get(id);
    if (entry === undefined) {
      throw new AppError('host.unknownServer', `There is no server “${id}”.`, { args: { id } });
    }
    return entry;
  }

  #snapshot({ server, definition }: Entry): ServerSnapshot {
    const isHere = (problem: DefinitionProblem): boolean =>
      problem.server === definition?.name && problem.scope === definition?.scope && problem.folder?.path === definition.folder?.path;
    return {
      id: server.id,
      name: server.name,
      label: definition?.label ?? server.name,
      scope: definition?.scope ?? 'builtIn',
      location: definition?.location ?? '',
      state: server.state,
      tools: server.connection.tools,
      problems: this.#problems.filter(isHere),
    };
  }
}

type ManagedSession = ConstructorParameters<typeof ManagedServer>[0]['session'];

const neverStarted: ServerState = { kind: 'stopped', reason: 'neverStarted' };

function isWaiting(state: ServerState): boolean {
  return state.kind === 'stopped' && (state.reason === 'neverStarted' || state.reason === 'needsConsent');
}

function isRunning(state: ServerState): boolean {
  return state.kind === 'ready' || state.kind === 'starting';
}

/** What a change of means a new question; a new label does not. */
function contentOf(definition: ServerDefinition): string {
  return canonicalJson({ kind: definition.kind, raw: definition.raw, folder: definition.folder?.path });
}

function disposeEntry({ server, watching }: Entry): void {
  watching.dispose();
  server.dispose();
}
