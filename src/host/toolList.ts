import { isJsonObject, type JsonObject } from '../base/json.ts';
import type { Log } from '../base/log.ts';
import { iconsOf } from './shared/icons.ts';
import { hostError } from './shared/hostErrors.ts';
import { isWithinMeasure, ListWeight } from './shared/listWeight.ts';
import type { Client } from './shared/sdk.ts';
import type { ToolInfo } from './shared/serverState.ts';
import { matchesWildcard } from './wildcard.ts';

const maxPages = 100;
const maxTools = 2_000;

export interface ToolFilter {
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
}

/** All pages, with an end: a server whose pages never end is failed, not followed. */
export async function listTools(client: Client, options: { timeout: number; signal: AbortSignal }): Promise<readonly JsonObject[]> {
  if (client.getServerCapabilities()?.tools === undefined) {
    return [];
  }
  const tools: JsonObject[] = [];
  const weight = new ListWeight('tools');
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const result = await client.request({ method: 'tools/list', ...(cursor === undefined ? {} : { params: { cursor } }) }, options);
    for (const tool of result.tools) {
      const plain: unknown = tool;
      if (isJsonObject(plain)) {
        // One that is too large is left out later, and told of; until then nothing of it is kept.
        const kept = isWithinMeasure(plain) ? plain : {};
        weight.add(kept);
        tools.push(kept);
      }
    }
    cursor = result.nextCursor;
    if (tools.length > maxTools) {
      throw hostError('host.tooManyTools', { limit: maxTools });
    }
    if (cursor === undefined) {
      return tools;
    }
  }
  throw hostError('host.endlessList', { what: 'tools' });
}

/** What is usable of a server's list: each name once, within measure, and not left out by the person. */
export function readTools(raw: readonly JsonObject[], filter: ToolFilter | undefined, log: Log, origin?: string): readonly ToolInfo[] {
  const tools = new Map<string, ToolInfo>();
  for (const each of raw) {
    const tool = readTool(each, origin);
    if (tool === undefined) {
      log.warn('A tool was left out: its definition is too large, too deep or has no name.');
    } else if (tools.has(tool.name)) {
      log.warn(`The server lists the tool “${tool.name}” twice; the first one is used.`);
    } else if (isWanted(tool.name, filter)) {
      tools.set(tool.name, tool);
    }
  }
  return [...tools.values()];
}

function readTool(raw: JsonObject, origin: string | undefined): ToolInfo | undefined {
  const { name, title, description, inputSchema, outputSchema, annotations, execution, icons } = raw;
  if (typeof name !== 'string' || name === '' || !isWithinMeasure(raw)) {
    return undefined;
  }
  return {
    name,
    title: typeof title === 'string' ? title : undefined,
    description: typeof description === 'string' ? description : '',
    inputSchema: isJsonObject(inputSchema) ? inputSchema : { type: 'object' },
    outputSchema: isJsonObject(outputSchema) ? outputSchema : undefined,
    annotations: isJsonObject(annotations) ? annotations : undefined,
    ...taskSupportOf(execution),
    ...iconsOf(icons, origin),
  };
}

function taskSupportOf(execution: unknown): Pick<ToolInfo, 'taskSupport'> {
  const taskSupport = isJsonObject(execution) ? execution['taskSupport'] : undefined;
  return taskSupport === 'optional' || taskSupport === 'required' ? { taskSupport } : {};
}

function isWanted(name: string, filter: ToolFilter | undefined): boolean {
  const isIncluded = filter?.include?.some((pattern) => matchesWildcard(name, pattern)) ?? true;
  return isIncluded && !(filter?.exclude?.some((pattern) => matchesWildcard(name, pattern)) ?? false);
}
