import * as z from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { Log } from '../../base/log.ts';
import { iconsOf } from '../shared/icons.ts';
import { readAllPages } from '../intake/listReading.ts';
import type { Client } from '../shared/sdk.ts';
import type { ToolApp, ToolInfo } from '../shared/serverState.ts';

/** The door has looked at each tool already; the SDK's own check of a list takes long. */
const anyList = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

export interface ToolFilter {
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
}

/** Reads all pages of the tool list. A list that never ends fails the server. */
export async function listTools(client: Client, options: { timeout: number; signal: AbortSignal }): Promise<readonly JsonObject[]> {
  if (client.getServerCapabilities()?.tools === undefined) {
    return [];
  }
  return readAllPages('tools', async (cursor) => {
    const { tools, nextCursor } = await client.request(
      { method: 'tools/list', ...(cursor === undefined ? {} : { params: { cursor } }) },
      anyList,
      options,
    );
    return { items: tools, nextCursor };
  });
}

/** The usable tools of a server's list: each name once, and none that the person excluded. */
export function readTools(raw: readonly JsonObject[], filter: ToolFilter | undefined, log: Log, origin?: string): readonly ToolInfo[] {
  const tools = new Map<string, ToolInfo>();
  for (const each of raw) {
    const tool = readTool(each, origin);
    if (tool === undefined) {
      log.warn('A tool was left out: it has no name.');
    } else if (tools.has(tool.name)) {
      log.warn(`The server lists the tool “${tool.name}” twice; the first one is used.`);
    } else if (isWanted(tool.name, filter)) {
      tools.set(tool.name, tool);
    }
  }
  return [...tools.values()];
}

function readTool(raw: JsonObject, origin: string | undefined): ToolInfo | undefined {
  const { name, title, description, inputSchema, outputSchema, annotations, execution, icons, _meta } = raw;
  if (typeof name !== 'string' || name === '') {
    return undefined;
  }
  const app = appOfTool(_meta);
  return {
    name,
    title: typeof title === 'string' ? title : undefined,
    description: typeof description === 'string' ? description : '',
    inputSchema: isJsonObject(inputSchema) ? inputSchema : { type: 'object' },
    outputSchema: isJsonObject(outputSchema) ? outputSchema : undefined,
    annotations: isJsonObject(annotations) ? annotations : undefined,
    ...taskSupportOf(execution),
    ...(app !== undefined && { app }),
    ...iconsOf(icons, origin),
    ...(isJsonObject(_meta) && { meta: _meta }),
  };
}

/** The most characters of the address of a tool's page; a tool with a longer one has no page. */
const maxUriLength = 2_000;

/**
 * What a tool declares about its page. Only the address and who may call the tool count here; everything else must come with the page.
 * The older flat member `ui/resourceUri` is read as well. An empty or unreadable list of callers means nobody, not everybody.
 */
export function appOfTool(meta: unknown): ToolApp | undefined {
  if (!isJsonObject(meta)) {
    return undefined;
  }
  const ui = isJsonObject(meta['ui']) ? meta['ui'] : {};
  const uri = pageAddress(ui['resourceUri']) ?? pageAddress(meta['ui/resourceUri']);
  const { visibility } = ui;
  if (uri === undefined && visibility === undefined) {
    return undefined;
  }
  const callers: readonly unknown[] = visibility === undefined ? ['model', 'app'] : Array.isArray(visibility) ? visibility : [];
  return { uri, isForModel: callers.includes('model'), isForApp: callers.includes('app') };
}

function pageAddress(value: unknown): string | undefined {
  return typeof value === 'string' && value.startsWith('ui://') && value.length <= maxUriLength ? value : undefined;
}

function taskSupportOf(execution: unknown): Pick<ToolInfo, 'taskSupport'> {
  const taskSupport = isJsonObject(execution) ? execution['taskSupport'] : undefined;
  return taskSupport === 'optional' || taskSupport === 'required' ? { taskSupport } : {};
}

function isWanted(name: string, filter: ToolFilter | undefined): boolean {
  const isIncluded = filter?.include?.some((pattern) => matchesWildcard(name, pattern)) ?? true;
  return isIncluded && !(filter?.exclude?.some((pattern) => matchesWildcard(name, pattern)) ?? false);
}

