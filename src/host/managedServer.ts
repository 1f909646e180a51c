import { untilAborted } from '../base/abort.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { type AppError, isAbort } from '../base/errors.ts';
import type { Event } from '../base/events.ts';
import { type Disposable, DisposableStore } from '../base/lifecycle.ts';
import type { ConsentRequest } from '../consent/consentModel.ts';
import type { AllowedStart, Approval, ApprovalOptions } from './approval/approval.ts';
import type { OwnQuestions } from './builtInServer.ts';
import { ServerConnection } from './connection/serverConnection.ts';
import type { SessionOptions } from './connection/serverSession.ts';
import { type HostErrorCode, toHostError } from './shared/hostErrors.ts';
import type { Risk, ServerState, StopReason } from './shared/serverState.ts';

interface StartUnderWay {
  readonly isStop: false;
  readonly mayAsk: boolean;
  /** Fires when whoever began it gives it up. */
  readonly wanted: AbortSignal;
  readonly reached: Promise<ServerState>;
}

interface StopUnderWay {
  readonly isStop: true;
  readonly reached: Promise<ServerState>;
}

export interface ManagedServerOptions {
  readonly id: string;
  readonly name: string;
  readonly session: SessionOptions;
  readonly initial: ServerState;
  /** Approves or refuses a start. Every start passes it, whoever wants the start. */
  readonly approve: (options: ApprovalOptions) => Promise<Approval>;
  readonly riskOf: (tool: string) => Risk;
  readonly ownQuestions?: OwnQuestions | undefined;
  /** How the server is tried again after it was lost; `maxAttempts: 0` turns that off. */
  readonly reconnect?: ReconnectPolicy | undefined;
}

/** One server that the host knows: its permission, its connection, and the retries after a loss. */
export class ManagedServer implements Disposable {
  readonly id: string;
  readonly name: string;
  readonly riskOf: (tool: string) => Risk;
  readonly ownQuestions: OwnQuestions | undefined;
  readonly connection: ServerConnection;
  readonly timeoutMs: number;
  readonly onDidChange: Event<void>;
  readonly #options: ManagedServerOptions;
  readonly #lifetime = new DisposableStore();
  readonly #gone = new AbortController();
  #stopped = new AbortController();
  readonly #clock: Clock;
  #retry: Disposable | undefined;
  #tries = 0;
  #approved: AllowedStart | undefined;
  #readySince: number | undefined;
  #wasEverReady = false;
  #stops = 0;
  #isStopWished = false;
  #starting: StartUnderWay | undefined;
  #stopping: StopUnderWay | undefined;

  constructor(options: ManagedServerOptions) {
    this.#options = options;
    this.id = options.id;
    this.name = options.name;
    this.riskOf = options.riskOf;
    this.ownQuestions = options.ownQuestions;
    this.timeoutMs = options.session.timeoutMs;
    this.connection = this.#lifetime.add(new ServerConnection(options.session, options.initial));
    this.onDidChange = this.connection.onDidChange;
    this.#clock = options.session.clock ?? systemClock;
    this.#lifetime.add(this.connection.onDidChange(() => this.#watchState()));
  }

  get state(): ServerState {
    return this.connection.state;
  }

  /** Counts the requests to stop. Whoever sees another number after waiting must not start the server. */
  get stops(): number {
    return this.#stops;
  }

  /** Whether the last request was to stop, also while the server is still ending. */
  get isStopWished(): boolean {
    return this.#isStopWished;
  }

