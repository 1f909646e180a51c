import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { readDefinitions } from '../../definitions/readDefinitions.ts';
import { normaliseName, readServerName } from '../../definitions/serverNames.ts';
import type { DefinitionProblem } from '../../definitions/serverDefinition.ts';

export type PastedServers =
  /** At least one server, by its name. */
  | { readonly kind: 'named'; readonly servers: JsonObject }
  /** A definition without a name. */
  | { readonly kind: 'single'; readonly definition: JsonObject }
  | { readonly kind: 'notJson' }
  | { readonly kind: 'noServers' }
  /** The first problem that makes one of the servers unusable. */
  | { readonly kind: 'invalid'; readonly problem: DefinitionProblem };

/** Reads what people copy from a README or another host's file: with or without a wrapper, one server or several. */
export function readPastedServers(text: string): PastedServers {
  const value = parseLoosely(text);
  if (!isJsonObject(value)) {
    return { kind: value === undefined ? 'notJson' : 'noServers' };
  }
  const servers = unwrap(value);
  if (typeof servers['command'] === 'string' || typeof servers['url'] === 'string') {
    const problem = firstError({ server: servers });
    return problem === undefined ? { kind: 'single', definition: servers } : { kind: 'invalid', problem };
  }
  if (Object.keys(servers).length === 0) {
    return { kind: 'noServers' };
  }
  const problem = firstError(servers);
  return problem === undefined ? { kind: 'named', servers } : { kind: 'invalid', problem };
}

/** Parses JSON with the usual mistakes of pasted text: comments on lines of their own, too many commas, no outer braces. */
function parseLoosely(text: string): unknown {
  const tidy = text
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/,(\s*[}\]])/g, '$1')
    .replace(/,\s*$/, '');
  for (const candidate of [text, tidy, `{${tidy}}`]) {
    try {
      return JSON.parse(candidate) as unknown;
    } catch {
      // The next candidate may parse.
    }
  }
  return undefined;
}

/**
 * Takes the servers out of what stands around them: Claude Desktop and Cursor write `mcpServers`, VS Code `servers` or `mcp:
 * {servers}`, our own settings `duplex.mcpServers`.
 */
function unwrap(value: JsonObject): JsonObject {
  for (const key of ['mcpServers', 'servers', 'mcp', 'duplex.mcpServers']) {
    const inner = value[key];
    if (isJsonObject(inner) && typeof inner['command'] !== 'string' && typeof inner['url'] !== 'string') {
      return unwrap(inner);
    }
  }
  return value;
}

function firstError(servers: JsonObject): DefinitionProblem | undefined {
  return readDefinitions([{ scope: 'user', value: servers, location: '' }]).problems.find(({ severity }) => severity === 'error');
}

export type NameProblem = 'empty' | 'reserved' | 'taken' | 'notAllowed';

/**
 * Why a server cannot have this name. A name that is taken in the same place would replace another server; all other rules are
 * those of the definitions.
 */
export function problemOfServerName(name: string, taken: readonly string[]): NameProblem | undefined {
  if (name.trim() === '') {
    return 'empty';
  }
  if (taken.map(normaliseName).includes(normaliseName(name))) {
    return 'taken';
  }
  const { problems } = readDefinitions([{ scope: 'user', value: { [name]: { command: 'x' } }, location: '' }]);
  const code = problems.find(({ severity }) => severity === 'error')?.code;
  return code === undefined ? undefined : code === 'definitions.reservedName' ? 'reserved' : 'notAllowed';
}

/** Suggests a name for a server: the package, program or host that its definition names. */
export function suggestedName(definition: JsonValue | undefined): string {
  const { command, args, url } = isJsonObject(definition) ? definition : {};
  if (typeof url === 'string') {
    return URL.canParse(url) ? new URL(url).hostname.replace(/^(www|mcp|api)\./, '').split('.')[0] || 'remote' : 'remote';
  }
  const words = Array.isArray(args) ? args.filter((arg): arg is string => typeof arg === 'string' && !arg.startsWith('-')) : [];
  const word = words.find((each) => each !== 'run' && each !== 'exec') ?? (typeof command === 'string' ? command : '');
  const last = word.split(/[\\/]/).at(-1) ?? '';
  const name = last
    .replace(/@[\w.-]+$/, '')
    .replace(/\.(m?[jt]s|py|exe|cmd)$/, '')
    .replace(/^(mcp-)?server-|-mcp(-server)?$/g, '');
  return readServerName(name).kind === 'name' ? name : 'server';
}
