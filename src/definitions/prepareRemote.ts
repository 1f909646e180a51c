import { createHash } from 'node:crypto';
import path from 'node:path';
import { isLoopbackHost } from '../base/addresses.ts';
import { readBounded } from '../platform/files/ownFiles.ts';
import { definitionError } from './definitionErrors.ts';
import { refuseOtherMachines } from './otherMachines.ts';
import type { RemoteServerDefinition, WorkspaceFolder } from './serverDefinition.ts';
import { expand, type Expanded, namesOfUnset, type VariableContext, replaceSecretVariables } from './variables.ts';

export interface RemoteContext {
  readonly folders: readonly WorkspaceFolder[];
  readonly userHome: string;
  /** The environment variables of the editor itself. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The person's answers by input id; undefined before the start was allowed. */
  readonly inputs?: ReadonlyMap<string, string> | undefined;
}

/** The contents of the PEM files at the time of preparing. The key is a secret. */
export interface PreparedTls {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  /** The hash of the authorities' file: with another authority it may be another server. */
  readonly caHash?: string;
  /** The paths for people, without the values of environment variables. */
  readonly shown: Readonly<Partial<Record<'ca' | 'cert' | 'key', string>>>;
}

export interface PreparedAuth {
  readonly clientId: Expanded | undefined;
  /** The secret of a configured client: its `value` must not be shown. */
  readonly clientSecret: Expanded | undefined;
  readonly scopes: readonly string[] | undefined;
}

/** A definition with nothing left to expand. Exactly this is shown, approved and connected. */
export interface PreparedRemote {
  readonly definition: RemoteServerDefinition;
  /** The path or query may hold a secret; the scheme and host never come from one. */
  readonly url: URL;
  readonly shownUrl: Expanded;
  readonly type: 'http' | 'sse' | 'ws' | 'auto';
  /** The expanded values, which are secret. */
  readonly headers: Readonly<Record<string, string>>;
  readonly shownHeaders: Readonly<Record<string, Expanded>>;
  readonly tls: PreparedTls | undefined;
  readonly auth: PreparedAuth | undefined;
  /** The environment variables that the definition names and that are not set. */
  readonly unset: readonly string[];
  readonly timeoutMs: number;
  /** Whether it is plain http or ws to another machine. */
  readonly isUnencrypted: boolean;
  /** Whether the person allowed a start whose question says that nothing is encrypted. */
  readonly mayUseSecretsOverPlainHttp: boolean;
}

/** How long, in ms, a remote server may take to answer where its definition has no `timeout`. */
const defaultTimeoutMs = 60_000;

/** Throws an AppError that says what is wrong with the definition, without any secret value. */
export async function prepareRemote(definition: RemoteServerDefinition, context: RemoteContext): Promise<PreparedRemote> {
  const { raw } = definition;
  const { folders, userHome, env, inputs } = context;
  const variables: VariableContext = { folder: definition.folder ?? folders[0], folders, userHome, env, inputs };
  const shownUrl = expand(raw.url, variables);
  const { url, type, isUnencrypted } = prepareAddress(shownUrl, raw.type);
  const shownHeaders = Object.fromEntries(Object.entries(raw.headers ?? {}).map(([name, value]) => [name, expand(value, variables)]));
  checkHeaders(shownHeaders);
  return {
    definition,
    url,
    shownUrl,
    type,
    headers: Object.fromEntries(Object.entries(shownHeaders).map(([name, { value }]) => [name, value])),
    shownHeaders,
    tls: raw.tls && (await prepareTls(definition, raw.tls, variables)),
    auth: raw.auth && prepareAuth(raw.auth, variables),
    unset: namesOfUnset(raw, env),
    timeoutMs: raw.timeout ?? defaultTimeoutMs,
    isUnencrypted,
    mayUseSecretsOverPlainHttp: false,
  };
}

/** Headers that the transport itself sets. Another value would send the request elsewhere or into another session. */
const reservedHeaders =
  /^(host|connection|content-length|transfer-encoding|upgrade|keep-alive|te|trailer|expect|proxy-.*|sec-websocket-.*|mcp-session-id|mcp-protocol-version|mcp-method|mcp-name|last-event-id)$/i;

