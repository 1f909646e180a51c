import { AppError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Log } from '../../base/log.ts';
import type { Role } from '../../contract/questions.ts';
import type { EditorPort } from '../ports.ts';
import { findResource, jsonMimeType, resources, type Resource } from '../resources/resourceTable.ts';
import { invalidCursor } from '../tools/cursor.ts';
import { findTool, tools } from '../tools/toolTable.ts';
import type { Tool } from '../tools/tool.ts';
import { deniedSentence, waitingSentence, type Admission, type SessionApproval } from './approval.ts';
import type { RequestContext } from './inFlight.ts';
import { badArgumentsAreToolErrors, hasStructuredContent, shapeResult, type LegacyRevision } from './revisions.ts';
import { RpcError, rpcCode } from './rpc.ts';
import type { Subscriptions } from './subscriptions.ts';

export interface HandlerServices {
  readonly editor: EditorPort;
  readonly approval: SessionApproval;
  readonly subscriptions: Subscriptions;
  readonly log: Log;
}

/** Answers with the result as JSON text, in the client's revision. */
export type RequestHandler = (params: JsonObject, request: RequestContext) => Promise<string>;

/** Every method of ours. Negotiation, ping and methods nobody knows are the SDK's. */
export function createHandlers(services: HandlerServices): ReadonlyMap<string, RequestHandler> {
  return new Map<string, RequestHandler>([
    ['tools/call', (params, request) => callTool(services, params, request)],
    ['tools/list', list('tools/list', { tools: tools.map((tool) => tool.listing) })],
    ['resources/list', list('resources/list', { resources: resources.map((resource) => resource.listing) })],
    ['resources/templates/list', list('resources/templates/list', { resourceTemplates: [] })],
    ['prompts/list', list('prompts/list', { prompts: [] })],
    ['prompts/get', () => Promise.reject(new RpcError(rpcCode.invalidParams, 'Unknown prompt'))],
    ['resources/read', (params, request) => readResource(services, params, request)],
    ['resources/subscribe', (params, request) => subscribe(services, params, request)],
    ['resources/unsubscribe', (params) => unsubscribe(services, params)],
  ]);
}

function list(method: string, result: JsonObject): RequestHandler {
  return async ({ cursor }, { revision }) => {
    if (cursor !== undefined) {
      // All lists are short enough for one page, so no cursor was ever given out.
      throw invalidCursor();
    }
    return JSON.stringify(shapeResult(method, result, revision));
  };
}

async function callTool(services: HandlerServices, params: JsonObject, request: RequestContext): Promise<string> {
  const tool = findTool(params.name);
  if (tool === undefined) {
    throw new RpcError(rpcCode.invalidParams, `Unknown tool: ${JSON.stringify(params.name ?? null).slice(0, 100)}`);
  }
  const call = tool.prepare(params.arguments);
  if (call.kind === 'badArguments') {
    return badArguments(tool, call.parameter, call.reason, request.revision);
  }
  const { approval, editor, log } = services;
  const admission = approval.state.kind === 'allowed' ? approval.state : await approval.admit(request);
  const refusal = refusalFor(admission, tool.role);
  if (refusal !== undefined) {
    return toolError(refusal.sentence);
  }
  try {
    return toolResult(JSON.stringify(await call.run({ editor, signal: () => request.signal })), request.revision);
  } catch (error) {
    if (error instanceof RpcError) {
      throw error;
    }
    log.error(`The tool ${tool.name} failed.`, error);
    return toolError(error instanceof AppError ? error.message : 'The tool failed.');
  }
}

function badArguments(tool: Tool, parameter: string, reason: string, revision: LegacyRevision): string {
  const message = `Invalid arguments for ${tool.name}: ${parameter === '' ? '' : `${parameter}: `}${reason}`;
  if (badArgumentsAreToolErrors(revision)) {
    return toolError(message);
  }
  throw new RpcError(rpcCode.invalidParams, message, { parameter, reason });
}

/** `output` is written into the answer as it is: once as text for older clients, once as structure. */
function toolResult(output: string, revision: LegacyRevision): string {
  const content = `{"content":[{"type":"text","text":${JSON.stringify(output)}}]`;
  return hasStructuredContent(revision) ? `${content},"structuredContent":${output}}` : `${content}}`;
}

function toolError(sentence: string): string {
  return JSON.stringify({ content: [{ type: 'text', text: sentence }], isError: true });
}

async function readResource(services: HandlerServices, params: JsonObject, request: RequestContext): Promise<string> {
  const resource = requireResource(params);
  await requireAdmission(services, request);
  const text = JSON.stringify(await resource.read({ editor: services.editor, signal: () => request.signal }));
  return JSON.stringify({ contents: [{ uri: resource.uri, mimeType: jsonMimeType, text }] });
}

async function subscribe(services: HandlerServices, params: JsonObject, request: RequestContext): Promise<string> {
  const resource = requireResource(params);
  await requireAdmission(services, request);
  if (!request.signal.aborted) {
    services.subscriptions.add(resource);
  }
  return '{}';
}

async function unsubscribe(services: HandlerServices, params: JsonObject): Promise<string> {
  services.subscriptions.remove(requireResource(params).uri);
  return '{}';
}

function requireResource({ uri }: JsonObject): Resource {
  if (typeof uri !== 'string') {
    throw new RpcError(rpcCode.invalidParams, 'uri must be a string', { parameter: 'uri', reason: 'expected a string' });
  }
  const resource = findResource(uri);
  if (resource === undefined) {
    throw new RpcError(rpcCode.resourceNotFound, 'Resource not found', { uri });
  }
  return resource;
}

async function requireAdmission({ approval }: HandlerServices, request: RequestContext): Promise<void> {
  const refusal = refusalFor(await approval.admit(request), 'reader');
  if (refusal !== undefined) {
    throw new RpcError(rpcCode.internalError, refusal.sentence, { reason: refusal.reason });
  }
}

const rank: Readonly<Record<Role, number>> = { reader: 0, editor: 1, runner: 2 };

interface AdmissionRefusal {
  readonly reason: 'waiting' | 'denied' | 'role';
  readonly sentence: string;
}

function refusalFor(admission: Admission, needed: Role): AdmissionRefusal | undefined {
  switch (admission.kind) {
    case 'waiting':
      return { reason: 'waiting', sentence: waitingSentence };
    case 'denied':
      return { reason: 'denied', sentence: deniedSentence };
    case 'allowed':
      return rank[admission.role] >= rank[needed] ? undefined : { reason: 'role', sentence: `needs the role ${needed}` };
  }
}
