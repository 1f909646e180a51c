import { neverAborted } from '../../base/abort.ts';
import type { Event } from '../../base/events.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import type { HostRegistry } from '../hostRegistry.ts';
import { needsSignIn, type ServerSnapshot } from '../shared/serverState.ts';
import type { SignIns } from '../auth/signIns.ts';

export interface SignedInServersOptions {
  readonly registry: Pick<HostRegistry, 'servers' | 'start' | 'restart'>;
  readonly signIns: Pick<SignIns, 'state' | 'look' | 'isSignedIn' | 'signOut' | 'onDidChange'>;
  /** Fires when a stored sign-in has changed, maybe in another window. */
  readonly onDidChangeKept: Event<void>;
  /** Called when a server could not be started after a sign-in. */
  readonly onStartFailed: (error: unknown) => void;
  readonly log: Log;
}

/** Starts the servers that failed for want of a sign-in, or of a wider one, when it happened, and restarts those that used one after a sign-out. */
export class SignedInServers implements Disposable {
  readonly #options: SignedInServersOptions;
  readonly #lifetime = new DisposableStore();
  readonly #signedOutHere = new Set<string>();

  constructor(options: SignedInServersOptions) {
    this.#options = options;
    const { signIns, registry, onDidChangeKept } = options;
    this.#lifetime.add(signIns.onDidChange((id) => this.#startSignedIn(id)));
    this.#lifetime.add(onDidChangeKept(() => this.look(registry.servers())));
  }

  /** Whether the server needs a sign-in because the person signed out in this window, which is no news to them. */
  isExpected(server: ServerSnapshot): boolean {
    return needsSignIn(server) && this.#signedOutHere.has(server.id);
  }

  /** Revokes and deletes the sign-in. A running server is restarted without it. */
  async signOut(id: string): Promise<'revoked' | 'forgotten' | 'notSignedIn'> {
    const { signIns, registry } = this.#options;
    if ((await signIns.state(id)).kind !== 'signedIn') {
      return 'notSignedIn';
    }
    this.#signedOutHere.add(id);
    const { revoked } = await signIns.signOut(id);
    const state = registry.servers().find((server) => server.id === id)?.state;
    if (state !== undefined && state.kind !== 'stopped') {
      await registry.restart(id, { signal: neverAborted() });
    }
    return revoked ? 'revoked' : 'forgotten';
  }

  /** Finds out which of these servers are signed in to. */
  look(servers: readonly ServerSnapshot[]): void {
    const ids = servers.filter(({ scope }) => scope !== 'builtIn').map(({ id }) => id);
    this.#options.signIns.look(ids).catch((error: unknown) => this.#options.log.error('The sign-ins cannot be read.', error));
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  /** Starts a server that needed this sign-in, which may have happened in another window. */
  #startSignedIn(id: string): void {
    const { signIns, registry, onStartFailed } = this.#options;
    const server = registry.servers().find((each) => each.id === id);
    if (signIns.isSignedIn(id)) {
      this.#signedOutHere.delete(id);
      if (server !== undefined && (needsSignIn(server) || isForbidden(server))) {
        registry.start(id, { signal: neverAborted() }).catch(onStartFailed);
      }
    }
  }
}

/** Whether the server refused already to begin, as one does that wants more than was granted. */
function isForbidden({ state }: ServerSnapshot): boolean {
  return state.kind === 'failed' && state.error.code === 'host.forbidden';
}
