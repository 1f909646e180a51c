import type { OAuthClientMetadata, OAuthTokens } from '@modelcontextprotocol/client';
import { newSecret } from '../../platform/randomSecrets.ts';
import { authError, errorWord, fromAuthError, hostOf, issuerMismatch } from './authErrors.ts';
import type { AuthPorts, ConfiguredClient, IssuerUse, StoredClient, RedirectReceiver, SignInRecord } from './authPorts.ts';
import {
  findAuthorizationServer,
  revocationEndpointOf,
  scopeFor,
  type AuthorizationServer,
  type Challenge,
} from './authorizationMetadata.ts';
import type { SignInGuard } from './signInGuard.ts';
import { clientInformation, withTokens } from './tokens.ts';

/** How long, in ms, the person may take to sign in in the browser. */
export const signInWaitMs = 300_000;

export interface SignInOptions {
  readonly serverId: string;
  /** The name that people use for the server. */
  readonly label: string;
  readonly serverUrl: URL;
  readonly configured: ConfiguredClient;
  readonly challenge: Challenge;
  /** The sign-in that is to be widened or replaced. */
  readonly earlier: SignInRecord | undefined;
  /** What a refusal for want of scope asked for. What was granted before is asked for again with it. */
  readonly missing: Missing | undefined;
  readonly ports: AuthPorts;
  readonly guard: SignInGuard;
  readonly signal: AbortSignal;
  readonly waitMs: number;
}

/** The server wants more than was granted, and may name no scope. */
export type Missing = Pick<Challenge, 'scope'>;

interface Grant {
  readonly server: AuthorizationServer;
  readonly client: StoredClient;
  readonly scope: string | undefined;
}

/** Runs a sign-in from the server's metadata through the browser to tokens. The caller stores the result. */
export async function runSignIn(options: SignInOptions): Promise<SignInRecord> {
  const { configured, challenge, missing, earlier, ports, guard } = options;
  const server = await findAuthorizationServer(options.serverUrl, challenge, guard);
  const granted = missing !== undefined && earlier?.issuer === server.issuer ? earlier.scope : undefined;
  // Where nothing is granted any more, the missing scope is asked for beside those of a first sign-in.
  const wanted = granted === undefined ? challenge : missing;
  const scope = await scopeFor(server, { challenge: wanted?.scope, configured: configured.scopes, granted, missing: missing?.scope });
  await requireIssuer(options, server);
  const receiver = await ports.openReceiver(earlier?.client.redirectUrl);
  try {
    const client = await chooseClient(options, server, receiver.redirectUrl, scope);
    const grant = { server, client, scope };
    const tokens = await authorize(options, grant, receiver);
    const { issuer, resource } = server;
    const base = { issuer, serverUrl: options.serverUrl.href, resource, endpoints: endpointsOf(server), client, scope };
    return withTokens(base, tokens, ports.now());
  } catch (error) {
    throw fromAuthError(error, server.issuer);
  } finally {
    receiver.dispose();
  }
}

/**
 * Asks the person about an issuer that would get the secret, or is a new one. The MCP server alone names the issuer: a
 * hostile server would name its own, to get the secret.
 */
async function requireIssuer(options: SignInOptions, server: AuthorizationServer): Promise<void> {
  const { serverId, label, configured, earlier, ports, signal } = options;
  const hasSecret = configured.clientSecret !== undefined && usableClientId(configured, server) !== undefined;
  const isAnother = earlier !== undefined && earlier.issuer !== server.issuer;
  if (!hasSecret && !isAnother) {
    return;
  }
  const secret = hasSecret ? configured : {};
  const use = issuerUse({ serverId, label, issuer: server.issuer, endpoints: endpointsOf(server) }, secret, earlier?.issuer);
  if (!(await ports.issuers.allow(use, signal))) {
    throw authError('auth.issuerNotAllowed', { host: hostOf(use.issuer) });
  }
}

export function issuerUse(
  at: Pick<IssuerUse, 'serverId' | 'label' | 'issuer'> & Pick<SignInRecord, 'endpoints'>,
  configured: ConfiguredClient,
  earlierIssuer?: string,
): IssuerUse {
  const { authorizationServerUrl, tokenEndpoint, revocationEndpoint } = at.endpoints;
  const addresses = [tokenEndpoint ?? authorizationServerUrl, ...(revocationEndpoint === undefined ? [] : [revocationEndpoint])];
  const secret = configured.clientSecret === undefined ? undefined : (configured.shownSecret ?? 'auth.clientSecret');
  const sentTo = secret === undefined ? [] : [...new Set(addresses.map((address) => new URL(address).origin))].sort();
  return { serverId: at.serverId, label: at.label, issuer: at.issuer, sentTo, secret, earlierIssuer };
}

/** The configured client id; undefined when it is the address of a metadata document and the server does not take documents. */
function usableClientId({ clientId }: ConfiguredClient, { metadata }: AuthorizationServer): string | undefined {
  const isDocument = clientId?.startsWith('https://') === true;
  return isDocument && metadata?.client_id_metadata_document_supported !== true ? undefined : clientId;
}

