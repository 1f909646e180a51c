import {
  emptyToolChoice,
  type PickableTool,
  type ToolChange,
  type ToolChoice,
  toolChoice,
  type ToolKey,
  type ToolOffer,
} from '../../contract/chat/contextBudget.ts';
import { estimateTokens } from '../../contract/chat/modelPrices.ts';
import type { ModelTool } from '../models/modelProvider.ts';

/** The most tools in one request; some providers refuse more than 128. */
const maxOffered = 100;
const defaultToolTokens = 24_000;
const [minToolTokens, maxToolTokens] = [4_000, 40_000];
const shareOfContext = 0.15;

/** Which tools a request lists, and which the model has to find by search. */
export interface Offer {
  readonly offered: readonly ModelTool[];
  /** Tools that the person did not leave out, but for which there is no room in the request. */
  readonly hidden: readonly ModelTool[];
  readonly leftOut: readonly ModelTool[];
}

/** How many tokens the definitions of tools may take before some have to be found by search. */
export function toolRoom(contextTokens: number | undefined): number {
  const share = contextTokens === undefined ? defaultToolTokens : Math.floor(contextTokens * shareOfContext);
  return Math.max(minToolTokens, Math.min(maxToolTokens, share));
}

/**
 * Chooses the tools of a request: all that the person did not leave out, if there is room. Otherwise those that are pinned, those that
 * were found by search, and whole servers, the smallest first, while they fit. Found tools come last, so that the beginning of the list
 * stays the same and the provider can cache it.
 */
export function offerTools(tools: readonly ModelTool[], choice: ToolChoice, found: readonly string[], room: number, mayHide = true): Offer {
  const pinned = keysOf(choice.pinned);
  const leftOutTools = keysOf(choice.leftOut);
  const leftOutServers = new Set(choice.leftOutServers);
  const isLeftOut = (tool: ModelTool): boolean =>
    !pinned.has(keyOf(tool)) && (leftOutTools.has(keyOf(tool)) || leftOutServers.has(tool.serverId ?? ''));
  const leftOut = tools.filter(isLeftOut);
  const wanted = tools.filter((tool) => !isLeftOut(tool));
  if (!mayHide || (wanted.length <= maxOffered && totalToolTokens(wanted) <= room)) {
    return { offered: wanted, hidden: [], leftOut };
  }
  const always = new Set(wanted.filter((tool) => pinned.has(keyOf(tool))));
  const foundOnes = found.flatMap((name) => wanted.find((tool) => tool.name === name && !always.has(tool)) ?? []);
  const fitting = fittingServers(wanted, new Set([...always, ...foundOnes]), room);
  const first = wanted.filter((tool) => always.has(tool) || fitting.has(tool));
  const offered = [...first, ...foundOnes.filter((tool) => !fitting.has(tool))];
  const isOffered = new Set(offered);
  return { offered, hidden: wanted.filter((tool) => !isOffered.has(tool)), leftOut };
}

function fittingServers(tools: readonly ModelTool[], taken: ReadonlySet<ModelTool>, room: number): ReadonlySet<ModelTool> {
  const byServer = new Map<string, ModelTool[]>();
  for (const tool of tools) {
    const id = tool.serverId ?? tool.server;
    byServer.set(id, [...(byServer.get(id) ?? []), tool]);
  }
  const servers = [...byServer.values()].map((of) => ({ of, tokens: totalToolTokens(of) })).sort((one, other) => one.tokens - other.tokens);
  const fitting = new Set<ModelTool>();
  let [left, count] = [room - totalToolTokens([...taken]), taken.size];
  for (const { of, tokens } of servers) {
    if (tokens > left || count + of.length > maxOffered) {
      break;
    }
    of.forEach((tool) => fitting.add(tool));
    left -= tokens;
    count += of.length;
  }
  return fitting;
}

export function offerSummary({ offered, hidden, leftOut }: Offer): ToolOffer {
  return {
    total: offered.length + hidden.length + leftOut.length,
    offered: offered.length,
    leftOut: leftOut.length,
    tokens: totalToolTokens(offered),
    savedTokens: totalToolTokens(hidden),
  };
}

/** The most characters of a tool's description where the person chooses among tools. */
const maxShownDescription = 300;

/** Every tool as the picker shows it, in the order of the servers. */
export function pickableTools(tools: readonly ModelTool[], choice: ToolChoice, offer: Offer): PickableTool[] {
  const [pinned, leftOut, offered] = [keysOf(choice.pinned), new Set(offer.leftOut), new Set(offer.offered)];
  return tools.map((tool) => ({
    serverId: tool.serverId ?? '',
    server: tool.server,
    tool: tool.tool,
    description: tool.description.slice(0, maxShownDescription),
    tokens: toolTokens(tool),
    choice: pinned.has(keyOf(tool)) ? 'pinned' : leftOut.has(tool) ? 'leftOut' : 'byItself',
    isOffered: offered.has(tool),
  }));
}

export function totalToolTokens(tools: readonly ModelTool[]): number {
  return tools.reduce((sum, tool) => sum + toolTokens(tool), 0);
}

const known = new WeakMap<object, number>();

export function toolTokens(tool: ModelTool): number {
  const before = known.get(tool);
  if (before !== undefined) {
    return before;
  }
  const tokens = estimateTokens([tool.name, tool.description, JSON.stringify(tool.inputSchema)]);
  known.set(tool, tokens);
  return tokens;
}

function keysOf(keys: readonly ToolKey[]): ReadonlySet<string> {
  return new Set(keys.map(({ serverId, tool }) => JSON.stringify([serverId, tool])));
}

function keyOf({ serverId = '', tool }: ModelTool): string {
  return JSON.stringify([serverId, tool]);
}

/** Stores what the person chose last in this workspace; new conversations begin with it. */
export interface ToolChoiceStore {
  read(): unknown;
  write(choice: ToolChoice): Promise<void>;
}

/** Reads a stored choice. One that cannot be read counts as no choice: every tool is offered, and each still asks before it runs. */
export function readToolChoice(stored: unknown): ToolChoice {
  const read = toolChoice.safeParse(stored ?? {});
  return read.success ? read.data : emptyToolChoice;
}

/** Changes a choice. A tool is pinned, left out, or neither; a change for a server holds for all its tools. */
export function changeChoice(choice: ToolChoice, { serverId, tool, to }: ToolChange): ToolChoice {
  if (tool === undefined) {
    const others = choice.leftOutServers.filter((each) => each !== serverId);
    const isOther = (key: ToolKey): boolean => key.serverId !== serverId;
    return {
      pinned: to === 'leftOut' ? choice.pinned.filter(isOther) : choice.pinned,
      leftOut: choice.leftOut.filter(isOther),
      leftOutServers: to === 'leftOut' ? [...others, serverId] : others,
    };
  }
  const isOther = (key: ToolKey): boolean => key.serverId !== serverId || key.tool !== tool;
  const [pinned, leftOut] = [choice.pinned.filter(isOther), choice.leftOut.filter(isOther)];
  const key = { serverId, tool };
  return {
    ...choice,
    pinned: to === 'pinned' ? [...pinned, key] : pinned,
    leftOut: to === 'leftOut' ? [...leftOut, key] : leftOut,
  };
}
