import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import { modernRevision } from '../../../contract/protocolNames.ts';
import type { ServerLimits } from '../../access/limits.ts';
import type { Catalog, Tool } from '../../offer/catalog/catalog.ts';
import { hasEnvelope, versionOf } from '../../protocol/modern/envelope.ts';
import { isLegacyRevision } from '../../protocol/requests/revisions.ts';
import { classify, isRpcError, type ReplySink, rpcCode, RpcError, rpcErrorText } from '../../protocol/rpc/rpc.ts';
import type { SessionDirectory } from '../../protocol/sessionDirectory.ts';
import { sendAccepted, sendJson } from '../http/answers.ts';
import { accepts, type Incoming } from '../http/incoming.ts';
import { noPlace, streamOwner, type SseConnection, type StreamHub, type StreamOwner } from './streamHub.ts';

export interface ModernHttpServices {
  readonly directory: SessionDirectory;
  readonly catalog: Catalog;
  readonly hub: StreamHub;
  readonly limits: ServerLimits;
}

/** Whether a request on `/mcp` belongs to the revision without sessions; an `initialize` without an envelope never does. */
export function isModernRequest({ request: { headers } }: Incoming, body: unknown): boolean {
  const method = isJsonObject(body) ? body.method : undefined;
  if (hasEnvelope(body) || method === 'initialize') {
    return hasEnvelope(body);
  }
  return isWithoutSession(headers) || (method === 'server/discover' && headers['mcp-session-id'] === undefined);
}

/**
 * Whether headers are of the revision without sessions. It gives a session id no meaning, so one that is left over from an older
 * revision is ignored. An unknown version without a session is answered in the modern way, which lists the known ones.
 */
export function isWithoutSession(headers: IncomingHttpHeaders): boolean {
  const version = headers['mcp-protocol-version'];
  const isUnknown = version !== undefined && !isLegacyRevision(version);
  return version === modernRevision || (isUnknown && headers['mcp-session-id'] === undefined);
}

/** POST requests of revision 2026-07-28 on `/mcp`: each stands alone, and closing its response cancels it. */
export class ModernHttpEndpoint {
  readonly #services: ModernHttpServices;

  constructor(services: ModernHttpServices) {
    this.#services = services;
  }

