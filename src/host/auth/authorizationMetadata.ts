import type { AuthorizationServerMetadata, OAuthProtectedResourceMetadata } from '@modelcontextprotocol/client';
import { isAppError } from '../../base/errors.ts';
import { authError, fromAuthError, hostOf } from './authErrors.ts';
import type { SignInRecord } from './authPorts.ts';
import type { SignInGuard } from './signInGuard.ts';

/** What a server said about authorization when it refused a request. */
export interface Challenge {
  readonly resourceMetadataUrl?: URL | undefined;
  readonly scope?: string | undefined;
}

/** The authorization server to ask for tokens. All its addresses were checked. */
export interface AuthorizationServer {
  readonly issuer: string;
  readonly url: string;
  /** The metadata that the server published; servers from before discovery was required have none, and endpoints at fixed paths. */
  readonly metadata: AuthorizationServerMetadata | undefined;
  /** The resource that the tokens are meant for (RFC 8707). */
  readonly resource: string | undefined;
  readonly scopesSupported: readonly string[] | undefined;
}

/**
 * Finds the authorization server through protected-resource metadata (RFC 9728), then RFC 8414 or OpenID Connect discovery.
 * Every address in them is checked.
 */
export async function findAuthorizationServer(serverUrl: URL, challenge: Challenge, guard: SignInGuard): Promise<AuthorizationServer> {
  const sdk = await import('@modelcontextprotocol/client');
  const resourceMetadata = await readResourceMetadata(serverUrl, challenge, guard);
  const url = resourceMetadata?.authorization_servers?.[0] ?? new URL('/', serverUrl).href;
  let metadata: AuthorizationServerMetadata | undefined;
  try {
    metadata = await sdk.discoverAuthorizationServerMetadata(url, { fetchFn: guard.fetch });
  } catch (error) {
    throw fromAuthError(error, url);
  }
  if (metadata !== undefined) {
    await checkMetadata(metadata, guard);
  }
  return {
    issuer: metadata?.issuer ?? url,
    url,
    metadata,
    resource: resourceMetadata?.resource,
    scopesSupported: resourceMetadata?.scopes_supported,
  };
}

/** Whether the server still names this authorization server; if it only names others, tokens of the old one are useless. */
export async function stillTrusts(serverUrl: URL, challenge: Challenge, record: SignInRecord, guard: SignInGuard): Promise<boolean> {
  try {
    const servers = (await readResourceMetadata(serverUrl, challenge, guard))?.authorization_servers ?? [];
    return servers.length === 0 || servers.includes(record.endpoints.authorizationServerUrl);
  } catch {
    return true; // not known; the refresh itself will show
  }
}

async function readResourceMetadata(
  serverUrl: URL,
  { resourceMetadataUrl }: Challenge,
  guard: SignInGuard,
): Promise<OAuthProtectedResourceMetadata | undefined> {
  const sdk = await import('@modelcontextprotocol/client');
  let metadata: OAuthProtectedResourceMetadata;
  try {
    const where = resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl };
    metadata = await sdk.discoverOAuthProtectedResourceMetadata(serverUrl, where, guard.fetch);
  } catch (error) {
    if (isAppError(error) || error instanceof TypeError) {
      throw fromAuthError(error, serverUrl.href);
    }
    return undefined; // a server of 2025-03-26 has none: it is its own authorization server
  }
  const requestedResource = sdk.resourceUrlFromServerUrl(serverUrl);
  if (!sdk.checkResourceAllowed({ requestedResource, configuredResource: metadata.resource })) {
    throw authError('auth.resourceMismatch', { host: hostOf(metadata.resource) });
  }
  return metadata;
}

async function checkMetadata(metadata: AuthorizationServerMetadata, guard: SignInGuard): Promise<void> {
  const { authorization_endpoint, token_endpoint, registration_endpoint } = metadata;
  const endpoints = [authorization_endpoint, token_endpoint, registration_endpoint, revocationEndpointOf(metadata)];
  for (const endpoint of endpoints) {
    if (endpoint !== undefined) {
      await guard.check(new URL(endpoint));
    }
  }
  if (metadata.code_challenge_methods_supported?.includes('S256') !== true) {
    const host = hostOf(metadata.issuer);
    throw authError('auth.noPkce', { host });
  }
}

/** The schema of OpenID Connect does not have this field, but servers send it there too. */
export function revocationEndpointOf(metadata: AuthorizationServerMetadata): string | undefined {
  const endpoint: unknown = 'revocation_endpoint' in metadata ? metadata.revocation_endpoint : undefined;
  return typeof endpoint === 'string' && URL.canParse(endpoint) ? endpoint : undefined;
}

/**
 * The scope to ask for: what the server demands, what it lists or what is configured, what was granted before, and what was
 * missing then. Where the authorization server knows `offline_access`, that is added to get a refresh token.
 */
export async function scopeFor(
  server: AuthorizationServer,
  asked: {
    readonly challenge: string | undefined;
    readonly configured: readonly string[] | undefined;
    readonly granted: string | undefined;
    readonly missing: string | undefined;
  },
): Promise<string | undefined> {
  const sdk = await import('@modelcontextprotocol/client');
  const configured = asked.configured?.join(' ');
  const wished = configured ?? (asked.challenge === undefined ? server.scopesSupported?.join(' ') : undefined);
  const scope = sdk.computeScopeUnion(asked.granted, wished, asked.challenge, asked.missing);
  const knowsOffline = server.metadata?.scopes_supported?.includes('offline_access') === true;
  return scope !== undefined && knowsOffline ? sdk.computeScopeUnion(scope, 'offline_access') : scope;
}
