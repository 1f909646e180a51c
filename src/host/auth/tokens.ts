import type { AuthorizationServerMetadata, exchangeAuthorization, OAuthTokens } from '@modelcontextprotocol/client';
import * as z from 'zod';
import { once } from '../../base/late.ts';
import type { KnownSecrets } from '../../definitions/knownSecrets.ts';
import { authError, codeOf, fromAuthError, signInNeeded } from './authErrors.ts';
import type { ConfiguredClient, StoredClient, SignInRecord, TokenStore } from './authPorts.ts';
import type { SignInGuard } from './signInGuard.ts';

/** How long, in ms, before its end an access token is renewed; one of a short life in its last quarter. */
const earliestRefreshMs = 60_000;

/**
 * Makes the stored record from the tokens of an answer. A short-lived token is renewed in its last quarter, a long-lived one
 * in its last minute.
 */
export function withTokens(
  base: Omit<SignInRecord, 'accessToken' | 'refreshToken' | 'expiresAt' | 'refreshAt'>,
  tokens: OAuthTokens,
  now: number,
): SignInRecord {
  const { expires_in: seconds } = tokens;
  const lifeMs = seconds === undefined ? undefined : Math.max(0, seconds) * 1_000;
  return {
    issuer: base.issuer,
    serverUrl: base.serverUrl,
    resource: base.resource,
    endpoints: base.endpoints,
    client: base.client,
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token,
    // An answer without a scope grants what was asked for (RFC 6749, 5.1).
    scope: tokens.scope ?? base.scope,
    ...(lifeMs === undefined ? {} : { expiresAt: now + lifeMs, refreshAt: now + lifeMs - Math.min(earliestRefreshMs, lifeMs / 4) }),
  };
}

export function isExpired(record: SignInRecord, now: number): boolean {
  return record.expiresAt !== undefined && record.expiresAt <= now;
}

export function isDueForRefresh(record: SignInRecord, now: number): boolean {
  return record.refreshToken !== undefined && record.refreshAt !== undefined && record.refreshAt <= now;
}

/** Additive only: older windows read what newer ones wrote. */
const storedRecord = once(() =>
  z.object({
    issuer: z.string(),
    serverUrl: z.string(),
    resource: z.string().optional(),
    endpoints: z.object({
      authorizationServerUrl: z.string(),
      tokenEndpoint: z.string().optional(),
      revocationEndpoint: z.string().optional(),
      tokenAuthMethods: z.array(z.string()).optional(),
    }),
    client: z.object({
      clientId: z.string(),
      clientSecret: z.string().optional(),
      authMethod: z.string().optional(),
      redirectUrl: z.string(),
      origin: z.enum(['configured', 'registered']),
    }),
    accessToken: z.string(),
    refreshToken: z.string().optional(),
    scope: z.string().optional(),
    expiresAt: z.number().optional(),
    refreshAt: z.number().optional(),
  }),
);

/** Reads a stored sign-in; a value that is none gives undefined, and the person signs in again. */
export function readRecord(value: unknown): SignInRecord | undefined {
  const { success, data } = storedRecord().safeParse(value);
  return success ? data : undefined;
}

/** Errors after which the same refresh token will never work again. */
const finalErrors = new Set(['invalid_grant', 'invalid_client', 'unauthorized_client', 'invalid_token']);

/** Renews the tokens where they were issued. Rejects with `signInNeededCode` when only the person can help. */
export async function refreshTokens(
  record: SignInRecord,
  configured: ConfiguredClient,
  guard: SignInGuard,
  now: number,
): Promise<SignInRecord> {
  if (record.refreshToken === undefined || !hasItsClient(record, configured)) {
    throw signInNeeded(record.serverUrl);
  }
  const sdk = await import('@modelcontextprotocol/client');
  try {
    const tokens = await sdk.refreshAuthorization(record.endpoints.authorizationServerUrl, {
      ...metadataOf(record),
      clientInformation: clientInformation(record.client, configured),
      refreshToken: record.refreshToken,
      ...(record.resource === undefined ? {} : { resource: record.resource }),
      fetchFn: guard.fetch,
    });
    return withTokens(record, tokens, now);
  } catch (error) {
    throw finalErrors.has(codeOf(error) ?? '') ? signInNeeded(record.serverUrl) : fromAuthError(error, record.issuer);
  }
}

