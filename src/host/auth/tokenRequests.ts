import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client';
import { authError, codeOf, fromAuthError, signInNeeded } from './authErrors.ts';
import type { ConfiguredClient, SignInRecord } from './authPorts.ts';
import type { SignInGuard } from './signInGuard.ts';
import { clientInformation, type ClientInformation } from './signInFlow.ts';
import { withTokens } from './signInRecord.ts';

/** Errors after which the same refresh token will never work again. */
const finalErrors = new Set(['invalid_grant', 'invalid_client', 'unauthorized_client', 'invalid_token']);

/** New tokens for old ones, from where the old ones came. Rejects with `signInNeededCode` when only the person can help. */
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

/** Tells the authorization server to forget the tokens (RFC 7009). False if it has no such place. */
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

/** As on the token endpoint. */
async function clientAuthentication(
  client: ClientInformation,
  methods: readonly string[],
): Promise<{ headers: Record<string, string>; fields: Record<string, string> }> {
  const sdk = await import('@modelcontextprotocol/client');
  const method = sdk.selectClientAuthMethod(client, [...methods]);
  const secret = client.client_secret ?? '';
  if (method === 'client_secret_basic') {
    const pair = `${encodeURIComponent(client.client_id)}:${encodeURIComponent(secret)}`;
    return { headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }, fields: {} };
  }
  const fields = { client_id: client.client_id, ...(method === 'client_secret_post' ? { client_secret: secret } : {}) };
  return { headers: {}, fields };
}

/** A client that was configured and no longer is cannot be used for its tokens. */
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
