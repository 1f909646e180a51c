import { lookup } from 'node:dns/promises';
import type { AppError } from '../../base/errors.ts';
import { Emitter } from '../../base/events.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import type { PreparedRemote } from '../../definitions/prepareRemote.ts';
import type { ServerDefinition } from '../../definitions/serverDefinition.ts';
import { authError, toAuthError } from './authErrors.ts';
import type { AuthPorts, ConfiguredClient, IssuerConsent, RemoteAuth, SignInRequest } from './authPorts.ts';
import type { ScopeWish } from '../shared/serverState.ts';
import { createAuthProvider, type ServerAuth } from './serverAuth.ts';

export interface SignInsOptions extends Pick<AuthPorts, 'store' | 'lock' | 'browser' | 'openReceiver'> {
  /** Whether a server's refusal may open the browser now. Without this port the person starts every sign-in: see `onDidWantMore`. */
  readonly maySignIn?: AuthPorts['maySignIn'] | undefined;
  /** Without this port no client secret is sent anywhere. */
  readonly issuers?: IssuerConsent | undefined;
  readonly log: Log;
}

export type AuthState =
  | { readonly kind: 'signedOut' }
  | { readonly kind: 'signingIn' }
  | { readonly kind: 'signedIn'; readonly issuer: string }
  | { readonly kind: 'failed'; readonly error: AppError };

