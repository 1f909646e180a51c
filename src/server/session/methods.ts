import { hasCode, isAbort, isAppError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Log } from '../../base/log.ts';
import type { AccessNeed, AccessRefusal } from '../access/clientAccess.ts';
import { jsonMimeType } from '../resources/editorResource.ts';
import type { Catalog, InputRequired, Resource, ResourceContent, Tool, ToolOutcome } from '../catalog/catalog.ts';
import { invalidCursor } from '../tools/cursor.ts';
import type { RequestContext } from './inFlight.ts';
import { badArgumentsAreToolErrors, hasStructuredContent, modernRevision, shapeResult, type Revision } from './revisions.ts';
import { isRpcError, RpcError, rpcCode } from './rpc.ts';

export interface MethodServices {
  readonly catalog: Catalog;
  readonly log: Log;
}

/** Answers with the result as JSON text, in the client's revision. */
export type Method = (params: JsonObject, request: RequestContext) => Promise<string>;

/** The methods both eras share; negotiation, subscriptions and what else differs are added by each. */
export function createMethods(services: MethodServices): ReadonlyMap<string, Method> {
  const { catalog } = services;
  return new Map<string, Method>([
    ['tools/call', (params, request) => callTool(services, params, request)],
    ['tools/list', list('tools/list', () => ({ tools: catalog.tools.map((tool) => tool.listing) }))],
    ['resources/list', list('resources/list', (request) => ({ resources: catalog.listResources(approvedViewer(request)) }))],
    ['resources/templates/list', list('resources/templates/list', () => ({ resourceTemplates: catalog.templates }))],
    ['prompts/list', list('prompts/list', () => ({ prompts: catalog.prompts.map((prompt) => prompt.listing) }))],
    ['prompts/get', () => Promise.reject(new RpcError(rpcCode.invalidParams, 'Unknown prompt'))],
    ['resources/read', (params, request) => readResource(services, params, request)],
  ]);
}

function approvedViewer(request: RequestContext): RequestContext['viewer'] | undefined {
  return request.access.state.kind === 'allowed' ? request.viewer : undefined;
}

function list(method: string, result: (request: RequestContext) => JsonObject): Method {
  return async ({ cursor }, request) => {
    if (cursor !== undefined) {
      // All lists are short enough for one page, so no cursor was ever given out.
      throw invalidCursor();
    }
    return JSON.stringify(shapeResult(method, result(request), request.revision));
  };
}

async function callTool({ catalog, log }: MethodServices, params: JsonObject, request: RequestContext): Promise<string> {
  const tool = catalog.findTool(params.name);
  if (tool === undefined) {
    throw new RpcError(rpcCode.invalidParams, `Unknown tool: ${JSON.stringify(params.name ?? null).slice(0, 100)}`);
  }
  const call = tool.prepare(params.arguments);
  if (call.kind === 'badArguments') {
    return badArguments(tool, call.parameter, call.reason, request.revision);
  }
  try {
    const refusal = await admitCall(tool, params, request);
    return refusal === undefined ? toolResult(await call.run(request), request.revision) : toolError(refusal.sentence);
  } catch (error) {
    if (isRpcError(error)) {
      throw error;
    }
    if (!isAppError(error) && !isAbort(error)) {
      log.error(`The tool ${tool.name} failed.`, error);
    }
    return toolError(isAppError(error) ? error.message : 'The tool failed.');
  }
}

/** A promise only when somebody has to be asked. */
function admitCall(tool: Tool, params: JsonObject, request: RequestContext): Promise<AccessRefusal | undefined> | undefined {
  const need: AccessNeed =
    tool.asks === 'call'
      ? { role: tool.role, confirmsItself: true }
      : { role: tool.role, call: { tool: tool.name, role: tool.role, arguments: JSON.stringify(params.arguments ?? {}) } };
  if (request.access.admitNow(need) !== undefined) {
    return undefined;
  }
  return request.access.admit(need, request).then((admission) => (admission === 'allowed' ? undefined : admission));
}

function badArguments(tool: Tool, parameter: string, reason: string, revision: Revision): string {
  const message = `Invalid arguments for ${tool.name}: ${parameter === '' ? '' : `${parameter}: `}${reason}`;
  if (badArgumentsAreToolErrors(revision)) {
    return toolError(message);
  }
  throw new RpcError(rpcCode.invalidParams, message, { parameter, reason });
}

function toolResult(outcome: ToolOutcome, revision: Revision): string {
  switch (outcome.kind) {
    case 'output':
      return outputText(JSON.stringify(outcome.output), revision);
    case 'result':
      return JSON.stringify(shapeResult('tools/call', outcome.result, revision));
    case 'inputRequired':
      throw notYet(outcome);
  }
}

/** `output` is written into the answer as it is: once as text for older clients, once as structure. */
function outputText(output: string, revision: Revision): string {
  const content = `{"content":[{"type":"text","text":${JSON.stringify(output)}}]`;
  return hasStructuredContent(revision) ? `${content},"structuredContent":${output}}` : `${content}}`;
}

function notYet(_outcome: InputRequired): RpcError {
  return new RpcError(rpcCode.internalError, 'The client cannot be asked.');
}

function toolError(sentence: string): string {
  return JSON.stringify({ content: [{ type: 'text', text: sentence }], isError: true });
}

async function readResource({ catalog }: MethodServices, params: JsonObject, request: RequestContext): Promise<string> {
  const resource = requireResource(catalog, params, request);
  await requireAdmission(resource, request);
  const content = await found(resource.uri, request, async () => resource.read(request));
  if (content.kind === 'inputRequired') {
    throw notYet(content);
  }
  return JSON.stringify({ contents: [{ uri: resource.uri, ...toContents(content) }] });
}

function toContents(content: ResourceContent): JsonObject {
  switch (content.kind) {
    case 'json':
      return { mimeType: jsonMimeType, text: JSON.stringify(content.value) };
    case 'text':
      return { mimeType: content.mimeType, text: content.text };
    case 'blob':
      return { mimeType: content.mimeType, blob: content.base64 };
  }
}

export function requireResource(catalog: Catalog, { uri }: JsonObject, request: RequestContext): Resource {
  if (typeof uri !== 'string') {
    throw new RpcError(rpcCode.invalidParams, 'uri must be a string', { parameter: 'uri', reason: 'expected a string' });
  }
  const resource = catalog.findResource(uri, request.viewer);
  if (resource === undefined) {
    throw resourceNotFound(uri, request.revision);
  }
  return resource;
}

/** What is withheld looks exactly like what is not there. */
export async function found<T>(uri: string, request: RequestContext, look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if (hasCode(error, 'editor.pathNotFound')) {
      throw resourceNotFound(uri, request.revision);
    }
    throw error;
  }
}

function resourceNotFound(uri: string, revision: Revision): RpcError {
  return new RpcError(revision === modernRevision ? rpcCode.invalidParams : rpcCode.resourceNotFound, 'Resource not found', { uri });
}

export async function requireAdmission({ role }: { readonly role: AccessNeed['role'] }, request: RequestContext): Promise<void> {
  const admission = request.access.admitNow({ role }) ?? (await request.access.admit({ role }, request));
  if (admission !== 'allowed') {
    throw new RpcError(rpcCode.internalError, admission.sentence, { reason: admission.reason });
  }
}
