import type { IncomingHttpHeaders } from 'node:http';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import type { Catalog, Tool } from '../../offer/catalog/catalog.ts';
import { RpcError, rpcCode } from '../../protocol/rpc/rpc.ts';

/** Where each method's `Mcp-Name` stands in its parameters. */
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

/** Proxies decide by the headers and the server by the body: they must say the same, or the request is refused. */
export function checkVersionHeader(headers: IncomingHttpHeaders, version: string): void {
  const header = single(headers, 'MCP-Protocol-Version');
  if (header !== version) {
    throw mismatch('MCP-Protocol-Version', header);
  }
}

export function checkHeaders(headers: IncomingHttpHeaders, method: string, params: JsonObject, catalog: Catalog): void {
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

/** Properties that a client mirrors, found by `properties` alone as the revision demands. */
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

/** `undefined` for what no conforming client sends. */
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
