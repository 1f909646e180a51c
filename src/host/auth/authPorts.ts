import type { AuthProvider, FetchLike } from '@modelcontextprotocol/client';
import type { Disposable } from '../../base/lifecycle.ts';

export type { FetchLike } from '@modelcontextprotocol/client';

/** What a remote link needs to act as a signed-in person. Made by `createAuthProvider`. */
export interface RemoteAuth {
  /** For the `authProvider` option of the SDK's transports; `token()` also serves a WebSocket's upgrade request. */
  readonly provider: Required<AuthProvider>;
  /** Wraps the transport's `fetch`: steps up when the server wants more scopes, and keeps the token at its own origin. */
  readonly wrapFetch: (next: FetchLike) => FetchLike;
  /** The server refused the token, where no response is at hand (a WebSocket's upgrade). Resolves when a retry makes sense. */
  readonly onUnauthorized: () => Promise<void>;
}

/** The client a person configured for a server, with its variables expanded. */
export interface ConfiguredClient {
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  /** How the definition writes the secret, for people. */
  readonly shownSecret?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
}

/** What is kept of the authorization server, so that refresh and revocation go where the sign-in went. */
export interface KnownEndpoints {
  readonly authorizationServerUrl: string;
  readonly tokenEndpoint?: string | undefined;
  readonly revocationEndpoint?: string | undefined;
  readonly tokenAuthMethods?: readonly string[] | undefined;
}

export interface StoredClient {
  readonly clientId: string;
  /** Only of a client that was registered by Duplex; a configured secret stays where the person put it. */
  readonly clientSecret?: string | undefined;
  readonly authMethod?: string | undefined;
  readonly redirectUrl: string;
  readonly origin: 'configured' | 'registered';
}

/** One sign-in. Secret as a whole. */
export interface SignInRecord {
  readonly issuer: string;
  /** The address the tokens were made for: they are sent to no other, even when a definition keeps its name. */
  readonly serverUrl: string;
  readonly resource?: string | undefined;
  readonly endpoints: KnownEndpoints;
  readonly client: StoredClient;
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  readonly scope?: string | undefined;
  /** Milliseconds since 1970. */
  readonly expiresAt?: number | undefined;
  readonly refreshAt?: number | undefined;
}

/** Where sign-ins are kept, by server and issuer. Shared by all windows. */
export interface TokenStore {
  get(serverId: string, issuer: string): Promise<SignInRecord | undefined>;
  set(serverId: string, record: SignInRecord): Promise<void>;
  delete(serverId: string, issuer: string): Promise<void>;
  /** Whom the server's tokens came from last. */
  issuerOf(serverId: string): Promise<string | undefined>;
}

/** One at a time over all windows. */
export interface Lock {
  run<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** Opens a page for the person. It is given checked addresses only. */
export interface Browser {
  open(url: URL): Promise<boolean>;
}

/** Where the browser comes back to. */
export interface RedirectReceiver extends Disposable {
  readonly redirectUrl: string;
  /** The first answer that counts; rejects when `signal` fires. One call per receiver. */
  answer(state: string, signal: AbortSignal): Promise<URLSearchParams>;
}

/** `preferred` is the address of an earlier sign-in: with it a registered client can be used again. */
export type OpenReceiver = (preferred: string | undefined) => Promise<RedirectReceiver>;

/** Addresses behind a host name; rejects when there are none. */
export type LookUp = (hostname: string) => Promise<readonly string[]>;

export interface SignInRequest {
  readonly serverId: string;
  /** `scope`: signed in, but the server wants more than was granted. */
  readonly reason: 'unauthorized' | 'scope';
  readonly scope: string | undefined;
}

/** A client is about to be used with an authorization server, which the MCP server chose and the person did not. */
export interface IssuerUse {
  readonly serverId: string;
  /** What people call the server. */
  readonly label: string;
  readonly issuer: string;
  /** The origins that get the client's secret: the issuer names them, and they need not be its own. */
  readonly sentTo: readonly string[];
  /** The configured secret as the definition writes it, never its value; none for a client that Duplex registered. */
  readonly secret: string | undefined;
  /** Where the person signed in before. */
  readonly earlierIssuer: string | undefined;
}

/** Whether a client may be used with an issuer. */
export interface IssuerConsent {
  /** Asks the person unless they have allowed exactly this. Rejects with an AbortError when `signal` fires. */
  allow(use: IssuerUse, signal: AbortSignal): Promise<boolean>;
  /** Asks nobody. */
  isAllowed(use: IssuerUse): boolean;
}

export interface AuthPorts {
  readonly store: TokenStore;
  readonly lock: Lock;
  readonly browser: Browser;
  readonly openReceiver: OpenReceiver;
  /** Whether a server's refusal may open the browser by itself. A sign-in the person asked for never asks here. */
  readonly maySignIn: (request: SignInRequest) => Promise<boolean>;
  /** A secret goes to no issuer, and a sign-in to no other than before, without the person's word. */
  readonly issuers: IssuerConsent;
  readonly fetch: FetchLike;
  readonly lookUp: LookUp;
  readonly now: () => number;
}
