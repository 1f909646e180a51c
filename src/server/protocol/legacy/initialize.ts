import * as z from 'zod';
import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import { legacyRevisions, shapeResult, type LegacyRevision } from '../requests/revisions.ts';
import { rpcCode, type RpcErrorBody } from '../rpc/rpc.ts';
import { commonCapabilities, type ServerIdentity } from '../clients/protocolServices.ts';
import { taskCapability } from './legacyTasks.ts';

const members = z.record(z.string(), z.unknown());

const clientCapabilities = z.object({
  experimental: z.record(z.string(), members).optional(),
  extensions: z.record(z.string(), members).optional(),
  roots: z.object({ listChanged: z.boolean().optional() }).optional(),
  sampling: z.object({ context: members.optional(), tools: members.optional() }).optional(),
  elicitation: z.object({ form: z.object({ applyDefaults: z.boolean().optional() }).optional(), url: members.optional() }).optional(),
  tasks: z
    .object({
      list: members.optional(),
      cancel: members.optional(),
      requests: z
        .object({
          sampling: z.object({ createMessage: members.optional() }).optional(),
          elicitation: z.object({ create: members.optional() }).optional(),
        })
        .optional(),
    })
    .optional(),
});

const icon = z.object({
  src: z.string(),
  mimeType: z.string().optional(),
  sizes: z.array(z.string()).optional(),
  theme: z.enum(['light', 'dark']).optional(),
});

/**
 * The schema of the parameters is as strict as that of the official SDK; a test compares the two. The SDK's own schema would load
 * those of all other messages, which take about 25 ms to build.
 */
const initializeParams = z.object({
  protocolVersion: z.string(),
  capabilities: clientCapabilities,
  clientInfo: z.object({
    name: z.string(),
    title: z.string().optional(),
    version: z.string(),
    description: z.string().optional(),
    websiteUrl: z.string().optional(),
    icons: z.array(icon).optional(),
  }),
  _meta: z.object({ progressToken: z.union([z.string(), z.int()]).optional() }).optional(),
});

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
