// rpc/: JSON-RPC 2.0: what kind of message a value is, how answers and failures are written, and where they are sent.
import { hasCode, isAppError } from '../../../base/errors.ts';
import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import type { Log } from '../../../base/log.ts';
import { asToldToClients } from '../../errors/serverErrors.ts';

export type RpcId = string | number;

export const rpcCode = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  resourceNotFound: -32002,
  headerMismatch: -32020,
  missingClientCapability: -32021,
  unsupportedProtocolVersion: -32022,
} as const;

export interface RpcErrorBody {
  readonly code: number;
  readonly message: string;
  readonly data?: JsonObject | undefined;
}

/** A failure that is sent to the client as a JSON-RPC error. */
export class RpcError extends Error implements RpcErrorBody {
  readonly code: number;
  readonly data: JsonObject | undefined;

  constructor(code: number, message: string, data?: JsonObject) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
  }
}

/** The error for a capability that the client did not declare; `required` is a capabilities object. */
export function missingCapability(required: JsonObject): RpcError {
  return new RpcError(rpcCode.missingClientCapability, 'Missing required client capability', { requiredCapabilities: required });
}

/** The error for too many requests; `isRateLimited` recognizes it. */
export function tooManyRequests(): RpcError {
  return new RpcError(rpcCode.internalError, 'too many requests', { reason: 'rateLimited' });
}

/** Recognizes the error by its name, because a bundle or a test loader may contain the class twice. */
export function isRpcError(error: unknown): error is RpcError {
  return error instanceof Error && error.name === 'RpcError';
}

/** Whether an error is about a rate limit; HTTP then has the status 429. */
export function isRateLimited({ data }: RpcErrorBody): boolean {
  return data?.reason === 'rateLimited';
}

export type Inbound =
  | { readonly kind: 'request'; readonly id: RpcId; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'notification'; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'response'; readonly raw: JsonObject }
  | { readonly kind: 'invalid'; readonly id: RpcId | null; readonly reason: string };

const noParams: JsonObject = {};

/** The longest request id: it is kept until the answer and sent back in it. Ids of real clients have a few dozen characters. */
const maxIdLength = 1_000;

/** Says which JSON-RPC message a JSON value is. All later code may rely on its shape. */
export function classify(value: unknown): Inbound {
  if (!isJsonObject(value)) {
    return { kind: 'invalid', id: null, reason: 'a message is an object' };
  }
  const { id, method, params } = value;
  const readableId = isRequestId(id) ? id : null;
  if (value.jsonrpc !== '2.0') {
    return { kind: 'invalid', id: readableId, reason: 'jsonrpc must be "2.0"' };
  }
  if (method === undefined) {
    const isResponse = readableId !== null && (isJsonObject(value.result) || isJsonObject(value.error));
    return isResponse ? { kind: 'response', raw: value } : { kind: 'invalid', id: readableId, reason: 'neither a method nor a response' };
  }
  if (typeof method !== 'string') {
    return { kind: 'invalid', id: readableId, reason: 'method must be a string' };
  }
  if (params !== undefined && !isJsonObject(params)) {
    return { kind: 'invalid', id: readableId, reason: 'params must be an object' };
  }
  if (id === undefined) {
    return { kind: 'notification', method, params: params ?? noParams };
  }
  if (readableId === null) {
    return { kind: 'invalid', id: null, reason: `id must be an integer or a string of at most ${maxIdLength} characters` };
  }
  return hasLongProgressToken(params)
    ? { kind: 'invalid', id: readableId, reason: `progressToken is longer than ${maxIdLength} characters` }
    : { kind: 'request', id: readableId, method, params: params ?? noParams };
}

function isRequestId(value: unknown): value is RpcId {
  return typeof value === 'string' ? value.length <= maxIdLength : Number.isSafeInteger(value);
}

/** Whether the progress token is too long: it is sent back with every progress notification. */
function hasLongProgressToken(params: JsonObject | undefined): boolean {
  const meta = params?._meta;
  return isJsonObject(meta) && typeof meta.progressToken === 'string' && meta.progressToken.length > maxIdLength;
}

/** Writes an answer. `result` is JSON text, so that the largest part of an answer is serialized only once. */
export function rpcResultText(id: RpcId, result: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
}

export function rpcErrorText(id: RpcId | null, error: RpcErrorBody): string {
  const { code, message, data } = error;
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } });
}

export function rpcNotificationText(method: string, params?: JsonObject): string {
  return JSON.stringify({ jsonrpc: '2.0', method, ...(params !== undefined && { params }) });
}

/** What became of a received body. `invalid` carries the JSON-RPC error, which is a 400 over HTTP. */
export type Receipt =
  | { readonly kind: 'accepted'; readonly expectsAnswer: boolean }
  | { readonly kind: 'invalid'; readonly id: RpcId | null; readonly text: string };

export const nothingExpected: Receipt = { kind: 'accepted', expectsAnswer: false };
export const answerExpected: Receipt = { kind: 'accepted', expectsAnswer: true };

/** Refuses a request whose id is that of an unanswered one. */
export function duplicateId(id: RpcId): Extract<Receipt, { kind: 'invalid' }> {
  return invalidRequest(id, 'a request with this id is still unanswered');
}

export function invalidRequest(id: RpcId | null, reason: string): Extract<Receipt, { kind: 'invalid' }> {
  return { kind: 'invalid', id, text: rpcErrorText(id, { code: rpcCode.invalidRequest, message: `Invalid request: ${reason}` }) };
}

/** Refuses a message beyond the rate limit: a request is told so, and a notification dropped. */
export function refuseLimited(message: Inbound, sink: ReplySink): Receipt {
  switch (message.kind) {
    case 'invalid':
      return invalidRequest(message.id, message.reason);
    case 'request':
      sink.respond(rpcErrorText(message.id, tooManyRequests()), 429);
      return answerExpected;
    case 'notification':
    case 'response':
      return nothingExpected;
  }
}

/** The error that a client is told: a sentence that was written for clients, or "Internal error". */
export function toRpcError(failure: unknown, method: string, log: Log): RpcError {
  const error = asToldToClients(failure);
  if (isRpcError(error)) {
    return error;
  }
  if (isAppError(error)) {
    if (hasCode(error, 'server.invalidCursor')) {
      return new RpcError(rpcCode.invalidParams, error.message, error.args);
    }
    return new RpcError(rpcCode.internalError, error.message);
  }
  log.error(`${method} failed.`, error);
  return new RpcError(rpcCode.internalError, 'Internal error');
}

/** Where the answers to one received body go: an HTTP response, a stream or an in-memory link. All texts are JSON. */
export interface ReplySink {
  /**
   * Sends the answer. It is called exactly once, unless `abandon` is called instead. `status` is the HTTP status if it is not 200;
   * other transports ignore it.
   */
  respond(text: string, status?: number): void;
  /** Sends a message that belongs to the request and comes before its answer. */
  notify(text: string): void;
  /** Says that no answer will come, because the client cancelled or the session has ended. */
  abandon(): void;
}
