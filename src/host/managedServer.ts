import { isAbort, toAppError } from '../base/errors.ts';
import type { Event } from '../base/events.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { Approval, ApprovalOptions } from './approval.ts';
import { ServerConnection } from './serverConnection.ts';
import type { SessionOptions } from './serverSession.ts';
import type { Risk, ServerState } from './serverState.ts';

export interface ManagedServerOptions {
  readonly id: string;
  readonly name: string;
  readonly session: SessionOptions;
  readonly initial: ServerState;
  /** The one gate: passed before every start, whoever wants it. */
  readonly approve: (options: ApprovalOptions) => Promise<Approval>;
  readonly riskOf: (tool: string) => Risk;
}

/** One server the host knows: permission first, then the connection. */
export class ManagedServer implements Disposable {
  readonly id: string;
  readonly name: string;
  readonly riskOf: (tool: string) => Risk;
  readonly connection: ServerConnection;
  readonly timeoutMs: number;
  readonly onDidChange: Event<void>;
  readonly #options: ManagedServerOptions;
  readonly #lifetime = new DisposableStore();
  readonly #gone = new AbortController();
  #stopped = new AbortController();
  #starting: { readonly mayAsk: boolean; readonly reached: Promise<ServerState> } | undefined;

  constructor(options: ManagedServerOptions) {
    this.#options = options;
    this.id = options.id;
    this.name = options.name;
    this.riskOf = options.riskOf;
    this.timeoutMs = options.session.timeoutMs;
    this.connection = this.#lifetime.add(new ServerConnection(options.session, options.initial));
    this.onDidChange = this.connection.onDidChange;
  }

  get state(): ServerState {
    return this.connection.state;
  }

  /** Joins a start that is under way, unless that one may not ask and this one may. */
  async start({ ask, signal }: ApprovalOptions): Promise<ServerState> {
    while (this.#starting !== undefined) {
      const { mayAsk, reached } = this.#starting;
      const state = await reached;
      if (mayAsk || ask === undefined || state.kind !== 'stopped') {
        return state;
      }
    }
    if (this.state.kind === 'ready' || (this.state.kind === 'stopped' && this.state.reason === 'disabled')) {
      return this.state;
    }
    this.#stopped = new AbortController();
    const ended = AbortSignal.any([signal, this.#gone.signal, this.#stopped.signal]);
    const starting = { mayAsk: ask !== undefined, reached: this.#start({ ask, signal: ended }) };
    this.#starting = starting;
    return starting.reached;
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#starting?.reached;
    if (this.state.kind !== 'stopped') {
      await this.connection.stop('byUser');
    }
  }

  dispose(): void {
    this.#gone.abort();
    this.#lifetime.dispose();
  }

  async #start(options: ApprovalOptions): Promise<ServerState> {
    try {
      return await this.#approveAndConnect(options);
    } catch (error) {
      if (isAbort(error) || options.signal.aborted) {
        return this.connection.setStopped('needsConsent');
      }
      return this.connection.setFailed({ kind: 'failed', error: toAppError(error, 'host.unexpected') });
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
        return this.#connect(approval.open, options.signal);
    }
  }

  async #connect(open: (Approval & { kind: 'approved' })['open'], signal: AbortSignal): Promise<ServerState> {
    // Waiting is over for whoever gave up; a start under way is ended only by a stop.
    const giveUp = (): void => void this.connection.stop('byUser');
    this.#stopped.signal.addEventListener('abort', giveUp, { once: true });
    try {
      signal.throwIfAborted();
      return await this.connection.start(open);
    } finally {
      this.#stopped.signal.removeEventListener('abort', giveUp);
    }
  }
}