/** The sign-ins of this window to remote servers, by the server's id. */
export class SignIns implements Disposable {
  readonly #log: Log;
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<string>());
  readonly #wantedMore = this.#lifetime.add(new Emitter<ScopeWish>());
  readonly #ports: AuthPorts;
  readonly #known = new Map<string, { readonly auth: ServerAuth; readonly madeFor: string }>();
  readonly #open = new Map<string, { readonly cancel: AbortController; readonly done: Promise<unknown> }>();
  readonly #signedIn = new Set<string>();

  /** Fires with the id of a server that was signed in to or out of. Changes in other windows are noticed by `look`. */
  readonly onDidChange = this.#changed.event;

  /** Fires for each request that a server refused for want of scope. The request fails; `signIn` makes the next one work. */
  readonly onDidWantMore = this.#wantedMore.event;

  constructor({ store, lock, browser, openReceiver, maySignIn, issuers, log }: SignInsOptions) {
    this.#log = log;
    this.#ports = {
      store,
      lock,
      browser,
      openReceiver,
      maySignIn: maySignIn ?? ((request) => this.#tellOf(request)),
      issuers: issuers ?? noIssuer,
      fetch: (url, init) => fetch(url, init),
      lookUp: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
      now: () => Date.now(),
    };
  }

  /**
   * The sign-in for a server that may start; undefined when the person configured a credential, because two would contradict
   * each other.
   */
  readonly authFor = (remote: PreparedRemote): RemoteAuth | undefined => {
    if (Object.keys(remote.headers).some((name) => name.toLowerCase() === 'authorization')) {
      this.#forget(remote.definition.id);
      return undefined;
    }
    return this.#remember(remote.definition, remote.url, configuredBy(remote));
  };

  /** Whether a sign-in can be begun: not before the server was tried, and not where the person configured a credential. */
  canSignIn(serverId: string): boolean {
    return this.#known.has(serverId);
  }

  /** The answer as of the last `look`. */
  isSignedIn(serverId: string): boolean {
    return this.#signedIn.has(serverId);
  }

  /** Updates what `isSignedIn` answers. */
  async look(serverIds: readonly string[]): Promise<void> {
    await Promise.all(serverIds.map(async (id) => this.#note(id, (await this.state(id)).kind === 'signedIn')));
  }

  /**
   * Signs in through the browser. It ends when the person is back, by `cancelSignIn`, or after five minutes; it fails for a
   * server that was never tried. A second call means that the person lost the page: the open sign-in ends, and a new page
   * opens. `scope` is what the person agreed to add; without it that is what the server wanted last.
   */
  async signIn(serverId: string, scope?: string): Promise<AuthState> {
    const auth = this.#known.get(serverId)?.auth;
    if (auth === undefined) {
      return { kind: 'failed', error: authError('auth.unknownServer') };
    }
    const earlier = this.#open.get(serverId);
    earlier?.cancel.abort();
    const cancel = new AbortController();
    const done = Promise.resolve(earlier?.done).then(() => attempt(auth, cancel.signal, scope));
    const open = { cancel, done };
    this.#open.set(serverId, open);
    const error = await done;
    if (this.#open.get(serverId) === open) {
      this.#open.delete(serverId);
    }
    if (error !== undefined) {
      return { kind: 'failed', error };
    }
    this.#signedIn.add(serverId);
    this.#changed.fire(serverId);
    return this.state(serverId);
  }

  cancelSignIn(serverId: string): void {
    this.#open.get(serverId)?.cancel.abort();
  }

  /** Revokes what can be revoked and deletes the sign-in, also for servers that are not running. */
  async signOut(serverId: string): Promise<{ readonly revoked: boolean }> {
    const issuer = await this.#ports.store.issuerOf(serverId);
    const record = issuer === undefined ? undefined : await this.#ports.store.get(serverId, issuer);
    const auth = this.#known.get(serverId)?.auth ?? (record && this.#remember({ id: serverId, label: '' }, new URL(record.serverUrl), {}));
    const outcome = (await auth?.signOut()) ?? { revoked: false };
    this.#signedIn.delete(serverId);
    this.#changed.fire(serverId);
    return outcome;
  }

  async state(serverId: string): Promise<AuthState> {
    if (this.#open.has(serverId)) {
      return { kind: 'signingIn' };
    }
    const issuer = await this.#ports.store.issuerOf(serverId);
    const record = issuer === undefined ? undefined : await this.#ports.store.get(serverId, issuer);
    return record === undefined ? { kind: 'signedOut' } : { kind: 'signedIn', issuer: record.issuer };
  }

  dispose(): void {
    this.#known.forEach(({ auth }) => auth.dispose());
    this.#known.clear();
    this.#lifetime.dispose();
  }

  /** Tells of a wish for more scope, and has nobody wait for the answer to it. */
  #tellOf({ serverId, reason, scope }: SignInRequest): Promise<boolean> {
    if (reason === 'scope') {
      this.#wantedMore.fire({ serverId, scope });
    }
    return Promise.resolve(false);
  }

  #note(serverId: string, isSignedIn: boolean): void {
    if (this.#signedIn.has(serverId) !== isSignedIn && !this.#open.has(serverId)) {
      this.#signedIn[isSignedIn ? 'add' : 'delete'](serverId);
      this.#changed.fire(serverId);
    }
  }

  /** Keeps one sign-in per definition, so that its connections share their refreshes and a reconnection disturbs no open sign-in. */
  #remember({ id: serverId, label }: Pick<ServerDefinition, 'id' | 'label'>, serverUrl: URL, configured: ConfiguredClient): ServerAuth {
    const madeFor = JSON.stringify([serverUrl.href, label, configured]);
    const known = this.#known.get(serverId);
    if (known?.madeFor === madeFor) {
      return known.auth;
    }
    this.#forget(serverId);
    const auth = createAuthProvider({
      serverId,
      label,
      serverUrl,
      configured: () => Promise.resolve(configured),
      ports: this.#ports,
      log: this.#log,
    });
    this.#known.set(serverId, { auth, madeFor });
    return auth;
  }

  #forget(serverId: string): void {
    this.#known.get(serverId)?.auth.dispose();
    this.#known.delete(serverId);
  }
}

/** Refuses every issuer, for a window without anybody to ask. */
const noIssuer: IssuerConsent = { allow: () => Promise.resolve(false), isAllowed: () => false };

/** Resolves to the reason of the failure, if it failed. */
async function attempt(auth: ServerAuth, signal: AbortSignal, scope: string | undefined): Promise<AppError | undefined> {
  try {
    signal.throwIfAborted();
    await auth.signIn(signal, scope);
    return undefined;
  } catch (error) {
    return toAuthError(error);
  }
}

function configuredBy({ auth }: PreparedRemote): ConfiguredClient {
  const { clientId, clientSecret, scopes } = auth ?? {};
  return { clientId: clientId?.value, clientSecret: clientSecret?.value, shownSecret: clientSecret?.shown, scopes };
}
