// connection/: one server's connection over its starts and stops (this file), each session from the handshake to its end
// (serverSession.ts, loaded with the first server), and what a session does: the handshake, the list of tools, calls, schemas.
import { isAbort } from '../../base/errors.ts';
import { Emitter } from '../../base/events.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import { EndedByProbe } from './handshake.ts';
import { toHostError } from '../shared/hostErrors.ts';
import type { OpenLink } from '../shared/serverLink.ts';
import type { ServerSession, SessionOptions } from './serverSession.ts';
import type { ServerState, StopReason, ToolInfo } from '../shared/serverState.ts';

/** The connection of one server over its starts and stops. Failure is a state: nothing here throws for what a server does. */
export class ServerConnection implements Disposable {
  readonly #options: SessionOptions;
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<void>());
  #state: ServerState;
  #attempt = 0;
  #starting: { readonly abort: AbortController; readonly reached: Promise<ServerState> } | undefined;
  #session: ServerSession | undefined;
  #stopping: Promise<void> = Promise.resolve();

  readonly onDidChange = this.#changed.event;

  constructor(options: SessionOptions, initial: ServerState) {
    this.#options = options;
    this.#state = initial;
  }

  get state(): ServerState {
    return this.#state;
  }

  get tools(): readonly ToolInfo[] {
    return this.#session?.tools ?? [];
  }

  /** The session, which is there exactly while the state is `ready`. */
  get session(): ServerSession | undefined {
    return this.#session;
  }

  /** Resolves to the state that was reached. A second start while one is under way joins it. */
  async start(open: OpenLink): Promise<ServerState> {
    let stopping: Promise<void> | undefined;
    while (stopping !== this.#stopping) {
      stopping = this.#stopping;
      await stopping;
    }
    if (this.#session !== undefined) {
      return this.#state;
    }
    if (this.#starting === undefined) {
      const abort = new AbortController();
      const starting = { abort, reached: this.#connect(open, abort.signal) };
      this.#starting = starting;
      void starting.reached.then(() => {
        this.#starting = undefined;
      });
    }
    return this.#starting.reached;
  }

  /** Resolves when the server and everything it started are gone. */
  async stop(reason: StopReason): Promise<void> {
    this.#starting?.abort.abort();
    // One after the other: the end of an earlier stop must not be taken for the end of what was started since.
    this.#stopping = Promise.allSettled([this.#stopping]).then(() => this.#stopNow(reason));
    await this.#stopping;
  }

  setStopped(reason: StopReason): ServerState {
    return this.#setState({ kind: 'stopped', reason });
  }

  setFailed(state: ServerState & { kind: 'failed' }): ServerState {
    return this.#setState(state);
  }

  dispose(): void {
    this.#starting?.abort.abort();
    void this.#session?.close();
    this.#session = undefined;
    this.#lifetime.dispose();
  }

  async #connect(open: OpenLink, signal: AbortSignal): Promise<ServerState> {
    this.#attempt += 1;
    this.#setState({ kind: 'starting', attempt: this.#attempt });
    try {
      const session = await this.#openSession(open, signal);
      this.#adopt(session);
      this.#attempt = 0;
      return this.#setState(session.describe());
    } catch (error) {
      if (signal.aborted || isAbort(error)) {
        return this.#setState({ kind: 'stopped', reason: 'byUser' });
      }
      const failure = toHostError(error);
      this.#options.log.error(`It could not be started: ${failure.message}`, failure.detail);
      return this.#setState({ kind: 'failed', error: failure });
    }
  }

  /** Opens a session, and tries once more when the probe for the era ended the server: it is not probed again. */
  async #openSession(open: OpenLink, signal: AbortSignal): Promise<ServerSession> {
    // The session and the SDK are loaded when the first server starts.
    const { ServerSession: Session } = await import('./serverSession.ts');
    const once = async (): Promise<ServerSession> => {
      signal.throwIfAborted();
      return Session.open(await open(signal), this.#options, signal);
    };
    try {
      return await once();
    } catch (error) {
      if (!(error instanceof EndedByProbe)) {
        throw error;
      }
      this.#options.log.info('The server ended when it was asked for the newest revision; it is started once more in the older way.');
      return once();
    }
  }

  #adopt(session: ServerSession): void {
    this.#session = session;
    const watching = session.onDidChangeTools(() => this.#changed.fire());
    void session.closed.then((reason) => {
      watching.dispose();
      if (this.#session === session && reason !== undefined) {
        this.#session = undefined;
        this.#options.log.error(reason.message, reason.detail);
        this.#setState({ kind: 'failed', error: reason });
        void session.close();
      }
    });
  }

  async #stopNow(reason: StopReason): Promise<void> {
    this.#starting?.abort.abort();
    await this.#starting?.reached;
    const session = this.#session;
    this.#session = undefined;
    await session?.close();
    this.#setState({ kind: 'stopped', reason });
  }

  #setState(state: ServerState): ServerState {
    this.#state = state;
    this.#changed.fire();
    return state;
  }
}