  post(incoming: Incoming, body: unknown): void {
    const { response, request, credential } = incoming;
    if (request.socket.destroyed) {
      return; // the client left while the request waited for its turn: it is cancelled before it began
    }
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
    const owner = streamOwner(client, credential);
    if (isListen && !hub.makeRoom(owner)) {
      incoming.refuse(noPlace('streams', limits));
      return;
    }
    const acceptsJson = accepts(request.headers.accept, 'application/json');
    const letPlaceGo = isListen ? keepPlace(incoming, owner, this.#services) : undefined;
    const sink = new ModernPost({ response, owner, hub, acceptsJson, acceptsSse, letPlaceGo });
    const receipt = client.receive(body, sink);
    if (receipt.kind === 'invalid') {
      sendJson(response, 400, receipt.text);
    } else if (!receipt.expectsAnswer) {
      sendAccepted(response);
    } else if (!response.writableEnded) {
      response.once('close', receipt.cancel);
    }
  }

  /** Whether headers and body agree; otherwise the refusal is sent. A body without a version is refused later. */
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

/**
 * Keeps the place of a subscription until its stream opens: the person may be asked first, and others who want a place come meanwhile.
 * Call the returned function to let it go.
 */
function keepPlace(incoming: Incoming, owner: StreamOwner, { hub, limits }: ModernHttpServices): () => void {
  const { response } = incoming;
  const end = (): void => void response.destroy();
  const giveWay = (): void => incoming.refuse(noPlace('streams', limits));
  const letGo = hub.hold({ keepAlive: () => undefined, end, expire: end, giveWay }, owner);
  response.once('close', letGo);
  return letGo;
}

export interface PostOptions {
  readonly response: ServerResponse;
  readonly owner: StreamOwner;
  readonly hub: StreamHub;
  readonly acceptsJson: boolean;
  readonly acceptsSse: boolean;
  /** Lets go of the place that is kept for the stream, if one is. */
  readonly letPlaceGo: (() => void) | undefined;
}

/** The answer to one POST without a session: plain JSON if nothing is sent before it, otherwise a stream that cannot be resumed. */
class ModernPost implements ReplySink {
  readonly #options: PostOptions;
  #stream: SseConnection | undefined;

  constructor(options: PostOptions) {
    this.#options = options;
  }

  respond(text: string, status = 200): void {
    const { response, acceptsJson } = this.#options;
    if (this.#stream === undefined && (acceptsJson || status !== 200)) {
      sendJson(response, status, text);
      return;
    }
    const stream = this.#open();
    stream?.message(text);
    stream?.end();
  }

  notify(text: string): void {
    const { acceptsSse, hub, owner, letPlaceGo } = this.#options;
    if (this.#stream !== undefined || letPlaceGo !== undefined || (acceptsSse && hub.hasRoom(owner))) {
      this.#open()?.message(text);
    }
  }

  abandon(): void {
    this.#options.response.destroy();
  }

  #open(): SseConnection | undefined {
    const { response, owner, hub, letPlaceGo } = this.#options;
    if (this.#stream === undefined && !response.headersSent && !response.destroyed) {
      letPlaceGo?.();
      this.#stream = hub.open(response, owner);
    }
    return this.#stream;
  }
}

/** The parameter that the `Mcp-Name` header repeats, for each method. */
const nameParameter: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

interface Parameter {
  readonly header: string;
  readonly path: readonly string[];
}

const parametersOf = new WeakMap<Tool, readonly Parameter[]>();

/** Checks that the version in the header is that in the body: proxies decide by headers and the server by the body, so they must agree. */
function checkVersionHeader(headers: IncomingHttpHeaders, version: string): void {
  const header = single(headers, 'MCP-Protocol-Version');
  if (header !== version) {
    throw mismatch('MCP-Protocol-Version', header);
  }
}

function checkHeaders(headers: IncomingHttpHeaders, method: string, params: JsonObject, catalog: Catalog): void {
  const given = single(headers, 'Mcp-Method');
  if (given !== method) {
    throw mismatch('Mcp-Method', given);
  }
  const name = params[nameParameter[method] ?? ''];
  if (typeof name === 'string') {
    const header = single(headers, 'Mcp-Name');
    if (header === undefined || decode(header) !== name) {
      throw mismatch('Mcp-Name', header);
    }
  }
  const tool = method === 'tools/call' ? catalog.findTool(params.name) : undefined;
  for (const parameter of tool === undefined ? [] : annotated(tool)) {
    checkParameter(headers, parameter, params.arguments);
  }
}

function checkParameter(headers: IncomingHttpHeaders, { header, path }: Parameter, args: JsonValue | undefined): void {
  const value = path.reduce<JsonValue | undefined>((inner, key) => (isJsonObject(inner) ? inner[key] : undefined), args);
  const given = single(headers, header);
  if (value === undefined || value === null) {
    if (given !== undefined) {
      throw mismatch(header, given);
    }
    return;
  }
  const text = given === undefined ? undefined : decode(given);
  if (text === undefined || !isSame(text, value)) {
    throw mismatch(header, given);
  }
}

function isSame(text: string, value: JsonValue): boolean {
  if (typeof value === 'number') {
    return text.trim() !== '' && Number(text) === value;
  }
  return text === (typeof value === 'string' ? value : JSON.stringify(value));
}

/** The parameters of a tool that clients repeat in headers. As the revision demands, they are found through `properties` only. */
function annotated(tool: Tool): readonly Parameter[] {
  let known = parametersOf.get(tool);
  if (known === undefined) {
    known = collect(tool.listing.inputSchema, []);
    parametersOf.set(tool, known);
  }
  return known;
}

function collect(schema: JsonValue | undefined, path: readonly string[]): readonly Parameter[] {
  if (!isJsonObject(schema) || !isJsonObject(schema.properties)) {
    return [];
  }
  return Object.entries(schema.properties).flatMap(([key, property]) => {
    const own = isJsonObject(property) ? property['x-mcp-header'] : undefined;
    const here = typeof own === 'string' ? [{ header: `Mcp-Param-${own}`, path: [...path, key] }] : [];
    return [...here, ...collect(property, [...path, key])];
  });
}

function single(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name.toLowerCase()];
  return Array.isArray(value) ? value.join(', ') : value;
}

const sentinel = /^=\?base64\?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/;

/** Decodes the value of a header; returns `undefined` for what no conforming client sends. */
function decode(value: string): string | undefined {
  if (!/^[\t\x20-\x7e]*$/.test(value)) {
    return undefined;
  }
  if (!value.startsWith('=?base64?') || !value.endsWith('?=')) {
    return value;
  }
  const encoded = sentinel.exec(value)?.[1];
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString();
}

function mismatch(header: string, given: string | undefined): RpcError {
  const problem = given === undefined ? 'is missing' : 'does not match the body';
  return new RpcError(rpcCode.headerMismatch, `Header mismatch: ${header} ${problem}`);
}
