import { hasCode, isAbort, isAppError } from '../../../base/errors.ts';
import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import type { Log } from '../../../base/log.ts';
import type { AccessNeed, AccessRefusal } from '../../access/clientAccess.ts';
import type { Catalog, PreparedCall, Tool, ToolOutcome, ToolOutput } from '../../offer/catalog/catalog.ts';
import { asToldToClients } from '../../errors/serverErrors.ts';
import { CallRecord, type CallRecords } from './callRecords.ts';
import type { RequestContext } from '../requests/inFlight.ts';
import { badArgumentsAreToolErrors, hasStructuredContent, shapeContent, shapeResult, type Revision } from '../requests/revisions.ts';
import { isRpcError, rpcCode, RpcError, toRpcError } from '../rpc/rpc.ts';

export interface MethodServices {
  readonly catalog: Catalog;
  /** The audit log; without it nothing is recorded. */
  readonly records?: CallRecords | undefined;
  readonly log: Log;
}

type ReadyCall = Extract<PreparedCall, { kind: 'ready' }>;

export function callTool(services: MethodServices, sent: JsonObject, request: RequestContext): Promise<string> | string {
  const named = services.catalog.findTool(sent.name, request.viewer);
  if (named === undefined) {
    throw new RpcError(rpcCode.invalidParams, `Unknown tool: ${JSON.stringify(sent.name ?? null).slice(0, 100)}`);
  }
  const meant = named.standsFor?.(sent.arguments, request.viewer);
  if (meant?.kind === 'badArguments') {
    return badArguments(named, meant.parameter, meant.reason, request.revision);
  }
  const { tool, params } =
    meant === undefined ? { tool: named, params: sent } : { tool: meant.tool, params: { ...sent, arguments: meant.arguments } };
  const asking = isShort(params.arguments, { room: shortArguments }) ? undefined : request.access.letIn(tool, request);
  return asking === undefined ? callReadTool(services, tool, params, request) : callOnceLetIn(asking, services, tool, params, request);
}

/** How much short arguments may have: characters, and a hundred for each value. */
const shortArguments = 10_000;

/** Whether arguments cost nothing to speak of; a mistake in them is then said at once, and nobody is asked about the client for it. */
function isShort(value: unknown, left: { room: number }): boolean {
  left.room -= 100 + (typeof value === 'string' ? value.length : 0);
  const isObject = typeof value === 'object' && value !== null;
  return left.room >= 0 && (!isObject || Object.values(value).every((member) => isShort(member, left)));
}

/** Calls a tool with long arguments for a client that nobody has let in yet. Until then they are neither read nor recorded. */
async function callOnceLetIn(
  asking: Promise<AccessRefusal | undefined>,
  services: MethodServices,
  tool: Tool,
  params: JsonObject,
  request: RequestContext,
): Promise<string> {
  let refusal: AccessRefusal | undefined;
  const record = recordOf(services, tool, {}, request);
  try {
    refusal = await asking;
  } catch (error) {
    record.failed(error);
    return toolFailure(services, tool, error);
  }
  if (refusal === undefined) {
    return callReadTool(services, tool, params, request);
  }
  record.refused(refusal);
  return refusedText(refusal);
}

function callReadTool(services: MethodServices, tool: Tool, sent: JsonObject, request: RequestContext): Promise<string> | string {
  const call = tool.prepare(sent.arguments);
  if (call.kind === 'badArguments') {
    return badArguments(tool, call.parameter, call.reason, request.revision);
  }
  const params = isJsonObject(call.renamed) ? { ...sent, arguments: call.renamed } : sent;
  if (tool.taskSupport === undefined && params.task === undefined) {
    return runTool(services, tool, call, params, request);
  }
  return callTaskTool(services, tool, call, params, request);
}

async function callTaskTool(
  services: MethodServices,
  tool: Tool,
  call: ReadyCall,
  params: JsonObject,
  request: RequestContext,
): Promise<string> {
  const start = request.taskFor(tool, params);
  if (start === undefined) {
    return runTool(services, tool, call, params, request);
  }
  // Input that is needed before anything begins is asked for in this request; the task asks for the rest.
  try {
    const answer = await gather(services, tool, call, params, request);
    if (answer !== undefined) {
      return answer;
    }
  } catch (error) {
    return toolFailure(services, tool, error);
  }
  return start(async (task) => runTool(services, tool, call, params, task));
}

/** Runs a tool, and answers at once if nobody has to be asked and the tool does not wait, as with most tools that only look. */
function runTool(
  services: MethodServices,
  tool: Tool,
  call: ReadyCall,
  params: JsonObject,
  request: RequestContext,
): Promise<string> | string {
  const record = recordOf(services, tool, params, request);
  const fail = (error: unknown): string => {
    record.failed(error);
    return toolFailure(services, tool, error);
  };
  try {
    const asking = admitCall(tool, call.paths, params, request);
    const result = asking === undefined && !tool.acts ? goOn(call, record, request) : admitted(asking, tool, call, record, request);
    return typeof result === 'string' ? result : result.catch(fail);
  } catch (error) {
    return fail(error);
  }
}

async function admitted(
  asking: ReturnType<typeof admitCall>,
  tool: Tool,
  call: ReadyCall,
  record: CallRecord,
  request: RequestContext,
): Promise<string> {
  const refusal = await asking;
  if (refusal !== undefined) {
    record.refused(refusal);
    return refusedText(refusal);
  }
  if (tool.acts) {
    await record.begins();
  }
  return goOn(call, record, request);
}

