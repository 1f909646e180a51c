// transports/: the ways to a server, each in the shape of the MCP SDK's transports. Over HTTP or a WebSocket they are
// opened here; the pipes of a local process are in supervisedStdio.ts. All of them bound what a server may send before it
// is parsed, and say why a server is gone.
import { isLoopbackHost } from '../../base/addresses.ts';
import type { Log } from '../../base/log.ts';
import type { RemoteAuth } from '../auth/authPorts.ts';
import type { Clock } from '../../base/clock.ts';
import type { EraCache } from '../shared/eraCache.ts';
import { hostError } from '../shared/hostErrors.ts';
import type { ServerLink } from '../shared/serverLink.ts';
import { HttpTransport } from './httpTransport.ts';
import { createTlsFetch, tlsMaterial, type ClientTlsMaterial, type TlsTexts } from './tlsFetch.ts';
import { WebSocketTransport } from './webSocketTransport.ts';

/** The part of a prepared remote definition that a link needs. */
export interface RemoteTarget {
  readonly definition: { readonly id: string };
  readonly url: URL;
  readonly type: 'http' | 'sse' | 'ws' | 'auto';
  /** The expanded values, which are secret. */
  readonly headers: Readonly<Record<string, string>>;
  readonly tls?: TlsTexts | undefined;
  readonly timeoutMs: number;
  readonly mayUseSecretsOverPlainHttp: boolean;
}

export interface RemoteLinkOptions {
  readonly log: Log;
  /** Fires when the start under way is given up; everything that waits for the server then ends. */
  readonly signal: AbortSignal;
  readonly auth?: RemoteAuth | undefined;
  readonly eraCache?: EraCache | undefined;
  readonly clock?: Clock | undefined;
}

/** Makes the link but sends nothing yet. Throws an AppError when the target cannot or must not be connected. */
export async function openRemoteLink(target: RemoteTarget, options: RemoteLinkOptions): Promise<ServerLink> {
  options.signal.throwIfAborted();
  const isExposed = isPlain(target.url) && !isLoopbackHost(target.url.hostname);
  if (isExposed && Object.keys(target.headers).length > 0 && !target.mayUseSecretsOverPlainHttp) {
    throw hostError('host.secretsOverPlainHttp', { origin: target.url.origin });
  }
  // Tokens are never sent unencrypted, whatever else is allowed.
  const auth = isExposed ? undefined : options.auth;
  const material = target.tls === undefined ? {} : tlsMaterial(target.tls);
  const isSocket = target.type === 'ws' || /^wss?:$/.test(target.url.protocol);
  const transport = isSocket ? openSocket(target, auth, material, options) : openHttp(target, auth, material, options);
  const giveUp = (): void => void transport.close();
  options.signal.addEventListener('abort', giveUp, { once: true });
  const { eraCache } = options;
  return {
    transport,
    get end() {
      return transport.end;
    },
    lastWords: '',
    origin: target.url.origin.replace(/^ws/, 'http'),
    ...(eraCache === undefined ? {} : { era: { cache: eraCache, key: `${target.definition.id} ${target.url.href}` } }),
  };
}

function openHttp(
  target: RemoteTarget,
  auth: RemoteAuth | undefined,
  material: ClientTlsMaterial,
  { log }: RemoteLinkOptions,
): HttpTransport {
  const { url, headers, timeoutMs } = target;
  const own = target.tls === undefined ? undefined : createTlsFetch(material);
  return new HttpTransport({
    url,
    type: target.type === 'ws' ? 'auto' : target.type,
    headers,
    timeoutMs,
    log,
    fetch: own?.fetch ?? ((input, init) => fetch(input, init)),
    wrapFetch: auth?.wrapFetch,
    authProvider: auth?.provider,
    owned: own,
  });
}

function openSocket(
  target: RemoteTarget,
  auth: RemoteAuth | undefined,
  tls: ClientTlsMaterial,
  { clock }: RemoteLinkOptions,
): WebSocketTransport {
  const url = new URL(target.url);
  url.protocol = url.protocol.replace(/^http/, 'ws');
  const headers = async (): Promise<Readonly<Record<string, string>>> => {
    const token = await auth?.provider.token();
    return token === undefined ? target.headers : { ...target.headers, Authorization: `Bearer ${token}` };
  };
  const onUnauthorized = auth && ((): Promise<boolean> => auth.onUnauthorized().then(() => true));
  return new WebSocketTransport({ url, headers, tls, timeoutMs: target.timeoutMs, onUnauthorized, clock });
}

function isPlain(url: URL): boolean {
  return url.protocol === 'http:' || url.protocol === 'ws:';
}
