import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../../../base/clock.ts';
import { allowedOrigin } from '../../../contract/settings/serverSettings.ts';
import { challengeHeader, windowProof, workbenchProof } from '../../../platform/randomSecrets.ts';
import type { CredentialStore } from '../../access/credentials.ts';
import { RateLimiter } from '../../access/limits.ts';
import type { WireCredential } from '../../seen/viewer.ts';
import type { Workbench } from '../../seen/workbench.ts';
import type { HttpRefusal } from './answers.ts';

export interface FrontDoorOptions {
  readonly port: number;
  readonly isSecure: boolean;
  /** Origins as `scheme://host[:port]`; any other entry admits nobody. */
  readonly allowedOrigins: readonly string[];
  readonly credentials: CredentialStore;
  /** Whether clients can sign in here; then a refusal says where. */
  readonly offersSignIn: boolean;
  /** Paths that answer without a credential. */
  readonly openPaths: ReadonlySet<string>;
  readonly proofs: WindowProofs;
}

export interface FrontDoor {
  readonly port: number;
  /** The server's own URL for each `Host` header that a client may use. */
  readonly bases: ReadonlyMap<string, string>;
  readonly origins: ReadonlySet<string>;
  readonly ownOrigins: ReadonlySet<string>;
  readonly credentials: CredentialStore;
  readonly offersSignIn: boolean;
  readonly openPaths: ReadonlySet<string>;
  readonly proofs: WindowProofs;
}

export function createFrontDoor(options: FrontDoorOptions): FrontDoor {
  const { port, isSecure, allowedOrigins, credentials, offersSignIn, openPaths, proofs } = options;
  const friends = allowedOrigins.flatMap(toOrigin);
  const own = ['127.0.0.1', 'localhost'].map((name) => ({
    host: `${name}:${port}`,
    url: new URL(`${isSecure ? 'https' : 'http'}://${name}:${port}`),
  }));
  return {
    port,
    bases: new Map([
      ...friends.map(({ host, base }) => [host, base] as const),
      // Clients leave out the default port of a scheme.
      ...own.flatMap(
        ({ host, url }) =>
          [
            [host, url.origin],
            [url.host, url.origin],
          ] as const,
      ),
    ]),
    origins: new Set(friends.map(({ origin }) => origin)),
    ownOrigins: new Set(own.map(({ url }) => url.origin)),
    credentials,
    offersSignIn,
    openPaths,
    proofs,
  };
}

interface AllowedOrigin {
  readonly host: string;
  /** The origin as a browser writes it. */
  readonly origin: string;
  /** The URL of this server for clients that reach it by this host. */
  readonly base: string;
}

function toOrigin(entry: string): readonly AllowedOrigin[] {
  if (!allowedOrigin().safeParse(entry).success) {
    return [];
  }
  const { protocol, host, origin } = new URL(entry);
  // For schemes that the URL standard does not know, such as those of an editor's own pages, browsers have an origin although `URL`
  // has none.
  return origin === 'null' ? [{ host, origin: `${protocol}//${host}`, base: `https://${host}` }] : [{ host, origin, base: origin }];
}

export type DoorVerdict =
  | { readonly kind: 'pass'; readonly credential: WireCredential; readonly origin: string | undefined }
  | { readonly kind: 'open'; readonly base: string; readonly origin: string | undefined }
  | { readonly kind: 'preflight'; readonly origin: string }
  | { readonly kind: 'refuse'; readonly refusal: HttpRefusal | Promise<HttpRefusal>; readonly origin: string | undefined };

