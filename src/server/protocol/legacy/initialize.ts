import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import { initializeParams } from '../../../contract/handshake.ts';
import { legacyRevisions, shapeResult, type LegacyRevision } from '../requests/revisions.ts';
import { rpcCode, type RpcErrorBody } from '../rpc/rpc.ts';
import { commonCapabilities, type ServerIdentity } from '../clients/protocolServices.ts';
import { taskCapability } from './legacyTasks.ts';

/** Says what is wrong with the parameters of `initialize`; with such parameters no session begins. */
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
  return initializeParams.safeParse(params).success
    ? undefined
    : { code: rpcCode.invalidParams, message: 'Invalid parameters of initialize' };
}

function problem(parameter: string, reason: string): JsonObject {
  return { parameter, reason };
}

/** The answer to `initialize`, in the negotiated revision. */
export function initializeResult(revision: LegacyRevision, identity: ServerIdentity, instructions: string): JsonObject {
  const result = {
    protocolVersion: revision,
    capabilities: { ...commonCapabilities, tasks: taskCapability },
    serverInfo: { ...identity },
    ...(instructions !== '' && { instructions }),
  };
  return shapeResult('initialize', result, revision);
}
