import { isAppError } from '../../../base/errors.ts';
import type { JsonObject } from '../../../base/json.ts';
import { modernRevision } from '../../../contract/protocolNames.ts';
import { maxPathLength } from '../../../platform/paths/clientPath.ts';
import type { AccessNeed } from '../../access/clientAccess.ts';
import { asToldToClients, isNotFound } from '../../errors/serverErrors.ts';
import type { Catalog, Resource, ResourceContent } from '../../offer/catalog/catalog.ts';
import { jsonMimeType } from '../../offer/resources/editorResource.ts';
import type { RequestContext } from '../requests/inFlight.ts';
import { type Revision, shapeResult } from '../requests/revisions.ts';
import { rpcCode, RpcError } from '../rpc/rpc.ts';
import { refusalOf } from './callRecords.ts';
import { resourceSeenBy } from './lists.ts';

/** The reason for refusing a long text of a client; the text is neither looked up nor returned. */
export const tooLong = `longer than ${maxPathLength} characters`;

export async function readResource(catalog: Catalog, params: JsonObject, request: RequestContext): Promise<string> {
  const resource = requireResource(catalog, params, request);
  await requireAdmission({ ...resource, countsAsAct: resource.server !== undefined }, request);
  for (;;) {
    const content = await found(resource.uri, request, async () => resource.read(request));
    if (content.kind !== 'inputRequired') {
      const contents = content.kind === 'contents' ? content.contents : [{ uri: resource.uri, ...toContents(content) }];
      return JSON.stringify(shapeResult('resources/read', { contents }, request.revision));
    }
    const answer = await request.gatherInput(content);
    if (answer !== undefined) {
      return answer;
    }
  }
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
  if (uri.length > maxPathLength) {
    throw new RpcError(rpcCode.invalidParams, 'uri is too long', { parameter: 'uri', reason: tooLong });
  }
  const resource = resourceSeenBy(uri, request, catalog);
  if (resource === undefined) {
    throw resourceNotFound(uri, request.revision);
  }
  return resource;
}

/** Turns errors into "not found", so that what is withheld looks exactly like what does not exist. */
export async function found<T>(uri: string, request: RequestContext, look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if (isNotFound(error)) {
      throw resourceNotFound(uri, request.revision);
    }
    throw toRefusal(error);
  }
}

/** What is refused at the gate of another server, or still waits there, is an error with its reason. */
export function toRefusal(failure: unknown): unknown {
  const error = asToldToClients(failure);
  if (!isAppError(error)) {
    return error;
  }
  const reason = refusalOf(error);
  return new RpcError(rpcCode.internalError, error.message, reason && { reason });
}

function resourceNotFound(uri: string, revision: Revision): RpcError {
  return new RpcError(revision === modernRevision ? rpcCode.invalidParams : rpcCode.resourceNotFound, 'Resource not found', { uri });
}

/** Admits a request that is no tool call; a refusal is thrown as a JSON-RPC error with its reason. */
export async function requireAdmission(
  {
    role,
    uri,
    paths,
    server,
    countsAsAct,
  }: Pick<AccessNeed, 'role' | 'paths' | 'server' | 'countsAsAct'> & { readonly uri?: string | undefined },
  request: RequestContext,
): Promise<void> {
  // What another server has is asked about where it is read.
  const need: AccessNeed = { role, resource: uri, paths, server, countsAsAct, confirmsItself: server !== undefined };
  const admission = request.access.admitNow(need) ?? (await request.access.admit(need, request));
  if (admission !== 'allowed') {
    throw new RpcError(rpcCode.internalError, admission.sentence, { reason: admission.reason });
  }
}
