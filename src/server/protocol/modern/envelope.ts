import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import { metaKey, modernRevision } from '../../../contract/protocolNames.ts';
import { isLogLevel, type McpLogLevel } from '../../offer/catalog/catalog.ts';
import { legacyRevisions } from '../requests/revisions.ts';
import { RpcError, rpcCode } from '../rpc/rpc.ts';

/** All versions, because the same endpoints also answer `initialize`. */
export const supportedVersions: readonly string[] = [modernRevision, ...legacyRevisions];

/** What every request says about itself, since there is no session in which to say it once. */
export interface Envelope {
  readonly protocolVersion: string;
  readonly clientCapabilities: JsonObject;
  readonly callsItself: string;
  /** The least level of logs that the client wants; `undefined` if it wants none. */
  readonly logLevel: McpLogLevel | undefined;
}

/** Whether a message has an envelope, as in the revision without sessions and later ones. */
export function hasEnvelope(body: unknown): boolean {
  return isJsonObject(body) && isJsonObject(body.params) && isJsonObject(body.params._meta) && metaKey.protocolVersion in body.params._meta;
}

/** Whether a message is modern, for transports without headers: there a client begins with `server/discover`. */
export function isModernMessage(body: unknown): boolean {
  return hasEnvelope(body) || (isJsonObject(body) && body.method === 'server/discover');
}

export function versionOf({ _meta }: JsonObject): string | undefined {
  const version = isJsonObject(_meta) ? _meta[metaKey.protocolVersion] : undefined;
  return typeof version === 'string' ? version : undefined;
}

/** Reads the envelope of a request; `nameOf` reads what the client calls itself. */
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
