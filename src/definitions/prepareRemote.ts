import path from 'node:path';
import { definitionError } from './definitionErrors.ts';
import { refuseOtherMachines } from './otherMachines.ts';
import { prepareAddress } from './remoteAddress.ts';
import type { RemoteServerDefinition, WorkspaceFolder } from './serverDefinition.ts';
import { readPem } from './pemFile.ts';
import { expand, type Expanded, type VariableContext } from './variables.ts';

export interface RemoteContext {
  readonly folders: readonly WorkspaceFolder[];
  readonly userHome: string;
  /** The editor's own environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The person's answers by input id; undefined before the start was allowed. */
  readonly inputs?: ReadonlyMap<string, string> | undefined;
}

/** The texts of the PEM files, as they were when this was prepared; the key is a secret. */
export interface PreparedTls {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  /** Of the authorities' file as it was read: another authority is another server. */
  readonly caHash?: string;
  /** The paths for people, without the values of environment variables. */
  readonly shown: Readonly<Partial<Record<'ca' | 'cert' | 'key', string>>>;
}

export interface PreparedAuth {
  readonly clientId: Expanded | undefined;
  /** Its value is a secret. */
  readonly clientSecret: Expanded | undefined;
  readonly scopes: readonly string[] | undefined;
}

/** A definition with nothing left to expand: exactly this is shown, approved and connected. */
export interface PreparedRemote {
  readonly definition: RemoteServerDefinition;
  /** May hold a secret in its path or query. Its scheme and host never come from one. */
  readonly url: URL;
  readonly shownUrl: Expanded;
  readonly type: 'http' | 'sse' | 'ws' | 'auto';
  /** Expanded values: secret. */
  readonly headers: Readonly<Record<string, string>>;
  readonly shownHeaders: Readonly<Record<string, Expanded>>;
  readonly tls: PreparedTls | undefined;
  readonly auth: PreparedAuth | undefined;
  readonly timeoutMs: number;
  /** Plain http or ws to another machine. */
  readonly isUnencrypted: boolean;
  /** True only once the person allowed a start whose question says that nothing is encrypted. */
  readonly mayUseSecretsOverPlainHttp: boolean;
}

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
    timeoutMs: raw.timeout ?? defaultTimeoutMs,
    isUnencrypted,
    mayUseSecretsOverPlainHttp: false,
  };
}

/** What the transport itself has to say: another value would send the request elsewhere or into another session. */
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
    // A line break would begin another header; beyond Latin-1 the value could not be sent as it is.
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
