import type { JsonObject } from '../../base/json.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import { ModelToolNames, type ToolForModel } from '../shared/modelTools.ts';
import type { ServerSnapshot, ToolInfo } from '../shared/serverState.ts';
import { extrasFor } from './passedOn.ts';

/** A tool of an offered server, as clients are told of it. */
export interface ListedTool {
  /** At most 64 characters of `a-z A-Z 0-9 _ -`, unique over all servers; it never comes to mean another tool. */
  readonly name: string;
  readonly serverId: string;
  readonly tool: string;
  /** The entry in `tools/list`, for the newest revision. */
  readonly listing: JsonObject;
  /** The server's name and label. */
  readonly server: readonly string[];
  readonly taskSupport?: 'optional' | undefined;
}

/** Lists the tools of offered servers. What a server says of them stays its claim, and every description says whose tool it is. */
export class OfferedTools {
  readonly #names = new ModelToolNames();
  #made: { readonly of: readonly ToolForModel[]; readonly tools: readonly ListedTool[] } | undefined;

  /** Lists the tools. The array stays the same one as long as the servers list the same. */
  list(servers: readonly ServerSnapshot[]): readonly ListedTool[] {
    const named = this.#names.name(servers);
    if (this.#made?.of !== named) {
      const byId = new Map(servers.map((server) => [server.id, server]));
      const tools = named.flatMap((tool) => {
        const server = byId.get(tool.serverId);
        const info = server?.tools.find(({ name }) => name === tool.tool);
        return server === undefined || info === undefined ? [] : [toListed(tool, server, info)];
      });
      this.#made = { of: named, tools };
    }
    return this.#made.tools;
  }
}

function toListed(tool: ToolForModel, server: ServerSnapshot, info: ToolInfo): ListedTool {
  const { title, outputSchema, annotations } = info;
  // A tool that must be a task for Duplex may be an ordinary call for its clients: Duplex follows the task.
  const taskSupport = info.taskSupport === undefined ? undefined : 'optional';
  return {
    name: tool.name,
    serverId: tool.serverId,
    tool: tool.tool,
    server: [...new Set([server.name, server.label])],
    taskSupport,
    listing: {
      name: tool.name,
      ...(title !== undefined && { title: revealInvisible(title) }),
      description: `[Server “${revealInvisible(server.label)}”] ${tool.description}`,
      inputSchema: tool.inputSchema,
      ...(outputSchema !== undefined && { outputSchema }),
      ...(annotations !== undefined && { annotations }),
      ...extrasFor(info),
      ...(taskSupport !== undefined && { execution: { taskSupport } }),
    },
  };
}