/**
 * Matches a pattern in which `*` stands for any characters and `?` for one. It walks both texts once instead of building a
 * regular expression: repositories write these patterns, and `*a*a*a*b` as an expression takes for ever.
 */
export function matchesWildcard(text: string, pattern: string): boolean {
  let at = 0;
  let patternAt = 0;
  let star = -1;
  let starText = 0;
  while (at < text.length) {
    const expected = pattern[patternAt];
    if (expected === '*') {
      star = patternAt;
      starText = at;
      patternAt += 1;
    } else if (expected === '?' || (expected !== undefined && expected === text[at])) {
      at += 1;
      patternAt += 1;
    } else if (star !== -1) {
      starText += 1;
      at = starText;
      patternAt = star + 1;
    } else {
      return false;
    }
  }
  return /^\**$/.test(pattern.slice(patternAt));
}

const annotation = 'x-mcp-header';
const permittedTypes = new Set<unknown>(['string', 'integer', 'boolean']);
/** The characters of a header name (RFC 9110, section 5.1). */
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Keywords below which each name stands for a schema of its own, as below `properties`. */
const namedSchemas = new Set(['patternProperties', 'dependentSchemas', '$defs', 'definitions']);
/** Keywords whose values are data; the annotation means nothing inside them. */
const data = new Set(['const', 'default', 'enum', 'examples', 'required']);

/**
 * Drops tools with faulty header annotations. Revision 2026-07-28 sends annotated parameters also as headers, and forbids
 * the use of a tool whose annotations break its rules: such a header could be forged or lost on the way.
 */
export function withoutInvalidHeaders(tools: readonly JsonObject[], log: Log): readonly JsonObject[] {
  return tools.filter(({ name, inputSchema }) => {
    const fault = isJsonObject(inputSchema) ? headerFault(inputSchema) : undefined;
    if (fault !== undefined) {
      log.warn(`The tool “${typeof name === 'string' ? name : ''}” was left out: ${fault}.`);
    }
    return fault === undefined;
  });
}

/** What is wrong with the annotations of a schema; undefined when nothing is. */
export function headerFault(inputSchema: JsonObject): string | undefined {
  return faultIn(inputSchema, { isRoot: true, isReachable: true, seen: new Set() });
}

interface Place {
  readonly isRoot: boolean;
  /** Whether the schema is reached through `properties` only. Elsewhere it would be unclear which value is meant. */
  readonly isReachable: boolean;
  /** The header names so far, in lower case: headers ignore case. */
  readonly seen: Set<string>;
}

function faultIn(schema: JsonObject, place: Place): string | undefined {
  const own = annotation in schema ? faultOf(schema, place) : undefined;
  if (own !== undefined) {
    return own;
  }
  for (const [key, value] of Object.entries(schema)) {
    if (data.has(key)) {
      continue;
    }
    const isReachable = place.isReachable && key === 'properties';
    const children = key === 'properties' || namedSchemas.has(key) ? valuesOf(value) : [value].flat();
    for (const child of children.filter(isJsonObject)) {
      const fault = faultIn(child, { isRoot: false, isReachable, seen: place.seen });
      if (fault !== undefined) {
        return fault;
      }
    }
  }
  return undefined;
}

function faultOf(schema: JsonObject, { isRoot, isReachable, seen }: Place): string | undefined {
  const name = schema[annotation];
  if (isRoot || !isReachable) {
    return `${annotation} stands where no single parameter is meant`;
  }
  if (typeof name !== 'string' || !headerName.test(name)) {
    return `${annotation} is not the name of a header`;
  }
  if (!permittedTypes.has(schema['type'])) {
    return `${annotation} stands at a parameter that is no text, whole number or truth value`;
  }
  if (seen.has(name.toLowerCase())) {
    return `${annotation} names the same header twice`;
  }
  seen.add(name.toLowerCase());
  return undefined;
}

function valuesOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isJsonObject(value) ? Object.values(value).filter((each) => each !== undefined) : [];
}
