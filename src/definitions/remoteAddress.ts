import { isLoopbackHost } from '../base/loopback.ts';
import { definitionError } from './definitionErrors.ts';
import type { PreparedRemote } from './prepareRemote.ts';
import { withoutSecrets, type Expanded } from './variables.ts';

export interface RemoteAddress {
  readonly url: URL;
  readonly type: PreparedRemote['type'];
  readonly isUnencrypted: boolean;
}

/** Errors name the shown text: the value may hold a secret. */
export function prepareAddress(address: Expanded, type: 'http' | 'sse' | 'ws' | undefined): RemoteAddress {
  const url = parseUrl(address.value, address.shown);
  const isWebSocket = /^wss?:$/.test(url.protocol);
  if (!isWebSocket && !/^https?:$/.test(url.protocol)) {
    const scheme = withoutSecrets(address.shown, '').split(':')[0] ?? '';
    throw definitionError('definitions.badScheme', { scheme });
  }
  if (url.username !== '' || url.password !== '') {
    throw definitionError('definitions.userInfoInUrl');
  }
  checkHost(address, url);
  if (type !== undefined && (type === 'ws') !== isWebSocket) {
    throw definitionError('definitions.typeDoesNotFit', { type, scheme: url.protocol });
  }
  const isUnencrypted = (url.protocol === 'http:' || url.protocol === 'ws:') && !isLoopbackHost(url.hostname);
  return { url, type: type ?? (isWebSocket ? 'ws' : 'auto'), isUnencrypted };
}

/**
 * The person allows a host by reading it, and a secret must not become part of a name that is looked up. So the scheme,
 * the host and the port stay the same whatever stands in for the secrets.
 */
function checkHost(address: Expanded, url: URL): void {
  const origins = ['1', '2'].map((each) => parsed(withoutSecrets(address.shown, each)));
  if (!origins.every((each) => each !== undefined && each.protocol === url.protocol && each.host === url.host && each.username === '')) {
    throw definitionError('definitions.secretInHost');
  }
}

function parseUrl(text: string, shown: string): URL {
  // The parser would drop these silently: what is read would not be what is used.
  const url = /[\s\0]/.test(text) ? undefined : parsed(text);
  if (url === undefined || url.hostname === '') {
    throw definitionError('definitions.badUrl', { url: shown });
  }
  return url;
}

function parsed(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
