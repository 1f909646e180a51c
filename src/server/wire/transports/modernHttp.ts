import type { ServerLimits } from '../../access/limits.ts';
import { isJsonObject } from '../../../base/json.ts';
import type { Incoming } from '../http/incoming.ts';
import { accepts } from '../http/requestBody.ts';
import { isLegacyRevision } from '../../protocol/requests/revisions.ts';
import { classify, isRpcError, rpcCode, rpcErrorText } from '../../protocol/rpc/rpc.ts';
import type { Catalog } from '../../offer/catalog/catalog.ts';
import type { SessionDirectory } from '../../protocol/sessionDirectory.ts';
import { sendJson } from '../http/jsonAnswer.ts';
import { noPlace } from './places.ts';
import { sendAccepted } from './postExchange.ts';
import { ownerOf, type StreamHub } from './streamHub.ts';
import { hasEnvelope, versionOf } from '../../protocol/modern/envelope.ts';
import { checkHeaders, checkVersionHeader } from './modernHeaders.ts';
import { ModernPost } from './modernPost.ts';

export interface ModernHttpServices {
  readonly directory: SessionDirectory;
  readonly catalog: Catalog;
  readonly hub: StreamHub;
  readonly limits: ServerLimits;
}

/** Whether a request on `/mcp` is of the revision without sessions; an `initialize` without its envelope never is. */
export function isModernRequest({ request }: Incoming, body: unknown): boolean {
  if (hasEnvelope(body)) {
    return true;
  }
  const { headers } = request;
  if (headers['mcp-session-id'] !== undefined || !isJsonObject(body) || body.method === 'initialize') {
    return false;
  }
  return body.method === 'server/discover' || isModernHeader(headers['mcp-protocol-version']);
}

/** An unknown version is answered in the newest way: that one tells which are known. */
export function isModernHeader(version: unknown): boolean {
  return version !== undefined && !isLegacyRevision(version);
}

/** POSTs of 2026-07-28 on `/mcp`: each stands alone, and closing its answer cancels it. */
export class ModernHttpEndpoint {
  readonly #services: ModernHttpServices;

  constructor(services: ModernHttpServices) {
    this.#services = services;
  }

  post(incoming: Incoming, body: unknown): void {
    const { response, request, credential } = incoming;
    const message = classify(body);
    if (message.kind === 'request' && !this.#passesHeaders(incoming, message)) {
      return;
    }
    const { hub, directory, limits } = this.#services;
    const acceptsSse = accepts(request.headers.accept, 'text/event-stream');
    const isListen = message.kind === 'request' && message.method === 'subscriptions/listen';
    if (isListen && !acceptsSse) {
      incoming.refuse({ status: 406 });
      return;
    }
    const client = directory.stateless(credential);
    const owner = ownerOf(client, credential);
    if (isListen && !hub.makeRoom(owner)) {
      incoming.refuse(noPlace('streams', limits));
      return;
    }
    const acceptsJson = accepts(request.headers.accept, 'application/json');
    const sink = new ModernPost({ response, owner, hub, acceptsJson, acceptsSse });
    const receipt = client.receive(body, sink);
    if (receipt.kind === 'invalid') {
      sendJson(response, 400, receipt.text);
    } else if (!receipt.expectsAnswer) {
      sendAccepted(response);
    } else if (!response.writableEnded) {
      response.once('close', receipt.cancel);
    }
  }

  /** Headers and body must agree before anything is done. A body without a version is refused for that, later. */
  #passesHeaders({ request, response }: Incoming, message: Extract<ReturnType<typeof classify>, { kind: 'request' }>): boolean {
    try {
      const version = versionOf(message.params);
      if (version !== undefined) {
        checkVersionHeader(request.headers, version);
        checkHeaders(request.headers, message.method, message.params, this.#services.catalog);
      }
      return true;
    } catch (error) {
      const failure = isRpcError(error) ? error : { code: rpcCode.internalError, message: 'Internal error' };
      sendJson(response, 400, rpcErrorText(message.id, failure));
      return false;
    }
  }
}
