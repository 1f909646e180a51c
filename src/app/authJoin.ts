import { lookup } from 'node:dns/promises';
import * as path from 'node:path';
import type * as vscode from 'vscode';
import { AppError, toAppError } from '../base/errors.ts';
import { Emitter } from '../base/events.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import type { PreparedRemote } from '../definitions/prepareRemote.ts';
import { FolderLock } from '../editor/fileLock.ts';
import { OauthStore } from '../editor/oauthStore.ts';
import type { AuthPorts, Browser, ConfiguredClient, OpenReceiver, RemoteAuth, SignInRequest } from '../host/auth/authPorts.ts';
import { openLoopbackReceiver } from '../host/auth/loopbackReceiver.ts';
import { createAuthProvider, type ServerAuth } from '../host/auth/serverAuth.ts';

export interface AuthJoinOptions {
  readonly secrets: vscode.SecretStorage;
  /** Shared by all windows: the extension's global storage. */
  readonly storageFolder: string;
  readonly browser: Browser;
  /** The loopback listener unless told otherwise. */
  readonly openReceiver?: OpenReceiver | undefined;
  /** Whether a server's refusal may open the browser now; without it the person starts every sign-in. */
  readonly maySignIn?: ((request: SignInRequest) => Promise<boolean>) | undefined;
  readonly log: Log;
}

export type AuthState =
  | { readonly kind: 'signedOut' }
  | { readonly kind: 'signingIn' }
  | { readonly kind: 'signedIn'; readonly issuer: string }
  | { readonly kind: 'failed'; readonly error: AppError };

/** Longer than a whole refresh may take in another window. */
const lockWaitMs = 40_000;

/** Joins the sign-ins of remote servers to the editor's secrets and the person's browser. */
export class AuthJoin implements Disposable {
  readonly #options: AuthJoinOptions;
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<string>());
  readonly #store: OauthStore;
  readonly #ports: AuthPorts;
  readonly #known = new Map<string, { readonly auth: ServerAuth; readonly madeFor: string }>();
  readonly #open = new Map<string, AbortController>();

  /** The id of a server that was signed in to or out of in this window. */
  readonly onDidChange = this.#changed.event;

  constructor(options: AuthJoinOptions) {
    this.#options = options;
    const folder = path.join(options.storageFolder, 'oauth');
    this.#store = new OauthStore(options.secrets, folder);
    this.#ports = {
      store: this.#store,
      lock: new FolderLock(folder, lockWaitMs),
      browser: options.browser,
      openReceiver: options.openReceiver ?? ((preferred) => openLoopbackReceiver(preferred)),
      maySignIn: options.maySignIn ?? (() => Promise.resolve(false)),
      fetch: (url, init) => fetch(url, init),
      lookUp: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
      now: () => Date.now(),
    };
  }

  /** For a server that may start. Undefined where the person configured the credential: two would contradict each other. */
  readonly authFor = (remote: PreparedRemote): RemoteAuth | undefined => {
    if (Object.keys(remote.headers).some((name) => name.toLowerCase() === 'authorization')) {
      this.#forget(remote.definition.id);
      return undefined;
    }
    return this.#remember(remote.definition.id, remote.url, configuredBy(remote));
  };

  /** Through the browser, until the person is back, `cancelSignIn` or five minutes. A server that was never tried is not known yet. */
  async signIn(serverId: string): Promise<AuthState> {
    const auth = this.#known.get(serverId)?.auth;
    if (auth === undefined) {
      return { kind: 'failed', error: new AppError('auth.unknownServer', 'Start the server before you sign in.') };
    }
    const cancel = new AbortController();
    this.#open.set(serverId, cancel);
    try {
      await auth.signIn(cancel.signal);
    } catch (error) {
      return { kind: 'failed', error: toAppError(error, 'auth.failed') };
    } finally {
      this.#open.delete(serverId);
    }
    this.#changed.fire(serverId);
    return this.state(serverId);
  }

  cancelSignIn(serverId: string): void {
    this.#open.get(serverId)?.abort();
  }

  /** Revokes what can be revoked and forgets the rest. Works for servers that are not running, too. */
  async signOut(serverId: string): Promise<{ readonly revoked: boolean }> {
    const issuer = await this.#store.issuerOf(serverId);
    const record = issuer === undefined ? undefined : await this.#store.get(serverId, issuer);
    const auth = this.#known.get(serverId)?.auth ?? (record && this.#remember(serverId, new URL(record.serverUrl), {}));
    const outcome = (await auth?.signOut()) ?? { revoked: false };
    this.#changed.fire(serverId);
    return outcome;
  }

  async state(serverId: string): Promise<AuthState> {
    if (this.#open.has(serverId)) {
      return { kind: 'signingIn' };
    }
    const issuer = await this.#store.issuerOf(serverId);
    const record = issuer === undefined ? undefined : await this.#store.get(serverId, issuer);
    return record === undefined ? { kind: 'signedOut' } : { kind: 'signedIn', issuer: record.issuer };
  }

  dispose(): void {
    this.#known.forEach(({ auth }) => auth.dispose());
    this.#known.clear();
    this.#lifetime.dispose();
  }

  /** One per definition, so that its connections share their refreshes and a reconnection disturbs no open sign-in. */
  #remember(serverId: string, serverUrl: URL, configured: ConfiguredClient): ServerAuth {
    const madeFor = JSON.stringify([serverUrl.href, configured]);
    const known = this.#known.get(serverId);
    if (known?.madeFor === madeFor) {
      return known.auth;
    }
    this.#forget(serverId);
    const { log } = this.#options;
    const auth = createAuthProvider({ serverId, serverUrl, configured: () => Promise.resolve(configured), ports: this.#ports, log });
    this.#known.set(serverId, { auth, madeFor });
    return auth;
  }

  #forget(serverId: string): void {
    this.#known.get(serverId)?.auth.dispose();
    this.#known.delete(serverId);
  }
}

function configuredBy({ auth }: PreparedRemote): ConfiguredClient {
  return { clientId: auth?.clientId?.value, clientSecret: auth?.clientSecret?.value, scopes: auth?.scopes };
}
