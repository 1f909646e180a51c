// auth/: signing in to remote servers by OAuth, in the person's browser: finding the authorization server, the flow, the
// tokens and their renewal over all windows. Every address comes from the server and passes signInGuard.ts. This file is the
// sign-in of one server.
import { hasCode, messageOf } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import { authError, fromAuthError, signInNeeded, signInNeededCode } from './authErrors.ts';
import type { AuthPorts, ConfiguredClient, FetchLike, RemoteAuth, SignInRecord } from './authPorts.ts';
import { type Challenge, stillTrusts } from './authorizationMetadata.ts';
import { issuerUse, runSignIn, signInWaitMs } from './signInFlow.ts';
import { createSignInGuard, type SignInGuard } from './signInGuard.ts';
import { isDueForRefresh, isExpired, refreshTokens, revokeTokens } from './tokens.ts';

export interface ServerAuthOptions {
  readonly serverId: string;
  /** What people call the server. */
  readonly label: string;
  readonly serverUrl: URL;
  /** Asked for when it is needed, so that a secret is read only then. */
  readonly configured: () => Promise<ConfiguredClient>;
  readonly ports: AuthPorts;
  readonly log: Log;
  readonly waitMs?: number | undefined;
}

/** One server's sign-in, as one window sees it. The tokens themselves live in the store and nowhere else. */
export class ServerAuth implements RemoteAuth, Disposable {
  readonly #options: ServerAuthOptions;
  readonly #closing = new AbortController();
  #refreshing: Promise<SignInRecord> | undefined;
  #signingIn: Promise<SignInRecord> | undefined;
  /** The token given out last: what a refusal is about, unless its response is known. */
  #given: string | undefined;
  readonly #refusedWith = new WeakMap<Response, string>();
  #challenge: Challenge = {};
  /** The last refusal was about scope: what was granted stays granted. */
  #wantsMore = false;

  readonly provider: RemoteAuth['provider'];
  readonly wrapFetch: RemoteAuth['wrapFetch'];

  constructor(options: ServerAuthOptions) {
    const serverUrl = new URL(options.serverUrl);
    serverUrl.protocol = serverUrl.protocol.replace(/^ws/, 'http'); // a WebSocket's metadata is read over http
    this.#options = { ...options, serverUrl };
    this.provider = {
      token: () => this.token(),
      onUnauthorized: (context) => this.#refused(context),
    };
    const stepUp = (challenge: Challenge): Promise<string | undefined> => this.#stepUp(challenge);
    const refused = (response: Response, token: string): void => void this.#refusedWith.set(response, token);
    this.wrapFetch = (next: FetchLike) => createStepUpFetch(next, { serverUrl, stepUp, refused });
  }

  /** A token that should work, renewed if its time is nearly up; undefined when nobody is signed in. */
  async token(): Promise<string | undefined> {
    let record = await this.#current();
    const { now } = this.#options.ports;
    if (record !== undefined && isDueForRefresh(record, now())) {
      record = await this.#refreshOr(record, isExpired(record, now()) ? undefined : record);
    }
    this.#given = record?.accessToken;
    return this.#given;
  }

  readonly onUnauthorized = (): Promise<void> => this.#refused(undefined);

  /** Through the browser, because the person wants to. A second call while one is open joins it. */
  async signIn(signal: AbortSignal): Promise<void> {
    await this.#signIn(this.#challenge, this.#wantsMore, signal);
  }