function goOn(call: ReadyCall, record: CallRecord, request: RequestContext): Promise<string> | string {
  const outcome = call.gather === undefined ? call.run(request) : undefined;
  if (outcome === undefined || outcome instanceof Promise || outcome.kind === 'inputRequired') {
    return goOnAsking(outcome, call, record, request);
  }
  return endedText(outcome, record, request);
}

/** Runs a call until it needs no more input. `begun` is its first outcome; `undefined` if the client has to be asked first. */
async function goOnAsking(
  begun: ReturnType<ReadyCall['run']> | undefined,
  call: ReadyCall,
  record: CallRecord,
  request: RequestContext,
): Promise<string> {
  const early = begun === undefined ? await gatherAll(call, request) : undefined;
  if (early !== undefined) {
    return early;
  }
  for (let outcome = await (begun ?? call.run(request)); ; outcome = await call.run(request)) {
    if (outcome.kind !== 'inputRequired') {
      return endedText(outcome, record, request);
    }
    const answer = await request.gatherInput(outcome);
    if (answer !== undefined) {
      return answer;
    }
  }
}

function endedText(outcome: Exclude<ToolOutcome, { kind: 'inputRequired' }>, record: CallRecord, request: RequestContext): string {
  const isError = outcome.kind === 'result' && outcome.result.isError === true;
  record.ended(isError ? 'failed' : 'succeeded', outcome.kind === 'output' ? outcome.output : undefined);
  return toolResult(outcome, request.revision);
}

/** Asks for input before a task is made. A client that may not call the tool is refused at once. */
async function gather(
  services: MethodServices,
  tool: Tool,
  call: ReadyCall,
  params: JsonObject,
  request: RequestContext,
): Promise<string | undefined> {
  if (call.gather === undefined) {
    return undefined;
  }
  const refusal = await admitCall(tool, call.paths, params, request);
  if (refusal === undefined) {
    return gatherAll(call, request);
  }
  recordOf(services, tool, params, request).refused(refusal);
  return refusedText(refusal);
}

function recordOf({ records }: MethodServices, tool: Tool, params: JsonObject, { viewer }: RequestContext): CallRecord {
  const { name: subject, acts, server } = tool;
  const call = { action: 'callTool', subject, arguments: params.arguments, acts, isOfOtherServer: server !== undefined } as const;
  return new CallRecord(records, call, viewer);
}

async function gatherAll(call: ReadyCall, request: RequestContext): Promise<string | undefined> {
  for (let required = call.gather?.(request); required !== undefined; required = call.gather?.(request)) {
    const answer = await request.gatherInput(required);
    if (answer !== undefined) {
      return answer;
    }
  }
  return undefined;
}

/** Turns an error within a tool into a tool result. */
function toolFailure({ log }: MethodServices, tool: Tool, failure: unknown): string {
  const error = asToldToClients(failure);
  if (isRpcError(error) || hasCode(error, 'server.invalidCursor')) {
    throw toRpcError(error, tool.name, log);
  }
  if (!isAppError(error) && !isAbort(error)) {
    log.error(`The tool ${tool.name} failed.`, error);
  }
  return toolError(isAppError(error) ? error.message : 'The tool failed.');
}

/** Checks whether the client may call the tool; returns a promise only if somebody has to be asked. */
function admitCall(
  tool: Tool,
  paths: readonly string[],
  params: JsonObject,
  request: RequestContext,
): Promise<AccessRefusal | undefined> | undefined {
  const { role, name } = tool;
  const need: AccessNeed = { role, tool, paths, confirmsItself: tool.asks === 'call' };
  if (request.access.admitNow(need) !== undefined) {
    return undefined;
  }
  // Arguments can be large, so they are serialized only if a person is asked.
  const shown = tool.asks === 'call' ? undefined : { tool: name, role, arguments: JSON.stringify(params.arguments ?? {}) };
  return request.access.admit({ ...need, call: shown }, request).then((admission) => (admission === 'allowed' ? undefined : admission));
}

/** A refusal by the person, the role or the policy is a tool result; one by a rate limit is an error of the transport. */
function refusedText({ reason, sentence }: AccessRefusal): string {
  if (reason === 'rateLimited') {
    throw new RpcError(rpcCode.internalError, sentence, { reason });
  }
  return toolError(sentence);
}

function badArguments(tool: Tool, parameter: string, reason: string, revision: Revision): string {
  const message = `Invalid arguments for ${tool.name}: ${parameter === '' ? '' : `${parameter}: `}${reason}`;
  if (badArgumentsAreToolErrors(revision)) {
    return toolError(message);
  }
  throw new RpcError(rpcCode.invalidParams, message, { parameter, reason });
}

function toolResult(outcome: Exclude<ToolOutcome, { kind: 'inputRequired' }>, revision: Revision): string {
  return outcome.kind === 'output' ? outputText(outcome, revision) : JSON.stringify(shapeResult('tools/call', outcome.result, revision));
}

/** Writes the answer as text: an output can be large, so it is serialized only once. */
function outputText({ output, structure = JSON.stringify(output), toText, attached = [] }: ToolOutput, revision: Revision): string {
  const isStructured = hasStructuredContent(revision);
  const text = isStructured ? (toText?.() ?? structure) : structure;
  const blocks = attached.map((block) => `,${JSON.stringify(shapeContent(block, revision))}`);
  const content = `{"content":[{"type":"text","text":${JSON.stringify(text)}}${blocks.join('')}]`;
  return isStructured ? `${content},"structuredContent":${structure}}` : `${content}}`;
}

export function toolError(sentence: string): string {
  return JSON.stringify({ content: [{ type: 'text', text: sentence }], isError: true });
}