/** Takes the configured client, else the one registered before under the same redirect address, else registers a new one. */
async function chooseClient(
  { configured, earlier, guard }: SignInOptions,
  server: AuthorizationServer,
  redirectUrl: string,
  scope: string | undefined,
): Promise<StoredClient> {
  const { metadata } = server;
  const clientId = usableClientId(configured, server);
  if (clientId !== undefined) {
    return { clientId, redirectUrl, origin: 'configured' };
  }
  const known = earlier?.client;
  if (earlier?.issuer === server.issuer && known?.origin === 'registered' && known.redirectUrl === redirectUrl) {
    return known;
  }
  if (metadata !== undefined && metadata.registration_endpoint === undefined) {
    throw authError('auth.clientNeeded', { host: hostOf(server.issuer) });
  }
  const sdk = await import('@modelcontextprotocol/client');
  const clientMetadata = describeClient(redirectUrl, metadata?.token_endpoint_auth_methods_supported);
  // oxlint-disable-next-line typescript/no-deprecated -- the protocol prefers metadata documents; most servers have only this
  const registered = await sdk.registerClient(server.url, {
    ...(metadata === undefined ? {} : { metadata }),
    clientMetadata,
    ...(scope === undefined ? {} : { scope }),
    fetchFn: guard.fetch,
  });
  const { client_id, client_secret, token_endpoint_auth_method } = registered;
  return { clientId: client_id, clientSecret: client_secret, authMethod: token_endpoint_auth_method, redirectUrl, origin: 'registered' };
}

/** Registers a public client wherever the server allows one: a secret that every installation could read protects nothing. */
function describeClient(redirectUrl: string, methods: readonly string[] | undefined): OAuthClientMetadata {
  const known = ['none', 'client_secret_basic', 'client_secret_post'];
  return {
    client_name: 'Duplex (VS Code)',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: known.find((method) => methods?.includes(method)) ?? 'none',
    application_type: 'native',
  };
}

/**
 * Lets the person authorize in the browser and exchanges the code for tokens. PKCE, state, issuer and resource bind the
 * answer to this request.
 */
async function authorize(options: SignInOptions, { server, client, scope }: Grant, receiver: RedirectReceiver): Promise<OAuthTokens> {
  const sdk = await import('@modelcontextprotocol/client');
  const { ports, guard } = options;
  const state = newSecret();
  const shared = {
    ...(server.metadata === undefined ? {} : { metadata: server.metadata }),
    clientInformation: clientInformation(client, options.configured),
    ...(server.resource === undefined ? {} : { resource: server.resource }),
  };
  const { authorizationUrl, codeVerifier } = await sdk.startAuthorization(server.url, {
    ...shared,
    redirectUrl: receiver.redirectUrl,
    state,
    ...(scope === undefined ? {} : { scope }),
  });
  await guard.check(authorizationUrl);
  const params = await throughBrowser(ports, authorizationUrl, (signal) => receiver.answer(state, signal), options);
  const iss = params.get('iss') ?? undefined;
  checkIssuer(sdk.validateAuthorizationResponseIssuer, iss, server);
  const code = params.get('code');
  if (code === null || params.has('error')) {
    const reason = errorWord(params.get('error') ?? 'no_code');
    throw authError('auth.refused', { host: hostOf(server.issuer), reason });
  }
  return sdk.exchangeAuthorization(server.url, {
    ...shared,
    authorizationCode: code,
    ...(iss === undefined ? {} : { iss }),
    codeVerifier,
    redirectUri: receiver.redirectUrl,
    fetchFn: guard.fetch,
  });
}

async function throughBrowser(
  { browser }: AuthPorts,
  url: URL,
  answer: (signal: AbortSignal) => Promise<URLSearchParams>,
  { signal, waitMs }: SignInOptions,
): Promise<URLSearchParams> {
  signal.throwIfAborted();
  const limit = AbortSignal.timeout(waitMs);
  const giveUp = new AbortController();
  const answered = answer(AbortSignal.any([signal, limit, giveUp.signal]));
  answered.catch(() => undefined); // awaited below, unless the browser fails first
  try {
    if (!(await browser.open(url))) {
      throw authError('auth.browserNotOpened');
    }
    return await answered;
  } catch (error) {
    giveUp.abort();
    if (limit.aborted) {
      throw authError('auth.timeout');
    }
    throw error;
  }
}

type IssuerCheck = (answer: { iss: string | undefined; expectedIssuer: string | undefined; issParameterSupported: boolean }) => void;

/**
 * Checks the issuer before anything else of the answer is read: in a mix-up attack even the error text comes from the
 * attacker (RFC 9207).
 */
function checkIssuer(validate: IssuerCheck, iss: string | undefined, { metadata, issuer }: AuthorizationServer): void {
  const issParameterSupported = metadata?.['authorization_response_iss_parameter_supported'] === true;
  try {
    validate({ iss, expectedIssuer: metadata?.issuer, issParameterSupported });
  } catch {
    throw issuerMismatch(issuer);
  }
}

function endpointsOf({ url, metadata }: AuthorizationServer): SignInRecord['endpoints'] {
  return {
    authorizationServerUrl: url,
    tokenEndpoint: metadata?.token_endpoint,
    revocationEndpoint: metadata === undefined ? undefined : revocationEndpointOf(metadata),
    tokenAuthMethods: metadata?.token_endpoint_auth_methods_supported,
  };
}
