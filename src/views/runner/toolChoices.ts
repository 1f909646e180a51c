import type { ToolKey } from '../../contract/chat/contextBudget.ts';
import type { KnownTool } from '../../host/byHand/knownTools.ts';
import { claimsOf } from '../../host/tools/callRequest.ts';
import type { ServerSnapshot } from '../../host/shared/serverState.ts';

/** A row in Run Tool's list. */
export type ToolListRow =
  /** Stands above the tools of one server, or, without one, above those that were used last. */
  | { readonly kind: 'heading'; readonly server: ServerSnapshot | undefined }
  | { readonly kind: 'tool'; readonly server: ServerSnapshot; readonly tool: KnownTool }
  /** A server whose tools are not known before it runs. */
  | { readonly kind: 'server'; readonly server: ServerSnapshot };

/** How many recently used tools the list shows; more would push everything else out of sight. */
const maxRecent = 8;

/**
 * Orders the rows of the list: tools that were used last, then those of running servers, of the editor itself, and of servers
 * that would be started.
 */
export function toolChoices(
  servers: readonly ServerSnapshot[],
  knownTools: (serverId: string) => readonly KnownTool[],
  recent: readonly ToolKey[],
): ToolListRow[] {
  const usable = servers.filter(isUsable).sort((one, other) => placeOf(one) - placeOf(other));
  const toolsOf = (server: ServerSnapshot): readonly KnownTool[] =>
    isReady(server)
      ? server.tools.map(({ annotations, ...tool }) => ({ ...tool, claims: claimsOf(annotations ?? {}) }))
      : knownTools(server.id);
  const all = usable.map((server) => ({ server, tools: toolsOf(server) }));
  const first = recent
    .flatMap(({ serverId, tool: name }) =>
      all
        .filter(({ server }) => server.id === serverId)
        .flatMap(({ server, tools }) =>
          tools.filter((tool) => tool.name === name).map((tool) => ({ kind: 'tool', server, tool }) as const),
        ),
    )
    .slice(0, maxRecent);
  const isFirst = (server: ServerSnapshot, tool: KnownTool): boolean => first.some((each) => each.server === server && each.tool === tool);
  const rest = all.flatMap(({ server, tools }): ToolListRow[] => {
    const others = tools.filter((tool) => !isFirst(server, tool)).map((tool) => ({ kind: 'tool', server, tool }) as const);
    const rows: ToolListRow[] = tools.length === 0 && !isReady(server) ? [{ kind: 'server', server }] : others;
    return rows.length === 0 ? [] : [{ kind: 'heading', server }, ...rows];
  });
  return first.length === 0 ? rest : [{ kind: 'heading', server: undefined }, ...first, ...rest];
}

function placeOf(server: ServerSnapshot): number {
  return isReady(server) ? (server.scope === 'builtIn' ? 1 : 0) : 2;
}

function isReady({ state }: ServerSnapshot): boolean {
  return state.kind === 'ready';
}

/** Whether tools of the server can be run: not when it is disabled, or is this window itself. */
function isUsable({ state }: ServerSnapshot): boolean {
  return state.kind !== 'stopped' || (state.reason !== 'disabled' && state.reason !== 'thisEditor');
}
