// auth/: signing in to remote servers by OAuth, in the person's browser: finding the authorization server, the flow, the
// tokens and their renewal over all windows. Every address comes from the server and passes signInGuard.ts. This file is the
// sign-in of one server.
import { hasCode, messageOf } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import { authError, fromAuthError, signInNeeded, signInNeededCode } from './authErrors.ts';
import type { AuthPorts, ConfiguredClient, FetchLike, RemoteAuth, SignInRecord } from './authPorts.ts';
import { type Challenge, stillTrusts } from './authorizationMetadata.ts';
import { issuerUse, type Missing, runSignIn, signInWaitMs } from './signInFlow.ts';
import { createSignInGuard, type SignInGuard } from './signInGuard.ts';
import { isDueForRefresh, isExpired, refreshTokens, revokeTokens } from './tokens.ts';

export interface ServerAuthOptions {
  readonly serverId: string;
  /** The name that people use for the server. */
  readonly label: string;
  readonly serverUrl: URL;
  /** Read only when it is needed, because it may hold a secret. */
  readonly configured: () => Promise<ConfiguredClient>;
  readonly ports: AuthPorts;
  readonly log: Log;
  readonly waitMs?: number | undefined;
}

/** The sign-in of one server, as one window sees it. The tokens are kept in the store only. */
export class ServerAuth implements RemoteAuth, Disposable {
  readonly #options: ServerAuthOptions;
  readonly #closing = new AbortController();
  #refreshing: Promise<SignInRecord> | undefined;
  #signingIn: Promise<SignInRecord> | undefined;
  /** The token that was given out last. A refusal is about this one, unless its response tells otherwise. */
  #given: string | undefined;
  readonly #refusedWith = new WeakMap<Response, string>();
  #challenge: Challenge = {};
  /** What the last refusal for want of scope asked for. It stays wanted until the next sign-in, whatever is refused meanwhile. */
  #missing: Missing | undefined;

  readonly provider: RemoteAuth['provider'];
  readonly wrapFetch: RemoteAuth['wrapFetch'];

  constructor(options: ServerAuthOptions) {
    const serverUrl = new URL(options.serverUrl);
    serverUrl.protocol = serverUrl.protocol.replace(/^ws/, 'http'); // the metadata for a WebSocket is read over http
    this.#options = { ...options, serverUrl };
    this.provider = {
      token: () => this.token(),
      onUnauthorized: (context) => this.#refused(context),
    };
    const stepUp = (challenge: Challenge): Promise<string | undefined> => this.#stepUp(challenge);
    const refused = (response: Response, token: string): void => void this.#refusedWith.set(response, token);
    this.wrapFetch = (next: FetchLike) => createStepUpFetch(next, { serverUrl, stepUp, refused });
  }

  /** A token that should work, renewed if it expires soon; undefined when nobody is signed in. */
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

  /**
   * Signs in through the browser at the person's wish. A second call while one is open joins it. `scope` is what the person agreed
   * to add to what was granted; without it that is what the server wanted last.
   */
  async signIn(signal: AbortSignal, scope?: string): Promise<void> {
    await this.#signIn(scope === undefined ? this.#missing : { scope }, signal);
  }

  /** Revokes the tokens and deletes them. They are deleted even if the authorization server cannot be reached. */
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

  /**
   * Handles a 401: it renews the tokens if that works without the person, and otherwise starts a sign-in if the person may
   * be asked now.
   */
  async #refused(context: { readonly response: Response } | undefined): Promise<void> {
    const rejected = (context && this.#refusedWith.get(context.response)) ?? this.#given;
    if (context !== undefined) {
      this.#challenge = await challengeOf(context.response);
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
    await this.#signIn(this.#missing, this.#closing.signal);
  }

  /**
   * Handles a 403 for want of scope. Resolves to undefined when the sign-in was not widened; then one request fails, not the
   * connection.
   */
  async #stepUp(challenge: Challenge): Promise<string | undefined> {
    const { resourceMetadataUrl, scope } = challenge;
    this.#challenge = { ...this.#challenge, resourceMetadataUrl };
    const missing = { scope };
    this.#missing = missing;
    const { serverId, ports, log } = this.#options;
    if (!(await ports.maySignIn({ serverId, reason: 'scope', scope }))) {
      return undefined;
    }
    try {
      this.#given = (await this.#signIn(missing, this.#closing.signal)).accessToken;
      return this.#given;
    } catch (error) {
      log.warn(`The sign-in was not widened: ${messageOf(error)}`);
      return undefined;
    }
  }

  #signIn(missing: Missing | undefined, signal: AbortSignal): Promise<SignInRecord> {
    this.#signingIn ??= this.#runSignIn(missing, signal).finally(() => {
      this.#signingIn = undefined;
    });
    return this.#signingIn;
  }

  async #runSignIn(missing: Missing | undefined, callerSignal: AbortSignal): Promise<SignInRecord> {
    const { serverId, label, serverUrl, ports, log, waitMs = signInWaitMs } = this.#options;
    const signal = AbortSignal.any([callerSignal, this.#closing.signal]);
    const guard = this.#guard(signal, serverUrl);
    const challenge = this.#challenge;
    const [configured, earlier] = [await this.#options.configured(), await this.#current()];
    const record = await runSignIn({
      serverId,
      label,
      serverUrl,
      configured,
      challenge,
      earlier,
      missing,
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
    this.#missing = undefined;
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

  /** Runs one refresh at a time in this window, and one at a time over all windows. */
  #refresh(rejected: string | undefined): Promise<SignInRecord> {
    this.#refreshing ??= this.#runRefresh(rejected).finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  #runRefresh(rejected: string | undefined): Promise<SignInRecord> {
    const { serverId, serverUrl, ports } = this.#options;
    return ports.lock.run(lockName(serverId), async () => {
      // Another window may have been faster, and using a refresh token twice would end the sign-in for both.
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

  /** Without asking, a secret is sent only to issuers that the person has allowed, and only while that permission holds. */
  #maySend({ issuer, endpoints, client }: SignInRecord, configured: ConfiguredClient): boolean {
    const { serverId, label, ports } = this.#options;
    const hasSecret = client.origin === 'configured' && configured.clientSecret !== undefined;
    return !hasSecret || ports.issuers.isAllowed(issuerUse({ serverId, label, issuer, endpoints }, configured));
  }

  /** The stored sign-in; undefined when it was made for another address. */
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

/** How often, at most, one request that lacks a scope is sent again after a wider sign-in. */
const maxStepUps = 2;

export interface StepUpOptions {
  readonly serverUrl: URL;
  /** Resolves to a token with the scopes asked for; undefined leaves the refusal as it is. */
  readonly stepUp: (challenge: Challenge) => Promise<string | undefined>;
  /** Is told which token a refused request carried, because another may be in use by then. */
  readonly refused: (response: Response, token: string) => void;
}

/** Answers `insufficient_scope` with a wider sign-in and another try. The token is sent to the server's own origin only. */
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