  /** Revokes and forgets. The tokens are gone from here even if the far end cannot be told. */
  async signOut(): Promise<{ readonly revoked: boolean }> {
    const { serverId, ports, log } = this.#options;
    return ports.lock.run(lockName(serverId), async () => {
      const issuer = await ports.store.issuerOf(serverId);
      const record = issuer === undefined ? undefined : await ports.store.get(serverId, issuer);
      if (issuer === undefined || record === undefined) {
        return { revoked: false };
      }
      await ports.store.delete(serverId, issuer);
      this.#given = undefined;
      try {
        const guard = this.#guard(this.#closing.signal, new URL(record.serverUrl));
        const configured = await this.#options.configured();
        return { revoked: this.#maySend(record, configured) && (await revokeTokens(record, configured, guard)) };
      } catch (error) {
        log.warn(`Signed out, but the sign-in could not be revoked: ${fromAuthError(error, record.issuer).message}`);
        return { revoked: false };
      }
    });
  }

  dispose(): void {
    this.#closing.abort(authError('auth.cancelled'));
  }

  /** 401: new tokens if there is a way without the person, else the person, if they may be asked now. */
  async #refused(context: { readonly response: Response } | undefined): Promise<void> {
    const rejected = (context && this.#refusedWith.get(context.response)) ?? this.#given;
    if (context !== undefined) {
      this.#challenge = await challengeOf(context.response);
      this.#wantsMore = false;
    }
    const { serverId, serverUrl, ports } = this.#options;
    const record = await this.#current();
    const guard = this.#guard(this.#closing.signal, serverUrl);
    if (record !== undefined && (await stillTrusts(serverUrl, this.#challenge, record, guard))) {
      try {
        await this.#refresh(rejected);
        return;
      } catch (error) {
        if (!hasCode(error, signInNeededCode)) {
          throw error;
        }
      }
    }
    const { scope } = this.#challenge;
    if (!(await ports.maySignIn({ serverId, reason: 'unauthorized', scope }))) {
      throw signInNeeded(serverUrl.href, scope);
    }
    await this.#signIn(this.#challenge, false, this.#closing.signal);
  }

  /** 403 for want of scope. Undefined leaves it at that: one request fails, not the connection. */
  async #stepUp(challenge: Challenge): Promise<string | undefined> {
    this.#challenge = challenge;
    this.#wantsMore = true;
    const { serverId, ports, log } = this.#options;
    if (!(await ports.maySignIn({ serverId, reason: 'scope', scope: challenge.scope }))) {
      return undefined;
    }
    try {
      this.#given = (await this.#signIn(challenge, true, this.#closing.signal)).accessToken;
      return this.#given;
    } catch (error) {
      log.warn(`The sign-in was not widened: ${messageOf(error)}`);
      return undefined;
    }
  }

  #signIn(challenge: Challenge, isStepUp: boolean, signal: AbortSignal): Promise<SignInRecord> {
    this.#signingIn ??= this.#runSignIn(challenge, isStepUp, signal).finally(() => {
      this.#signingIn = undefined;
    });
    return this.#signingIn;
  }

  async #runSignIn(challenge: Challenge, isStepUp: boolean, callerSignal: AbortSignal): Promise<SignInRecord> {
    const { serverId, label, serverUrl, ports, log, waitMs = signInWaitMs } = this.#options;
    const signal = AbortSignal.any([callerSignal, this.#closing.signal]);
    const guard = this.#guard(signal, serverUrl);
    const [configured, earlier] = [await this.#options.configured(), await this.#current()];
    const record = await runSignIn({
      serverId,
      label,
      serverUrl,
      configured,
      challenge,
      earlier,
      isStepUp,
      ports,
      guard,
      signal,
      waitMs,
    });
    await ports.lock.run(lockName(serverId), async () => {
      const before = await ports.store.issuerOf(serverId);
      if (before !== undefined && before !== record.issuer) {
        await ports.store.delete(serverId, before);
      }
      await ports.store.set(serverId, record);
    });
    this.#challenge = {};
    this.#wantsMore = false;
    log.info(`Signed in at ${new URL(record.issuer).host}.`);
    return record;
  }

  async #refreshOr(record: SignInRecord, otherwise: SignInRecord | undefined): Promise<SignInRecord | undefined> {
    try {
      return await this.#refresh(record.accessToken);
    } catch (error) {
      this.#options.log.warn(`The sign-in could not be renewed: ${messageOf(error)}`);
      return otherwise;
    }
  }

  /** One at a time in this window, and one at a time over all windows. */
  #refresh(rejected: string | undefined): Promise<SignInRecord> {
    this.#refreshing ??= this.#runRefresh(rejected).finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  #runRefresh(rejected: string | undefined): Promise<SignInRecord> {
    const { serverId, serverUrl, ports } = this.#options;
    return ports.lock.run(lockName(serverId), async () => {
      // Another window may have been faster: a used refresh token used again would end the sign-in for both.
      const record = await this.#current();
      if (record === undefined) {
        throw signInNeeded(serverUrl.href);
      }
      if (record.accessToken !== rejected && !isExpired(record, ports.now())) {
        return record;
      }
      try {
        const guard = this.#guard(this.#closing.signal, serverUrl);
        const configured = await this.#options.configured();
        if (!this.#maySend(record, configured)) {
          throw signInNeeded(serverUrl.href);
        }
        const renewed = await refreshTokens(record, configured, guard, ports.now());
        await ports.store.set(serverId, renewed);
        return renewed;
      } catch (error) {
        if (hasCode(error, signInNeededCode)) {
          await ports.store.delete(serverId, record.issuer);
        }
        throw error;
      }
    });
  }

  /** Behind the person's back a secret goes only where they have let it go, and only while that holds. */
  #maySend({ issuer, endpoints, client }: SignInRecord, configured: ConfiguredClient): boolean {
    const { serverId, label, ports } = this.#options;
    const hasSecret = client.origin === 'configured' && configured.clientSecret !== undefined;
    return !hasSecret || ports.issuers.isAllowed(issuerUse({ serverId, label, issuer, endpoints }, configured));
  }

  /** Tokens made for another address are as good as none. */
  async #current(): Promise<SignInRecord | undefined> {
    const { serverId, serverUrl, ports } = this.#options;
    const issuer = await ports.store.issuerOf(serverId);
    const record = issuer === undefined ? undefined : await ports.store.get(serverId, issuer);
    return record?.serverUrl === serverUrl.href ? record : undefined;
  }

  #guard(signal: AbortSignal, serverUrl: URL): SignInGuard {
    const { fetch, lookUp } = this.#options.ports;
    return createSignInGuard({ serverUrl, fetch, lookUp, signal });
  }
}

