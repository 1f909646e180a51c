import { BlockList, isIP } from 'node:net';
import { isLoopbackHost } from '../../base/addresses.ts';
import { authError } from './authErrors.ts';
import type { FetchLike, LookUp } from './authPorts.ts';

/** The most bytes of one answer on the way of a sign-in; a larger one is refused. */
const maxAnswerBytes = 1_048_576;
/** How long, in ms, one request on the way of a sign-in may take. */
const answerWithinMs = 30_000;

export interface SignInGuardOptions {
  readonly serverUrl: URL;
  readonly fetch: FetchLike;
  readonly lookUp: LookUp;
  readonly signal: AbortSignal;
}

export interface SignInGuard {
  /** Throws unless the address may be requested, or opened, on behalf of the server. */
  readonly check: (url: URL) => Promise<void>;
  readonly fetch: FetchLike;
}

/**
 * The only way to the network for everything about signing in. The addresses come from the server's own metadata, so each is
 * checked before it is requested: https (http on this machine only if the server is there too), and nothing inside the
 * person's network on behalf of a public server. A host name that changes its address after the check gains nothing, because
 * the inner host would need a certificate for that name. Redirects are not followed, and answers are limited in size and
 * time.
 */
export function createSignInGuard(options: SignInGuardOptions): SignInGuard {
  let serverIsInside: Promise<boolean> | undefined;
  const check = async (url: URL): Promise<void> => {
    checkScheme(url, options.serverUrl);
    serverIsInside ??= isInside(options.serverUrl, options.lookUp);
    if (!(await serverIsInside) && (await mayBeInside(url, options.lookUp))) {
      throw authError('auth.privateAddress', { host: url.host });
    }
  };
  return {
    check,
    fetch: async (input, init) => {
      const url = new URL(String(input));
      await check(url);
      const signal = AbortSignal.any([options.signal, AbortSignal.timeout(answerWithinMs)]);
      return bounded(url, await options.fetch(url, { ...init, redirect: 'manual', signal }));
    },
  };
}

/** Allows https, and http on this machine when the MCP server itself is on this machine; never an address with a user name or password. */
function checkScheme(url: URL, serverUrl: URL): void {
  const isLocal = url.protocol === 'http:' && isLoopbackHost(url.hostname) && isLoopbackHost(serverUrl.hostname);
  if ((url.protocol !== 'https:' && !isLocal) || url.username !== '' || url.password !== '') {
    throw authError('auth.insecureAddress', { scheme: url.protocol.slice(0, -1), host: url.host });
  }
}

/** Whether all addresses of the host are private. A server that is partly public does not get access to the person's network. */
async function isInside(url: URL, lookUp: LookUp): Promise<boolean> {
  const addresses = await addressesOf(url, lookUp);
  return addresses.length > 0 && addresses.every(isPrivateAddress);
}

async function mayBeInside(url: URL, lookUp: LookUp): Promise<boolean> {
  return isUnderLocalhost(url.hostname) || (await addressesOf(url, lookUp)).some(isPrivateAddress);
}

/** The addresses of a host; none for a name that does not resolve here, which a proxy may resolve. */
async function addressesOf(url: URL, lookUp: LookUp): Promise<readonly string[]> {
  const host = withoutBrackets(url.hostname);
  if (isIP(host) !== 0) {
    return [host];
  }
  return isLoopbackHost(host) ? ['127.0.0.1'] : lookUp(host).catch(() => []);
}

async function bounded(url: URL, response: Response): Promise<Response> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > maxAnswerBytes) {
      throw authError('auth.answerTooLarge', { host: url.host });
    }
    chunks.push(chunk);
  }
  const hasNoBody = [204, 205, 304].includes(response.status);
  const { status, statusText, headers } = response;
  return new Response(hasNoBody ? null : Buffer.concat(chunks), { status, statusText, headers: withoutEncoding(headers) });
}

/** The body was decoded on the way, so the headers about its encoding would be wrong. */
function withoutEncoding(from: Headers): Headers {
  const headers = new Headers(from);
  headers.delete('content-encoding');
  headers.delete('content-length');
  return headers;
}

/** Every address that is not public: this machine, local networks, carriers, documentation, multicast. */
const reserved = new BlockList();
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  reserved.addSubnet(net, prefix, 'ipv4');
}
for (const [net, prefix] of [
  ['::', 127], // unspecified and loopback
  ['64:ff9b::', 96], // IPv4 addresses embedded in IPv6
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  reserved.addSubnet(net, prefix, 'ipv6');
}

/** Whether a text is an IP address of a private network. `BlockList` itself recognises `::ffff:10.0.0.1`. */
function isPrivateAddress(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && reserved.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

/** Whether browsers resolve this name to this machine without a look-up. */
function isUnderLocalhost(hostname: string): boolean {
  return /\.localhost\.?$/i.test(hostname);
}

function withoutBrackets(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}
