import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { secretMark } from '../base/secretMark.ts';
import { httpScript, stdioScript } from './scriptTexts.ts';

/** A text whose secret parts are read from variables of the environment. */
export type ScriptText = readonly (string | { readonly variable: string })[];

/** Whom a script talks to. */
export type ScriptTarget =
  | {
      readonly kind: 'stdio';
      readonly command: ScriptText;
      readonly args: readonly ScriptText[];
      /** Null takes a variable away. */
      readonly env: Readonly<Record<string, ScriptText | null>>;
      /** Which variables the program gets of whoever runs the script. */
      readonly inherited: readonly string[];
      /** What the paths below are relative to. */
      readonly base: string;
      readonly cwd: ScriptText;
      readonly envFile?: ScriptText | undefined;
    }
  | { readonly kind: 'http'; readonly url: ScriptText; readonly headers: Readonly<Record<string, ScriptText>> };

const versionKey = 'io.modelcontextprotocol/protocolVersion';
const maxNameLength = 60;

/**
 * A program for plain Node that makes one request once more and prints the answer. `request` is as it is shown: where a
 * secret was, the program reads a variable and says its name when it is not set. Every text of others becomes a literal.
 */
export function exchangeScript(target: ScriptTarget, request: JsonObject): string {
  const params = isJsonObject(request['params']) ? request['params'] : {};
  const meta = isJsonObject(params['_meta']) ? params['_meta'] : {};
  const { method } = request;
  const version = meta[versionKey];
  // Without sessions a request stands alone; `initialize` is one itself.
  const isAlone = typeof version === 'string' || method === 'initialize';
  const written = { request: literalOf(request, '', new Map()), isAlone };
  if (target.kind === 'stdio') {
    return stdioScript({
      ...written,
      command: textOf(target.command),
      args: `[${target.args.map(textOf).join(', ')}]`,
      env: membersOf(target.env),
      inherited: JSON.stringify(target.inherited),
      base: JSON.stringify(target.base),
      cwd: textOf(target.cwd),
      envFile: target.envFile && textOf(target.envFile),
    });
  }
  const name = params['name'] ?? params['uri'] ?? params['taskId'];
  const mirrored = {
    'MCP-Protocol-Version': [typeof version === 'string' ? version : ''],
    'Mcp-Method': [typeof method === 'string' ? method : ''],
    ...(typeof name === 'string' && { 'Mcp-Name': partsOf(name, () => 'MCP_NAME') }),
  };
  return httpScript({ ...written, url: textOf(target.url), headers: membersOf({ ...target.headers, ...(isAlone && mirrored) }) });
}

/** A text with marks where its secrets were; `nameOf` says how each is called. */
export function partsOf(text: string, nameOf: (index: number) => string): ScriptText {
  return text
    .split(secretMark)
    .flatMap((part, index) => [...(index === 0 ? [] : [{ variable: nameOf(index) }]), ...(part === '' ? [] : [part])]);
}

/** A name that every shell takes. */
export function variableName(text: string): string {
  const name = text
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z\d]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .toUpperCase()
    .slice(0, maxNameLength);
  return /^[A-Z]/.test(name) ? name : `SECRET_${name}`;
}

/** As a literal of JavaScript: JSON is one. `names` holds how often each name was given. */
function literalOf(value: JsonValue | undefined, name: string, names: Map<string, number>): string {
  if (typeof value === 'string') {
    return textOf(partsOf(value, () => freeName(variableName(name), names)));
  }
  if (Array.isArray(value)) {
    return `[${value.map((item: JsonValue) => literalOf(item, name, names)).join(', ')}]`;
  }
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(([key, member]) => `[${JSON.stringify(key)}]: ${literalOf(member, key, names)}`);
    return `{ ${members.join(', ')} }`;
  }
  return JSON.stringify(value ?? null);
}

function freeName(wanted: string, names: Map<string, number>): string {
  const count = (names.get(wanted) ?? 0) + 1;
  names.set(wanted, count);
  return count === 1 ? wanted : `${wanted}_${count}`;
}

function membersOf(members: Readonly<Record<string, ScriptText | null>>): string {
  return `{ ${Object.entries(members)
    .map(([name, text]) => `[${JSON.stringify(name)}]: ${text === null ? 'undefined' : textOf(text)}`)
    .join(', ')} }`;
}

function textOf(parts: ScriptText): string {
  const written = parts.map((part) => (typeof part === 'string' ? JSON.stringify(part) : `secret(${JSON.stringify(part.variable)})`));
  return written.length === 0 ? '""' : written.join(' + ');
}
