import type { AuthProvider, FetchLike } from '@modelcontextprotocol/client';
import type { Disposable } from '../../base/lifecycle.ts';

export type { FetchLike } from '@modelcontextprotocol/client';

/** What a remote link needs to act as a signed-in person. `createAuthProvider` makes it. */
export interface RemoteAuth {
  /** Serves as `authProvider` of the SDK's transports; `token()` is also used for the upgrade request of a WebSocket. */
  readonly provider: Required<AuthProvider>;
  /**
   * Wraps the transport's `fetch`: it asks for a wider sign-in when the server wants more scopes, and sends the token to no
   * other origin.
   */
  readonly wrapFetch: (next: FetchLike) => FetchLike;
  /**
   * Called when the server refused the token and no response is at hand (the upgrade of a WebSocket). Resolves when a retry
   * makes sense.
   */
  readonly onUnauthorized: () => Promise<void>;
}

/** The OAuth client that a person configured for a server, with its variables expanded. */
export interface ConfiguredClient {
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  /** The secret as the definition writes it, which may be shown to people. */
  readonly shownSecret?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
}

/** The endpoints of the authorization server that are kept, so that refresh and revocation go where the sign-in went. */
export interface KnownEndpoints {
  readonly authorizationServerUrl: string;
  readonly tokenEndpoint?: string | undefined;
  readonly revocationEndpoint?: string | undefined;
  readonly tokenAuthMethods?: readonly string[] | undefined;
}

export interface StoredClient {
  readonly clientId: string;
  /** The secret of a client that Duplex registered; a configured one stays where the person put it. */
  readonly clientSecret?: string | undefined;
  readonly authMethod?: string | undefined;
  readonly redirectUrl: string;
  readonly origin: 'configured' | 'registered';
}

/** One sign-in. All of it is secret. */
export interface SignInRecord {
  readonly issuer: string;
  /** The address that the tokens were made for. They are sent to no other, even when a definition keeps its name. */
  readonly serverUrl: string;
  readonly resource?: string | undefined;
  readonly endpoints: KnownEndpoints;
  readonly client: StoredClient;
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  readonly scope?: string | undefined;
  /** The time at which the token expires, in milliseconds since 1970. */
  readonly expiresAt?: number | undefined;
  readonly refreshAt?: number | undefined;
}

/** Keeps sign-ins by server and issuer. All windows share it. */
export interface TokenStore {
  get(serverId: string, issuer: string): Promise<SignInRecord | undefined>;
  set(serverId: string, record: SignInRecord): Promise<void>;
  delete(serverId: string, issuer: string): Promise<void>;
  /** The issuer of the server's latest tokens. */
  issuerOf(serverId: string): Promise<string | undefined>;
}

/** A lock over all windows: of all work under one name, one piece runs at a time. */
export interface Lock {
  run<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** Opens a page for the person. It only gets addresses that were checked. */
export interface Browser {
  open(url: URL): Promise<boolean>;
}

/** Receives the redirect of the browser at the end of a sign-in. */
export interface RedirectReceiver extends Disposable {
  readonly redirectUrl: string;
  /** Resolves to the first valid answer; rejects when `signal` fires. It may be called once per receiver. */
  answer(state: string, signal: AbortSignal): Promise<URLSearchParams>;
}

/** `preferred` is the address of an earlier sign-in: with the same address a registered client can be used again. */
export type OpenReceiver = (preferred: string | undefined) => Promise<RedirectReceiver>;

/** Looks up the addresses of a host name; rejects when there are none. */
export type LookUp = (hostname: string) => Promise<readonly string[]>;

export interface SignInRequest {
  readonly serverId: string;
  /** `scope` means that the person is signed in, but the server wants more than was granted. */
  readonly reason: 'unauthorized' | 'scope';
  readonly scope: string | undefined;
}

/** The planned use of a client with an authorization server, which the MCP server chose and not the person. */
export interface IssuerUse {
  readonly serverId: string;
  /** The name that people use for the server. */
  readonly label: string;
  readonly issuer: string;
  /** The origins that get the client's secret. The issuer names them, and they need not be its own. */
  readonly sentTo: readonly string[];
  /** The configured secret as the definition writes it, never its value; undefined for a client that Duplex registered. */
  readonly secret: string | undefined;
  /** The issuer of the person's earlier sign-in to this server. */
  readonly earlierIssuer: string | undefined;
}

/** Decides whether a client may be used with an issuer. */
export interface IssuerConsent {
  /** Asks the person, unless they have allowed exactly this before. Rejects with an AbortError when `signal` fires. */
  allow(use: IssuerUse, signal: AbortSignal): Promise<boolean>;
  /** Looks only at earlier answers and asks nobody. */
  isAllowed(use: IssuerUse): boolean;
}

export interface AuthPorts {
  readonly store: TokenStore;
  readonly lock: Lock;
  readonly browser: Browser;
  readonly openReceiver: OpenReceiver;
  /** Whether a server's refusal may open the browser by itself. It is not consulted for a sign-in that the person asked for. */
  readonly maySignIn: (request: SignInRequest) => Promise<boolean>;
  /** Without the person's consent a secret goes to no issuer, and a sign-in to no other issuer than before. */
  readonly issuers: IssuerConsent;
  readonly fetch: FetchLike;
  readonly lookUp: LookUp;
  readonly now: () => number;
}
