import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import type { ServerLogs } from '../editor/serverLogs.ts';
import type { HostRegistry } from '../host/hostRegistry.ts';
import type { ServerSnapshot } from '../host/serverState.ts';
import type { ErrorReporter } from '../views/errorReporter.ts';
import { needsSignIn } from '../views/serverDescription.ts';
import { tellSignInFailed, withSignInProgress } from '../views/signInNotice.ts';
import type { AuthJoin } from './authJoin.ts';

export interface SignInJoinOptions {
  readonly registry: HostRegistry;
  readonly auth: AuthJoin;
  readonly logs: ServerLogs;
  readonly reporter: ErrorReporter;
  /** As if the person had pressed Start. */
  readonly start: (id: string) => void;
  readonly log: Log;
}

/** Joins sign-ins to the servers that want them. */
export class SignInJoin implements Disposable {
  readonly #options: SignInJoinOptions;
  readonly #lifetime = new DisposableStore();
  readonly #signedOutHere = new Set<string>();

  constructor(options: SignInJoinOptions) {
    this.#options = options;
    const { auth, registry } = options;
    this.#lifetime.add(auth.onDidChange((id) => this.#startSignedIn(id)));
    this.#lifetime.add(auth.onDidChangeSecrets(() => this.look(registry.servers())));
  }

  /** Who signs out knows that a sign-in is needed now. */
  isExpected(server: ServerSnapshot): boolean {
    return needsSignIn(server) && this.#signedOutHere.has(server.id);
  }

  /** Revokes and forgets; a server that was in use is then as it is for somebody who is not signed in. */
  async signOut(id: string): Promise<'revoked' | 'forgotten' | 'notSignedIn'> {
    const { auth } = this.#options;
    if ((await auth.state(id)).kind !== 'signedIn') {
      return 'notSignedIn';
    }
    this.#signedOutHere.add(id);
    const { revoked } = await auth.signOut(id);
    const state = this.#options.registry.servers().find((server) => server.id === id)?.state;
    if (state !== undefined && state.kind !== 'stopped') {
      await this.#options.registry.restart(id, { signal: new AbortController().signal });
    }
    return revoked ? 'revoked' : 'forgotten';
  }

  /** Through the browser. What goes wrong is told here, with a way to try again. */
  async signIn({ id, label }: ServerSnapshot): Promise<void> {
    const { auth, logs, start } = this.#options;
    const cancel = (): void => auth.cancelSignIn(id);
    const outcome = await withSignInProgress(label, cancel, () => auth.signIn(id));
    if (outcome.kind !== 'failed' || outcome.error.code === 'auth.cancelled') {
      return;
    }
    logs.logFor(label).warn(`The sign-in failed: ${outcome.error.message}`);
    void tellSignInFailed(label, outcome.error).then((isAgain) => {
      if (isAgain) {
        start(id);
      }
    });
  }

  /** Also after a sign-in in another window. */
  #startSignedIn(id: string): void {
    const server = this.#options.registry.servers().find((each) => each.id === id);
    if (this.#options.auth.isSignedIn(id)) {
      this.#signedOutHere.delete(id);
      if (server !== undefined && needsSignIn(server)) {
        const { signal } = new AbortController();
        this.#options.registry.start(id, { signal }).catch((error: unknown) => this.#options.reporter.report(error));
      }
    }
  }

  look(servers: readonly ServerSnapshot[]): void {
    const ids = servers.filter(({ scope }) => scope !== 'builtIn').map(({ id }) => id);
    this.#options.auth.look(ids).catch((error: unknown) => this.#options.log.error('The sign-ins cannot be read.', error));
  }

  dispose(): void {
    this.#lifetime.dispose();
  }
}