  /**
   * Waits for a stop that is under way, and joins a start that is. A start that may not ask is followed by one that may, and one whose
   * caller gave it up by one for whoever joined it. Resolves to the present state for a caller who gives up the waiting.
   */
  async start({ ask, signal }: ApprovalOptions): Promise<ServerState> {
    const stops = this.#stops;
    this.#isStopWished = false;
    for (let under = this.#underWay; under !== undefined; under = this.#underWay) {
      const state = await untilAborted(under.reached, signal).catch(() => undefined);
      if (state === undefined || stops !== this.#stops) {
        return this.state;
      }
      if (!under.isStop && (state.kind !== 'stopped' || (!under.wanted.aborted && (under.mayAsk || ask === undefined)))) {
        return state;
      }
    }
    const isReady = this.state.kind === 'ready' && this.connection.session !== undefined;
    if (isReady || (this.state.kind === 'stopped' && this.state.reason === 'disabled')) {
      return this.state;
    }
    if (ask !== undefined) {
      this.#tries = 0;
    }
    this.#cancelRetry();
    this.#stopped = new AbortController();
    const ended = AbortSignal.any([signal, this.#gone.signal, this.#stopped.signal]);
    const reached = this.#start({ ask, signal: ended });
    this.#starting = { isStop: false, mayAsk: ask !== undefined, wanted: signal, reached };
    return reached;
  }

  async stop(reason: StopReason = 'byUser'): Promise<void> {
    this.#stops += 1;
    this.#isStopWished = true;
    await this.stopToRestart(reason);
  }

  /** Stops the server without a request to stop: it will be started again. */
  async stopToRestart(reason: StopReason = 'byUser'): Promise<void> {
    const reached = this.#stop(reason);
    const stopping: StopUnderWay = { isStop: true, reached };
    this.#stopping = stopping;
    try {
      await reached;
    } finally {
      if (this.#stopping === stopping) {
        this.#stopping = undefined;
      }
    }
  }

  get #underWay(): StartUnderWay | StopUnderWay | undefined {
    return this.#stopping ?? this.#starting;
  }

  async #stop(reason: StopReason): Promise<ServerState> {
    this.#cancelRetry();
    this.#approved = undefined;
    this.#stopped.abort();
    const starting = this.#starting;
    await starting?.reached;
    // A start that was given up says that the person stopped it, whoever did.
    if (this.state.kind !== 'stopped' || (starting !== undefined && reason !== 'byUser')) {
      await this.connection.stop(reason);
    }
    return this.state;
  }

  /** The permission on which the server runs; undefined while it does not run. */
  get runsOn(): ConsentRequest | undefined {
    return this.state.kind === 'ready' || this.state.kind === 'starting' ? this.#approved?.request : undefined;
  }

  /** The permission of its last start, also when it has ended by itself since. */
  get startedOn(): ConsentRequest | undefined {
    return this.#approved?.request;
  }

  /** Tells the server from a later one of the same name, by what the person allowed to start; empty for the editor's own. */
  get identity(): string {
    return this.runsOn === undefined ? '' : (this.#approved?.identity ?? '');
  }

  dispose(): void {
    this.#gone.abort();
    this.#cancelRetry();
    this.#lifetime.dispose();
  }

  async #start(options: ApprovalOptions): Promise<ServerState> {
    try {
      return await this.#approveAndConnect(options);
    } catch (error) {
      if (isAbort(error) || options.signal.aborted) {
        return this.connection.setStopped('needsConsent');
      }
      return this.connection.setFailed({ kind: 'failed', error: toHostError(error) });
    } finally {
      this.#starting = undefined;
    }
  }

