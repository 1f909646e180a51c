import type { PickableTool } from '../../contract/chat/toolChoice.ts';

export interface PickableServer {
  readonly serverId: string;
  readonly server: string;
  readonly tools: readonly PickableTool[];
  /** How many of all its tools are not left out. */
  readonly included: number;
  readonly total: number;
  readonly tokens: number;
}

/** The tools that hold every word of what is looked for, under their servers. Counts are of all tools of a server. */
export function findPickable(tools: readonly PickableTool[], wanted: string): readonly PickableServer[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const servers = new Map<string, PickableTool[]>();
  for (const tool of tools) {
    const of = servers.get(tool.serverId) ?? [];
    of.push(tool);
    servers.set(tool.serverId, of);
  }
  return [...servers].flatMap(([serverId, all]) => {
    const found = all.filter((tool) => words.every((word) => textOf(tool).includes(word)));
    const kept = all.filter(({ choice }) => choice !== 'leftOut');
    const tokens = kept.reduce((sum, each) => sum + each.tokens, 0);
    const server = all[0]?.server ?? '';
    return found.length === 0 ? [] : [{ serverId, server, tools: found, included: kept.length, total: all.length, tokens }];
  });
}

function textOf({ server, tool, description }: PickableTool): string {
  return `${server} ${tool} ${description}`.toLowerCase();
}
