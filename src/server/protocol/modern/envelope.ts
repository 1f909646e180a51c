import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import { metaKey, modernRevision } from '../../../contract/protocolNames.ts';
import { isLogLevel, type LogLevel } from '../../offer/catalog/catalog.ts';
import { legacyRevisions } from '../requests/revisions.ts';
import { RpcError, rpcCode } from '../rpc/rpc.ts';

/** All of them: the same endpoints answer `initialize` too. */
export const supportedVersions: readonly string[] = [modernRevision, ...legacyRevisions];

/** What every request says of itself, since there is no session to say it once. */
export interface Envelope {
  readonly protocolVersion: string;
  readonly clientCapabilities: JsonObject;
  readonly callsItself: string;
  /** None: no logs are wanted. */
  readonly logLevel: LogLevel | undefined;
}

/** Whether a message says that it belongs to the revision without sessions, or to another one that speaks like it. */
export function hasEnvelope(body: unknown): boolean {
  return isJsonObject(body) && isJsonObject(body.params) && isJsonObject(body.params._meta) && metaKey.protocolVersion in body.params._meta;
}

/** The same for transports without headers, where `server/discover` is how a client finds out. */
export function isModernMessage(body: unknown): boolean {
  return hasEnvelope(body) || (isJsonObject(body) && body.method === 'server/discover');
}

export function versionOf({ _meta }: JsonObject): string | undefined {
  const version = isJsonObject(_meta) ? _meta[metaKey.protocolVersion] : undefined;
  return typeof version === 'string' ? version : undefined;
}

/** `nameOf` reads how a client calls itself. */
export function readEnvelope(params: JsonObject, nameOf: (clientInfo: unknown) => string): Envelope {
  const meta = params._meta;
  if (!isJsonObject(meta)) {
    throw invalid('_meta', 'expected an object');
  }
  const protocolVersion = meta[metaKey.protocolVersion];
  if (typeof protocolVersion !== 'string') {
    throw invalid(metaKey.protocolVersion, 'expected a string');
  }
  const clientCapabilities = meta[metaKey.clientCapabilities];
  if (!isJsonObject(clientCapabilities)) {
    throw invalid(metaKey.clientCapabilities, 'expected an object');
  }
  const logLevel = meta[metaKey.logLevel];
  if (logLevel !== undefined && !isLogLevel(logLevel)) {
    throw invalid(metaKey.logLevel, 'no such level');
  }
  return { protocolVersion, clientCapabilities, callsItself: nameOf(meta[metaKey.clientInfo]), logLevel };
}

export function requireKnownVersion({ protocolVersion }: Envelope): void {
  if (protocolVersion !== modernRevision) {
    throw new RpcError(rpcCode.unsupportedProtocolVersion, 'Unsupported protocol version', {
      supported: supportedVersions,
      requested: protocolVersion,
    });
  }
}

function invalid(parameter: string, reason: string): RpcError {
  return new RpcError(rpcCode.invalidParams, `Invalid request metadata: ${parameter}: ${reason}`, { parameter, reason });
}
