import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import { revealInvisible } from '../../../base/visibleText.ts';
import { legacyRevisions } from '../revisions.ts';
import { rpcCode, type RpcErrorBody } from '../rpc/rpc.ts';

/** What is wrong with the parameters of `initialize`; nothing is negotiated and no session begun with such. */
export function problemWithInitialize(params: JsonObject): RpcErrorBody | undefined {
  const { protocolVersion, capabilities, clientInfo } = params;
  if (typeof protocolVersion !== 'string') {
    const data = { supported: legacyRevisions, ...problem('protocolVersion', 'expected a string') };
    return { code: rpcCode.invalidParams, message: 'protocolVersion must be a string', data };
  }
  if (!isJsonObject(capabilities)) {
    return { code: rpcCode.invalidParams, message: 'capabilities must be an object', data: problem('capabilities', 'expected an object') };
  }
  if (!isJsonObject(clientInfo) || typeof clientInfo.name !== 'string' || typeof clientInfo.version !== 'string') {
    return {
      code: rpcCode.invalidParams,
      message: 'clientInfo must have a name and a version',
      data: problem('clientInfo', 'expected name and version'),
    };
  }
  return undefined;
}

function problem(parameter: string, reason: string): JsonObject {
  return { parameter, reason };
}

const longestName = 120;

/** The client's own words about itself, safe to show. */
export function callsItself({ clientInfo }: JsonObject): string {
  if (!isJsonObject(clientInfo)) {
    return '';
  }
  const { name, title, version } = clientInfo;
  const words = [typeof title === 'string' && title !== '' ? title : name, version].filter((word) => typeof word === 'string');
  return revealInvisible(words.join(' ').replace(/\s+/g, ' ').slice(0, longestName));
}
