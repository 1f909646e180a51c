import { isJsonObject, type JsonObject, parsedJson } from '../base/json.ts';
import { isTooDeep } from '../base/jsonText.ts';
import { metaKey } from '../contract/protocolNames.ts';

export type RequestId = string | number;

export interface RpcRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
}

const noParams: JsonObject = {};

export const code = { invalidRequest: -32600, invalidParams: -32602, internalError: -32603, unsupportedVersion: -32022 } as const;

/**
 * Parses a line or frame; a batch becomes its items. What is no object becomes an empty one, which is no message either. The result is
 * `undefined` for what is no JSON, or nests deeper than any honest message.
 */
export function parseMessages(text: string): { readonly items: readonly JsonObject[]; readonly isBatch: boolean } | undefined {
  const value = isTooDeep(text) ? undefined : parsedJson(text);
  if (value === undefined) {
    return undefined;
  }
  const items = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  return { items: items.map((item) => (isJsonObject(item) ? item : {})), isBatch: Array.isArray(value) };
}

/** Says why a window would refuse a value as no message, in its words; `undefined` if it would not. */
export function problemWith({ jsonrpc, id, method, params, result, error }: JsonObject): string | undefined {
  if (jsonrpc !== '2.0') {
    return 'jsonrpc must be "2.0"';
  }
  if (method === undefined) {
    const isResponse = isSoundId(id) && (isJsonObject(result) || isJsonObject(error));
    return isResponse ? undefined : 'neither a method nor a response';
  }
  if (typeof method !== 'string') {
    return 'method must be a string';
  }
  if (params !== undefined && !isJsonObject(params)) {
    return 'params must be an object';
  }
  return id === undefined || isSoundId(id) ? undefined : `id must be an integer or a string of at most ${maxIdLength} characters`;
}

/** The answer to what is no message, or is none at this moment. */
export function invalidText({ id }: JsonObject, reason: string): string {
  return errorText(isSoundId(id) ? id : null, code.invalidRequest, `Invalid request: ${reason}`);
}

export function toRequest({ id, method, params }: JsonObject): RpcRequest | undefined {
  return isId(id) && typeof method === 'string' ? { id, method, params: isJsonObject(params) ? params : noParams } : undefined;
}

/** The id that a response answers. */
export function answeredId({ id, method }: JsonObject): RequestId | undefined {
  return method === undefined && isId(id) ? id : undefined;
}

/** The id that a `notifications/cancelled` is about. */
export function cancelledId({ id: ownId, method, params }: JsonObject): RequestId | undefined {
  const id = method === 'notifications/cancelled' && ownId === undefined && isJsonObject(params) ? params.requestId : undefined;
  return isId(id) ? id : undefined;
}

export function metaOf(params: JsonObject): JsonObject {
  return isJsonObject(params._meta) ? params._meta : noParams;
}

/** Whether a request belongs to the protocol revision without sessions. */
export function isModern({ method, params }: RpcRequest): boolean {
  return method === 'server/discover' || metaOf(params)[metaKey.protocolVersion] !== undefined;
}

export function resultText(id: RequestId, result: JsonObject): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result });
}

export function errorText(id: RequestId | null, errorCode: number, message: string, data?: JsonObject): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: errorCode, message, ...(data !== undefined && { data }) } });
}

export function notificationText(method: string, params?: JsonObject): string {
  return JSON.stringify({ jsonrpc: '2.0', method, ...(params !== undefined && { params }) });
}

/** The JSON on one line: it has line breaks only between its parts, where they mean nothing. */
export function onOneLine(text: string): string {
  return /[\r\n]/.test(text) ? JSON.stringify(JSON.parse(text)) : text;
}

function isId(value: unknown): value is RequestId {
  return typeof value === 'string' || typeof value === 'number';
}

/** The longest request id that a window takes. */
const maxIdLength = 1_000;

function isSoundId(value: unknown): value is RequestId {
  return typeof value === 'string' ? value.length <= maxIdLength : Number.isSafeInteger(value);
}