export function createAuthProvider(options: ServerAuthOptions): ServerAuth {
  return new ServerAuth(options);
}

async function challengeOf(response: Response): Promise<Challenge> {
  const { extractWWWAuthenticateParams } = await import('@modelcontextprotocol/client');
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
  return { resourceMetadataUrl, scope };
}

function lockName(serverId: string): string {
  return `oauth:${serverId}`;
}

const maxStepUps = 2;

export interface StepUpOptions {
  readonly serverUrl: URL;
  /** A token with the scopes asked for; undefined leaves the refusal as it is. */
  readonly stepUp: (challenge: Challenge) => Promise<string | undefined>;
  /** Told which token a refused request carried: by the time it is refused, another may be in use. */
  readonly refused: (response: Response, token: string) => void;
}

/** Answers `insufficient_scope` with a wider sign-in and another try. Sends the token to the server's own origin only. */
function createStepUpFetch(next: FetchLike, { serverUrl, stepUp, refused }: StepUpOptions): FetchLike {
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    const isOwn = new URL(String(input)).origin === serverUrl.origin;
    if (!isOwn) {
      headers.delete('authorization');
      return next(input, { ...init, headers });
    }
    let response = await next(input, init);
    for (let tries = 0; tries < maxStepUps && headers.has('authorization'); tries++) {
      const challenge = await scopeChallenge(response);
      const token = challenge === undefined ? undefined : await stepUp(challenge);
      if (token === undefined) {
        break;
      }
      await response.body?.cancel();
      headers.set('authorization', `Bearer ${token}`);
      response = await next(input, { ...init, headers });
    }
    const sent = /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '')?.[1];
    if (response.status === 401 && sent !== undefined) {
      refused(response, sent);
    }
    return response;
  };
}

async function scopeChallenge(response: Response): Promise<Challenge | undefined> {
  if (response.status !== 403) {
    return undefined;
  }
  const { extractWWWAuthenticateParams } = await import('@modelcontextprotocol/client');
  const { error, resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
  return error === 'insufficient_scope' ? { resourceMetadataUrl, scope } : undefined;
}
