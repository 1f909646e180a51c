import type { IncomingHttpHeaders } from 'node:http';
import type { CredentialStore, WireCredential } from '../credentials.ts';
import type { Refusal } from './refusals.ts';

export interface FrontDoor {
  readonly hosts: ReadonlySet<string>;
  readonly origins: ReadonlySet<string>;
  readonly credentials: CredentialStore;
  readonly challenge: string;
}

/** `allowedOrigins` are `scheme://host[:port]`; an entry that is anything else lets nobody in. */
export function createFrontDoor(port: number, allowedOrigins: readonly string[], credentials: CredentialStore): FrontDoor {
  const friends = allowedOrigins.filter((entry) => URL.canParse(entry)).map((entry) => new URL(entry));
  return {
    hosts: new Set([`127.0.0.1:${port}`, `localhost:${port}`, ...friends.map(({ host }) => host)]),
    origins: new Set(friends.map(({ origin }) => origin).filter((origin) => origin !== 'null')),
    credentials,
    challenge: `Bearer resource_metadata="http://127.0.0.1:${port}/.well-known/oauth-protected-resource"`,
  };
}

export type Verdict =
  | { readonly kind: 'pass'; readonly credential: WireCredential; readonly origin: string | undefined }
  | { readonly kind: 'preflight'; readonly origin: string }
  | { readonly kind: 'refuse'; readonly refusal: Refusal; readonly origin: string | undefined };

interface Knock {
  readonly method?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

const scheme = 'bearer ';

/**
 * Host, then Origin, then credential, before anything of the request is read: a web page that reached the port by DNS
 * rebinding learns nothing, not even whether a token is needed.
 */
export function knock(door: FrontDoor, { method, headers }: Knock): Verdict {
  if (headers.host === undefined || !door.hosts.has(headers.host)) {
    return { kind: 'refuse', refusal: { status: 403 }, origin: undefined };
  }
  const origin = headers.origin;
  if (origin !== undefined && !door.origins.has(origin)) {
    return { kind: 'refuse', refusal: { status: 403 }, origin: undefined };
  }
  if (origin !== undefined && method === 'OPTIONS') {
    return { kind: 'preflight', origin };
  }
  const token = bearerToken(headers.authorization);
  const credential = token === undefined ? undefined : door.credentials.verify(token);
  if (credential === undefined) {
    const challenge = headers.authorization === undefined ? door.challenge : `${door.challenge}, error="invalid_token"`;
    const refusal: Refusal = { status: 401, challenge };
    return { kind: 'refuse', refusal, origin };
  }
  return { kind: 'pass', credential, origin };
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
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, Accept, Mcp-Session-Id, MCP-Protocol-Version, Last-Event-ID',
  'Access-Control-Max-Age': '600',
};