  async #approveAndConnect(options: ApprovalOptions): Promise<ServerState> {
    const approval = await this.#options.approve(options);
    options.signal.throwIfAborted();
    switch (approval.kind) {
      case 'stopped':
        return this.connection.setStopped(approval.reason);
      case 'failed':
        return this.connection.setFailed({ kind: 'failed', error: approval.error });
      case 'approved':
        this.#approved = approval.start;
        return this.#connect(approval.open, options.signal);
    }
  }

  async #connect(open: (Approval & { kind: 'approved' })['open'], signal: AbortSignal): Promise<ServerState> {
    // An abort ends the waiting of its caller; only a stop ends a start that is under way.
    const giveUp = (): void => void this.connection.stop('byUser');
    this.#stopped.signal.addEventListener('abort', giveUp, { once: true });
    try {
      signal.throwIfAborted();
      return await this.connection.start(open);
    } finally {
      this.#stopped.signal.removeEventListener('abort', giveUp);
    }
  }

  #watchState(): void {
    const { state } = this;
    if (state.kind === 'ready') {
      this.#wasEverReady = true;
      this.#readySince ??= this.#clock.now();
    } else if (state.kind === 'failed' && state.retryAt === undefined && this.#retry === undefined) {
      this.#scheduleRetry(state.error);
    }
  }

  /** The next try passes the same approval as every start and asks nobody: a server that is no longer allowed does not come back. */
  #scheduleRetry(error: AppError): void {
    const policy = this.#options.reconnect ?? reconnectPolicy;
    if (this.#readySince !== undefined && this.#clock.now() - this.#readySince >= policy.stableMs) {
      this.#tries = 0;
    }
    this.#readySince = undefined;
    const delay = nextTry(error, this.#tries, this.#wasEverReady, Math.random(), policy);
    if (delay === undefined || this.#gone.signal.aborted || this.#stopped.signal.aborted) {
      return;
    }
    this.#tries += 1;
    this.#retry = this.#clock.schedule(delay, () => {
      this.#retry = undefined;
      void this.#tryAgain(this.#stopped.signal);
    });
    this.connection.setFailed({ kind: 'failed', error, retryAt: this.#clock.wallTime() + delay });
  }

  async #tryAgain(stopped: AbortSignal): Promise<void> {
    // The failure is reported before the failed start has quite ended; joining that start would not be a new try.
    await this.#starting?.reached;
    if (!stopped.aborted && this.state.kind === 'failed') {
      await this.start({ ask: undefined, signal: this.#gone.signal });
    }
  }

  #cancelRetry(): void {
    this.#retry?.dispose();
    this.#retry = undefined;
  }
}

/** How a lost server is tried again. */
interface ReconnectPolicy {
  readonly firstMs: number;
  readonly maxMs: number;
  readonly maxAttempts: number;
  /** How long, in ms, a server must have run so that, when it is lost again, the pauses begin short. */
  readonly stableMs: number;
}

export const reconnectPolicy: ReconnectPolicy = { firstMs: 1_000, maxMs: 60_000, maxAttempts: 8, stableMs: 60_000 };

/** Failures that may pass by themselves. Whatever a person has to change, and whatever a hostile server did, is not among them. */
const passing: ReadonlySet<string> = new Set<HostErrorCode>([
  'host.serverEnded',
  'host.supervisorEnded',
  'host.connectionClosed',
  'host.closedByServer',
  'host.sessionExpired',
  'host.unhealthy',
  'host.unreachable',
  'host.unavailable',
  'host.answerLost',
  'host.timeout',
]);

/** Failures after which even a first start is tried again: the network may not be there yet. */
const passingAtFirst: ReadonlySet<string> = new Set<HostErrorCode>(['host.unreachable', 'host.unavailable']);

/**
 * The milliseconds until the next try; undefined when there is none. `tries` counts those since the server last ran well;
 * `random` in [0, 1) spreads the tries of many windows and servers.
 */
export function nextTry(
  error: AppError,
  tries: number,
  wasEverReady: boolean,
  random: number,
  policy: ReconnectPolicy = reconnectPolicy,
): number | undefined {
  const mayPass = (wasEverReady ? passing : passingAtFirst).has(error.code);
  if (!mayPass || tries >= policy.maxAttempts) {
    return undefined;
  }
  if (error.code === 'host.sessionExpired' && tries === 0) {
    return 0;
  }
  const full = Math.min(policy.firstMs * 2 ** tries, policy.maxMs);
  return Math.round(full * (0.5 + random / 2));
}
