import { hasCode, isAppError } from '../../../base/errors.ts';
import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import { maxPathLength } from '../../../platform/paths/clientPath.ts';
import { isNotFound } from '../../errors/serverErrors.ts';
import type { Catalog, Completion, CompletionRequest } from '../../offer/catalog/catalog.ts';
import { promptResource } from './lists.ts';
import { requireAdmission, tooLong, toRefusal } from './resourceMethods.ts';
import type { RequestContext } from '../requests/inFlight.ts';
import { shapeResult } from '../requests/revisions.ts';
import { RpcError, rpcCode } from '../rpc/rpc.ts';

/** Prompts need the lowest role, because they embed what resources show. */
const reader = { role: 'reader' } as const;
/** The most values of a completion. */
const maxCompletions = 100;

export async function getPrompt(catalog: Catalog, params: JsonObject, request: RequestContext): Promise<string> {
  const prompt = catalog.findPrompt(params.name, request.viewer);
  if (prompt === undefined) {
    throw new RpcError(rpcCode.invalidParams, `Unknown prompt: ${JSON.stringify(params.name ?? null).slice(0, 100)}`);
  }
  const args = strings(params.arguments, 'arguments');
  const need = prompt.server === undefined ? reader : { role: 'runner' as const, server: prompt.server, countsAsAct: true };
  await requireAdmission({ ...need, uri: promptResource(prompt.name), paths: args.path === undefined ? [] : [args.path] }, request);
  for (;;) {
    const outcome = await withBadArguments(() => prompt.get(args, request));
    if (!isInputRequired(outcome)) {
      return JSON.stringify(shapeResult('prompts/get', outcome, request.revision));
    }
    const answer = await request.gatherInput(outcome);
    if (answer !== undefined) {
      return answer;
    }
  }
}

export async function complete(catalog: Catalog, params: JsonObject, request: RequestContext): Promise<string> {
  const wanted = toCompletionRequest(params);
  if (wanted.ref.kind === 'prompt' && catalog.findPrompt(wanted.ref.name, request.viewer) === undefined) {
    throw invalid('ref', 'unknown prompt');
  }
  await requireAdmission(reader, request);
  const { values, total, hasMore } = await completed(catalog, wanted, request);
  const completion = {
    values: values.slice(0, maxCompletions),
    ...(total !== undefined && { total }),
    hasMore: hasMore ?? values.length > maxCompletions,
  };
  return JSON.stringify({ completion });
}

async function completed(catalog: Catalog, wanted: CompletionRequest, request: RequestContext): Promise<Completion> {
  try {
    return await catalog.complete(wanted, request);
  } catch (error) {
    throw toRefusal(error);
  }
}

function toCompletionRequest({ ref, argument, context }: JsonObject): CompletionRequest {
  if (!isJsonObject(argument) || typeof argument.name !== 'string' || typeof argument.value !== 'string') {
    throw invalid('argument', 'expected name and value');
  }
  const { name, value } = argument;
  refuseLong('argument', [name, value]);
  const filled = isJsonObject(context) ? strings(context.arguments, 'context.arguments') : {};
  return { ref: toReference(ref), argument: { name, value }, context: filled };
}

function toReference(ref: unknown): CompletionRequest['ref'] {
  if (isJsonObject(ref) && ref.type === 'ref/prompt' && typeof ref.name === 'string') {
    return { kind: 'prompt', name: ref.name };
  }
  if (isJsonObject(ref) && ref.type === 'ref/resource' && typeof ref.uri === 'string') {
    return { kind: 'resource', uri: ref.uri };
  }
  throw invalid('ref', 'expected a reference to a prompt or a resource template');
}

function strings(value: unknown, parameter: string): Readonly<Record<string, string>> {
  if (value === undefined) {
    return {};
  }
  if (!isJsonObject(value) || Object.values(value).some((each) => typeof each !== 'string')) {
    throw invalid(parameter, 'expected an object of strings');
  }
  refuseLong(parameter, Object.entries(value).flat());
  return value as Readonly<Record<string, string>>;
}

/** Refuses long texts: arguments are names and paths, and searching or returning megabytes would hold others up. */
function refuseLong(parameter: string, texts: readonly unknown[]): void {
  if (texts.some((text) => typeof text === 'string' && text.length > maxPathLength)) {
    throw invalid(parameter, tooLong);
  }
}

async function withBadArguments<T>(get: () => Promise<T>): Promise<T> {
  try {
    return await get();
  } catch (error) {
    if (isAppError(error) && (hasCode(error, 'server.badPromptArguments') || isNotFound(error))) {
      throw new RpcError(rpcCode.invalidParams, error.message, { reason: error.message, ...error.args });
    }
    throw toRefusal(error);
  }
}

function isInputRequired(
  outcome: object,
): outcome is Extract<Awaited<ReturnType<NonNullable<ReturnType<Catalog['findPrompt']>>['get']>>, { kind: 'inputRequired' }> {
  return 'kind' in outcome && outcome.kind === 'inputRequired';
}

function invalid(parameter: string, reason: string): RpcError {
  return new RpcError(rpcCode.invalidParams, `Invalid parameters: ${parameter}: ${reason}`, { parameter, reason });
}