/** Tells the authorization server to revoke the tokens (RFC 7009). Resolves to false if it has no endpoint for that. */
export async function revokeTokens(record: SignInRecord, configured: ConfiguredClient, guard: SignInGuard): Promise<boolean> {
  const { revocationEndpoint, tokenAuthMethods } = record.endpoints;
  if (revocationEndpoint === undefined) {
    return false;
  }
  const tokens = [
    ...(record.refreshToken === undefined ? [] : [{ token: record.refreshToken, token_type_hint: 'refresh_token' }]),
    { token: record.accessToken, token_type_hint: 'access_token' },
  ];
  const client = clientInformation(record.client, configured);
  const { headers, fields } = await clientAuthentication(client, tokenAuthMethods ?? []);
  for (const token of tokens) {
    const body = new URLSearchParams({ ...token, ...fields });
    const response = await guard.fetch(revocationEndpoint, { method: 'POST', headers, body });
    if (!response.ok) {
      throw authError('auth.notRevoked');
    }
  }
  return true;
}

/** Authenticates the client in the same way as on the token endpoint. */
async function clientAuthentication(
  client: ClientInformation,
  methods: readonly string[],
): Promise<{ headers: Record<string, string>; fields: Record<string, string> }> {
  const sdk = await import('@modelcontextprotocol/client');
  const method = sdk.selectClientAuthMethod(client, [...methods]);
  const secret = client.client_secret ?? '';
  if (method === 'client_secret_basic') {
    // As the SDK does it on the token endpoint, without the encoding of RFC 6749: a server that took the one would not take the other.
    return { headers: { authorization: `Basic ${btoa(`${client.client_id}:${secret}`)}` }, fields: {} };
  }
  const fields = { client_id: client.client_id, ...(method === 'client_secret_post' ? { client_secret: secret } : {}) };
  return { headers: {}, fields };
}

/** Whether the client of the tokens can still be used: a configured one must still be configured. */
function hasItsClient(record: SignInRecord, configured: ConfiguredClient): boolean {
  return record.client.origin === 'registered' || record.client.clientId === configured.clientId;
}

function metadataOf({ issuer, endpoints }: SignInRecord): { metadata?: AuthorizationServerMetadata } {
  const { tokenEndpoint, tokenAuthMethods } = endpoints;
  if (tokenEndpoint === undefined) {
    return {};
  }
  const methods = tokenAuthMethods === undefined ? {} : { token_endpoint_auth_methods_supported: [...tokenAuthMethods] };
  const metadata = { issuer, authorization_endpoint: tokenEndpoint, token_endpoint: tokenEndpoint, response_types_supported: ['code'] };
  return { metadata: { ...metadata, ...methods } };
}

export type ClientInformation = Parameters<typeof exchangeAuthorization>[1]['clientInformation'];

/** What the SDK has to know of the client. The configured secret is used for the configured client only. */
export function clientInformation(client: StoredClient, configured: ConfiguredClient): ClientInformation {
  const isRegistered = client.origin === 'registered';
  const secret = isRegistered ? client.clientSecret : configured.clientSecret;
  return {
    client_id: client.clientId,
    ...(secret === undefined ? {} : { client_secret: secret }),
    ...(isRegistered && client.authMethod !== undefined
      ? { token_endpoint_auth_method: client.authMethod, redirect_uris: [client.redirectUrl] }
      : {}),
  };
}

/**
 * Wraps a store so that the secrets of each sign-in that passes become known. A server can repeat its token in any message,
 * where it has to be hidden.
 */
export function rememberedTokens(store: TokenStore, known: KnownSecrets): TokenStore {
  const note = (serverId: string, { accessToken, refreshToken, client }: SignInRecord): void =>
    [accessToken, refreshToken, client.clientSecret].forEach((secret) => known.add(serverId, secret));
  return {
    get: async (serverId, issuer) => {
      const record = await store.get(serverId, issuer);
      if (record !== undefined) {
        note(serverId, record);
      }
      return record;
    },
    set: async (serverId, record) => {
      note(serverId, record);
      await store.set(serverId, record);
    },
    delete: (serverId, issuer) => store.delete(serverId, issuer),
    issuerOf: (serverId) => store.issuerOf(serverId),
  };
}