interface RequestHead {
  readonly method?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

const scheme = 'bearer ';

/**
 * Checks Host, then Origin, then the credential, before anything of the request is read. So a web page that reached the port by DNS
 * rebinding learns nothing, not even whether a token is needed.
 */
export function checkRequest(door: FrontDoor, { method, headers }: RequestHead, path: string): DoorVerdict {
  const base = headers.host === undefined ? undefined : door.bases.get(headers.host);
  if (base === undefined) {
    return { kind: 'refuse', refusal: { status: 403 }, origin: undefined };
  }
  const isOpen = door.openPaths.has(path) && !isWebSocketUpgrade(headers);
  const origin = headers.origin;
  const isFriend = origin !== undefined && door.origins.has(origin);
  if (origin !== undefined && !isFriend && !(isOpen && door.ownOrigins.has(origin))) {
    return { kind: 'refuse', refusal: { status: 403 }, origin: undefined };
  }
  const friend = isFriend ? origin : undefined;
  if (friend !== undefined && method === 'OPTIONS') {
    return { kind: 'preflight', origin: friend };
  }
  return isOpen ? { kind: 'open', base, origin: friend } : checkCredential(door, headers, base, path, friend);
}

function checkCredential(
  door: FrontDoor,
  headers: IncomingHttpHeaders,
  base: string,
  path: string,
  origin: string | undefined,
): DoorVerdict {
  const { authorization } = headers;
  const token = bearerToken(authorization);
  const credential = token === undefined ? undefined : door.credentials.verify(token);
  if (credential === undefined) {
    const error = authorization === undefined ? [] : ['error="invalid_token"'];
    const refusal: HttpRefusal = { status: 401, challenge: challengeOf(door, base, path, error) };
    const mayChallenge = authorization === undefined && path === '/ws' && isWebSocketUpgrade(headers);
    return { kind: 'refuse', refusal: mayChallenge ? door.proofs.answer(headers[challengeHeader], door.port, refusal) : refusal, origin };
  }
  if (credential.roles?.length === 0) {
    const challenge = challengeOf(door, base, path, ['error="insufficient_scope"', 'scope="reader"']);
    return { kind: 'refuse', refusal: { status: 403, challenge }, origin };
  }
  return { kind: 'pass', credential, origin };
}

export function isWebSocketUpgrade(headers: IncomingHttpHeaders): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

/**
 * The `WWW-Authenticate` header. It uses the client's own spelling of the address and the endpoint it called, because the client
 * compares both.
 */
function challengeOf(door: FrontDoor, base: string, path: string, more: readonly string[]): string {
  const metadata = door.offersSignIn ? [`resource_metadata="${base}/.well-known/oauth-protected-resource${resourceSuffix(path)}"`] : [];
  return ['Bearer', [...metadata, ...more].join(', ')].filter((part) => part !== '').join(' ');
}

function resourceSuffix(path: string): string {
  if (path === '/mcp') {
    return '/mcp';
  }
  return path === '/sse' || path === '/messages' ? '/sse' : '';
}

function bearerToken(authorization: string | undefined): string | undefined {
  return authorization?.slice(0, scheme.length).toLowerCase() === scheme ? authorization.slice(scheme.length).trim() : undefined;
}

export function corsHeaders(origin: string): Record<string, string> {
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': 'Mcp-Session-Id, WWW-Authenticate, Retry-After',
    Vary: 'Origin',
  };
}

export const preflightHeaders: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Methods': 'GET, POST, DELETE',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Accept, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID',
  'Access-Control-Max-Age': '600',
};

const acceptedNonce = /^[\w+/=-]{16,128}$/;
/**
 * The limit for everybody together, since it is not known who asks. It is far above what bridges need, and a proof costs no more
 * than a refusal.
 */
const maxProofsPerSecond = 1_000;

export interface WindowProofsOptions {
  readonly token: () => string | undefined;
  readonly workbench: Pick<Workbench, 'answers'>;
  readonly clock: Clock;
}

/** Proves to a bridge, before it sends its token, that it is talking to this window, and tells whether the page of the window answers. */
export class WindowProofs {
  readonly #options: WindowProofsOptions;
  readonly #limiter: RateLimiter;

  constructor(options: WindowProofsOptions) {
    this.#options = options;
    this.#limiter = new RateLimiter(maxProofsPerSecond, options.clock);
  }

  /** Adds the proof to the refusal of an upgrade without a credential, if the request carried a challenge that can be answered. */
  answer(nonce: string | readonly string[] | undefined, port: number, refusal: HttpRefusal): HttpRefusal | Promise<HttpRefusal> {
    const token = this.#options.token();
    if (typeof nonce !== 'string' || !acceptedNonce.test(nonce) || token === undefined || refusal.status !== 401) {
      return refusal;
    }
    if (!this.#limiter.take('everybody', 1)) {
      return { status: 429, retryAfterSeconds: 1 };
    }
    const proof = windowProof(token, nonce, port);
    return this.#options.workbench.answers().then((answers) => {
      return { ...refusal, proof, workbench: workbenchProof(token, nonce, port, answers ? 'answers' : 'silent') };
    });
  }
}
