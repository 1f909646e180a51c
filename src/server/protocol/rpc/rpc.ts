// rpc/: JSON-RPC 2.0: what a value is as a message, how answers and failures are written, and where they go.
import { hasCode, isAppError } from '../../../base/errors.ts';
import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import type { Log } from '../../../base/log.ts';

export type RequestId = string | number;

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

/** A failure that goes to the client as a JSON-RPC error. */
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

/** `required` is what the client would have to declare, as a capabilities object. */
export function missingCapability(required: JsonObject): RpcError {
  return new RpcError(rpcCode.missingClientCapability, 'Missing required client capability', { requiredCapabilities: required });
}

/** A limit of the protocol's or the wire's; `isRateLimited` knows it again. */
export function tooManyRequests(): RpcError {
  return new RpcError(rpcCode.internalError, 'too many requests', { reason: 'rateLimited' });
}

/** By name: a bundle, or a test's loader, may carry the class twice. */
export function isRpcError(error: unknown): error is RpcError {
  return error instanceof Error && error.name === 'RpcError';
}

/** Then HTTP says so by its status. */
export function isRateLimited({ data }: RpcErrorBody): boolean {
  return data?.reason === 'rateLimited';
}

export type Inbound =
  | { readonly kind: 'request'; readonly id: RequestId; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'notification'; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'response'; readonly raw: JsonObject }
  | { readonly kind: 'invalid'; readonly id: RequestId | null; readonly reason: string };

const noParams: JsonObject = {};

/** An id is kept until the answer, and goes back in it: those of real clients have a few dozen characters. */
const maxIdLength = 1_000;

/** What one JSON value is as a JSON-RPC message. Everything after this may rely on the shape. */
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

function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' ? value.length <= maxIdLength : Number.isSafeInteger(value);
}

/** It would come back with every sign of progress. */
function hasLongProgressToken(params: JsonObject | undefined): boolean {
  const meta = params?._meta;
  return isJsonObject(meta) && typeof meta.progressToken === 'string' && meta.progressToken.length > maxIdLength;
}

/** `result` is JSON text already: the largest part of an answer is written once. */
export function rpcResultText(id: RequestId, result: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
}

export function rpcErrorText(id: RequestId | null, error: RpcErrorBody): string {
  const { code, message, data } = error;
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } });
}

export function rpcNotificationText(method: string, params?: JsonObject): string {
  return JSON.stringify({ jsonrpc: '2.0', method, ...(params !== undefined && { params }) });
}

/** What became of a delivery. `invalid` carries the JSON-RPC error; over HTTP that is a 400. */
export type Receipt =
  | { readonly kind: 'accepted'; readonly expectsAnswer: boolean }
  | { readonly kind: 'invalid'; readonly id: RequestId | null; readonly text: string };

export const nothingExpected: Receipt = { kind: 'accepted', expectsAnswer: false };
export const answerExpected: Receipt = { kind: 'accepted', expectsAnswer: true };

/** The answer to the first one is still to come. */
export function duplicateId(id: RequestId): Extract<Receipt, { kind: 'invalid' }> {
  return invalidRequest(id, 'a request with this id is still unanswered');
}

export function invalidRequest(id: RequestId | null, reason: string): Extract<Receipt, { kind: 'invalid' }> {
  return { kind: 'invalid', id, text: rpcErrorText(id, { code: rpcCode.invalidRequest, message: `Invalid request: ${reason}` }) };
}

/** What a client is told of a failure: a sentence that was written for it, or nothing. */
export function toRpcError(error: unknown, method: string, log: Log): RpcError {
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

/** Where the answers to one delivery go: a POST, a stream, the other end of a pipe. All texts are JSON. */
export interface ReplySink {
  /**
   * The answer, exactly once, unless `abandon` is called instead. `status` is what HTTP says of it, if that is not 200;
   * other transports have no use for it.
   */
  respond(text: string, status?: number): void;
  /** Something that belongs to the request and comes before its answer. */
  notify(text: string): void;
  /** No answer will come: the client cancelled, or the session is gone. */
  abandon(): void;
}