function checkHeaders(headers: Readonly<Record<string, Expanded>>): void {
  const seen = new Set<string>();
  for (const [name, { value }] of Object.entries(headers)) {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) {
      throw definitionError('definitions.badHeaderName', { name });
    }
    if (reservedHeaders.test(name)) {
      throw definitionError('definitions.reservedHeader', { name });
    }
    if (seen.has(name.toLowerCase())) {
      throw definitionError('definitions.repeatedHeader', { name });
    }
    // A line break would begin another header, and characters beyond Latin-1 could not be sent.
    if (!/^[\t\x20-\x7E\x80-\xFF]*$/.test(value)) {
      throw definitionError('definitions.badHeaderValue', { name });
    }
    seen.add(name.toLowerCase());
  }
}

type RawTls = NonNullable<RemoteServerDefinition['raw']['tls']>;
type RawAuth = NonNullable<RemoteServerDefinition['raw']['auth']>;

async function prepareTls(definition: RemoteServerDefinition, raw: RawTls, variables: VariableContext): Promise<PreparedTls> {
  if ((raw.cert === undefined) !== (raw.key === undefined)) {
    throw definitionError('definitions.certWithoutKey');
  }
  const texts: { ca?: string; cert?: string; key?: string; caHash?: string } = {};
  const shown: { ca?: string; cert?: string; key?: string } = {};
  for (const part of ['ca', 'cert', 'key'] as const) {
    const text = raw[part];
    if (text !== undefined) {
      const file = expand(text, variables);
      if (!path.isAbsolute(file.value)) {
        throw definitionError('definitions.tlsPathNotAbsolute', { part });
      }
      await refuseOtherMachines(definition, [{ file, base: variables.userHome }], variables);
      const pem = await readPem(file.value, file.shown);
      texts[part] = pem.text;
      shown[part] = file.shown;
      if (part === 'ca') {
        texts.caHash = pem.hash;
      }
    }
  }
  return { ...texts, shown };
}

function prepareAuth(raw: RawAuth, variables: VariableContext): PreparedAuth {
  const clientSecret = raw.clientSecret === undefined ? undefined : expand(raw.clientSecret, variables);
  if (clientSecret !== undefined && clientSecret.inputs.length + clientSecret.variables.length === 0) {
    throw definitionError('definitions.secretInPlainText', { field: 'auth.clientSecret' });
  }
  return { clientId: raw.clientId === undefined ? undefined : expand(raw.clientId, variables), clientSecret, scopes: raw.scopes };
}

export interface RemoteAddress {
  readonly url: URL;
  readonly type: PreparedRemote['type'];
  readonly isUnencrypted: boolean;
}

/** Errors show the text with names in place of secrets, because the value may hold a secret. */
function prepareAddress(address: Expanded, type: 'http' | 'sse' | 'ws' | undefined): RemoteAddress {
  const url = parseUrl(address.value, address.shown);
  const isWebSocket = /^wss?:$/.test(url.protocol);
  if (!isWebSocket && !/^https?:$/.test(url.protocol)) {
    const scheme = replaceSecretVariables(address.shown, '').split(':')[0] ?? '';
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
 * The person allows a host by reading it, and a secret must not become part of a name that is looked up. So the scheme, the
 * host and the port must stay the same whatever the secrets are replaced by.
 */
function checkHost(address: Expanded, url: URL): void {
  const origins = ['1', '2'].map((each) => parsed(replaceSecretVariables(address.shown, each)));
  if (!origins.every((each) => each !== undefined && each.protocol === url.protocol && each.host === url.host && each.username === '')) {
    throw definitionError('definitions.secretInHost');
  }
}

function parseUrl(text: string, shown: string): URL {
  // The URL parser would drop white space silently, so that a person would read another address than the one used.
  const url = /[\s\0]/.test(text) ? undefined : parsed(text);
  if (url === undefined || url.hostname === '') {
    throw definitionError('definitions.badUrl', { url: shown });
  }
  return url;
}

function parsed(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** The most bytes of a file with a certificate or a key; a larger one is refused. */
const maxPem = 1024 * 1024;

export interface PemFile {
  readonly text: string;
  readonly hash: string;
}

/**
 * Reads the file once, so that the text that is used is the one that was hashed. `shown` is the path for error messages,
 * without the values of environment variables.
 */
async function readPem(file: string, shown: string): Promise<PemFile> {
  const content = await readBounded(file, maxPem).catch(() => undefined);
  if (content?.includes('-----BEGIN ') !== true) {
    throw definitionError('definitions.tlsFileUnusable', { file: shown });
  }
  return { text: content.toString('utf8'), hash: createHash('sha256').update(content).digest('base64url') };
}
