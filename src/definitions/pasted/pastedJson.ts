import { parse, type ParseError, printParseErrorCode } from 'jsonc-parser/lib/esm/main.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { isTooDeep } from '../../base/jsonText.ts';
import { remoteDefinition, stdioDefinition } from '../../contract/definitionSchemas.ts';
import { type PastedServers, type PastedServer, pasteProblem } from './pastedServers.ts';

/** Whether a text is meant to be JSON: an object, a comment before one, or a member of one such as `"name": {`. */
export function looksLikeJson(text: string): boolean {
  return /^(?:[{[]|\/[/*]|"[^"]{0,200}"\s*:)/.test(text);
}

/** Reads servers from JSON as READMEs, settings and other programs have it: with comments, with or without what is around them. */
export function readPastedJson(text: string): PastedServers {
  const value = parseLoosely(text);
  if (!isJsonObject(value)) {
    throw pasteProblem('paste.noServers');
  }
  return serversIn(value);
}

/**
 * Parses JSON with the usual differences of pasted text: comments, commas too many, no outer braces, and all on one line, where
 * a comment would hide everything behind it.
 */
function parseLoosely(text: string): unknown {
  if (isTooDeep(text)) {
    throw pasteProblem('paste.notJson', { mistake: 'TooDeep', near: text.slice(0, 20) });
  }
  const plain = text.includes('\n') ? text : withoutFlatComments(text);
  const isFragment = /^(?:\s|\/\/[^\n]*\n|\/\*[^*]*\*\/)*"/.test(plain);
  const [whole = '', errors] = isFragment ? parsed(`{${plain}\n}`) : parsed(plain);
  const [first] = errors;
  if (first !== undefined) {
    const near = plain.slice(Math.max(0, first.offset - 10), first.offset + 15).trim();
    throw pasteProblem('paste.notJson', { mistake: printParseErrorCode(first.error), near: near === '' ? plain.slice(-20).trim() : near });
  }
  return whole;
}

function parsed(text: string): readonly [value: unknown, errors: readonly ParseError[]] {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  return [value, errors];
}

/** Takes out comments whose line breaks were lost, as in a text box of one line: such a comment ends before the next member or bracket. */
function withoutFlatComments(text: string): string {
  let plain = '';
  for (let index = 0; index < text.length;) {
    const [string] = text[index] === '"' ? (matchAt(/"(?:[^"\\]|\\.)*"/y, text, index) ?? []) : [];
    if (string !== undefined) {
      plain += string;
      index += string.length;
    } else if (text.startsWith('//', index)) {
      commentEnd.lastIndex = index;
      index = commentEnd.exec(text)?.index ?? text.length;
    } else {
      plain += text[index] ?? '';
      index += 1;
    }
  }
  return plain;
}

const commentEnd = /"[^"]{0,200}"\s{0,20}:|[{}\]]/g;

export function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(text);
}

/** Where other programs keep their servers: Claude and Cursor, VS Code, Zed, Codex, and our own settings. */
const wrappers = ['mcpServers', 'servers', 'context_servers', 'mcp_servers', 'mcp', 'duplex.mcpServers', 'mcp.servers', 'settings'];

function serversIn(value: JsonObject): PastedServers {
  if (isDefinition(value)) {
    return { servers: [toServer(value, typeof value['name'] === 'string' ? value['name'] : undefined)], inputs: inputsIn(value) };
  }
  const key = [...wrappers, ...Object.keys(value).filter((each) => /[.]mcpServers$/.test(each))].find((each) => isJsonObject(value[each]));
  const inner = key === undefined ? undefined : value[key];
  if (isJsonObject(inner) && !isDefinition(inner)) {
    const { servers, inputs = [] } = serversIn(inner);
    return { servers, inputs: [...inputsIn(value), ...inputs] };
  }
  const members = Object.entries(value).filter(([name, member]) => isJsonObject(member) && !name.startsWith('$'));
  return { servers: members.map(([name, member]) => toServer(member as JsonObject, name)), inputs: inputsIn(value) };
}

function inputsIn(value: JsonObject): readonly JsonValue[] {
  return [value['inputs'], value['duplex.inputs']].flatMap((list) => (Array.isArray(list) ? (list as readonly JsonValue[]) : []));
}

const addressFields = ['url', 'serverUrl', 'httpUrl', 'endpoint'];

/** Whether an object is the definition of one server, and not servers by their names. */
function isDefinition(value: JsonObject): boolean {
  const { command } = value;
  return (
    typeof command === 'string' ||
    Array.isArray(command) ||
    (isJsonObject(command) && typeof command['path'] === 'string') ||
    addressFields.some((field) => typeof value[field] === 'string')
  );
}

/** Puts the definition of another program into our form. What means nothing here is left out; above all what would allow calls unasked. */
function toServer(raw: JsonObject, name: string | undefined): PastedServer {
  const usual = withUsualFields(raw);
  const known = new Set(Object.keys(('command' in usual ? stdioDefinition() : remoteDefinition()).shape));
  const entries = Object.entries(usual).filter(([, value]) => value !== undefined);
  return {
    name,
    definition: Object.fromEntries(entries.filter(([key]) => known.has(key))),
    leftOut: entries.map(([key]) => key).filter((key) => !known.has(key) && !saysNothing.has(key)),
  };
}

/** The definition of another program in our form. */
export function inOurForm(raw: JsonObject): JsonObject {
  return toServer(raw, undefined).definition;
}

/** Fields that other programs have for themselves, and that nobody misses. */
const saysNothing = new Set(['name', 'description', 'gallery', 'version', 'icon', 'source', 'enabled', 'inputs', '$schema', 'transport']);

function withUsualFields(raw: JsonObject): JsonObject {
  const { command, args, env, environment, enabled, tools, timeout, type, transport, serverUrl, httpUrl, endpoint, ...others } = raw;
  const [program, ...programArgs] = Array.isArray(command) ? (command as readonly JsonValue[]) : [command];
  const zed = isJsonObject(program) ? program : undefined;
  const allArgs = [...programArgs, ...listOf(zed?.['args']), ...listOf(args)];
  const url = others['url'] ?? serverUrl ?? httpUrl ?? endpoint;
  const isLocal = command !== undefined;
  return {
    ...(isLocal ? { command: zed === undefined ? program : zed['path'] } : {}),
    ...(allArgs.length === 0
      ? {}
      : { args: withVariables(allArgs.map((each) => (typeof each === 'number' ? String(each) : (each ?? null)))) }),
    ...withValue('env', withVariables(env ?? environment ?? zed?.['env'])),
    ...others,
    ...withValue('type', isLocal ? localType(type) : remoteType(type ?? transport ?? (httpUrl === undefined ? undefined : 'http'))),
    ...withValue('url', isLocal ? undefined : withVariables(url)),
    ...withValue('headers', withVariables(others['headers'])),
    ...withValue('disabled', others['disabled'] ?? (enabled === false ? true : undefined)),
    ...withValue('timeout', typeof timeout === 'number' && timeout < 1_000 ? timeout * 1_000 : timeout),
    ...withValue('tools', Array.isArray(tools) ? (tools.includes('*') ? undefined : { include: tools }) : tools),
  };
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : value === undefined ? [] : [value];
}

function withValue(key: string, value: JsonValue | undefined): JsonObject {
  return value === undefined ? {} : { [key]: value };
}

function localType(type: JsonValue | undefined): JsonValue | undefined {
  return type === 'stdio' || type === 'local' ? undefined : type;
}

/** The names that other programs have for a transport, and ours. */
const transports = new Map([
  ...['streamable-http', 'streamableHttp', 'streamable_http'].map((name) => [name, 'http'] as const),
  ['websocket', 'ws'],
  ['remote', undefined],
]);

/** The transport by its name here. */
export function remoteType<T extends JsonValue | undefined>(type: T): T | string | undefined {
  return typeof type === 'string' && transports.has(type) ? transports.get(type) : type;
}

/** Variables as Claude Code writes them, `${NAME}` and `${NAME:-default}`, in our form. */
function withVariables<T extends JsonValue | undefined>(value: T): T {
  if (typeof value === 'string') {
    return value.replace(/\$\{([A-Za-z_]\w{0,200})(?::-([^}]{0,2000}))?\}/g, (whole, name: string, otherwise: string | undefined) =>
      ownVariables.includes(name) ? whole : (otherwise ?? variableOf(name)),
    ) as T;
  }
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).map((each) => withVariables(each)) as unknown as T;
  }
  return isJsonObject(value) ? (Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withVariables(each)])) as T) : value;
}

const ownVariables = ['workspaceFolder', 'userHome'];

/** The variable of a shell in our form. */
export function variableOf(name: string): string {
  return name === 'HOME' ? '${userHome}' : name === 'PWD' || name === 'workspaceRoot' ? '${workspaceFolder}' : `\${env:${name}}`;
}
