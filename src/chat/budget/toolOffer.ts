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

/** So many tools go with every request; some providers refuse more than 128. */
const maxOffered = 100;
const defaultToolTokens = 24_000;
const [minToolTokens, maxToolTokens] = [4_000, 40_000];
const shareOfContext = 0.15;

/** Which tools a request names, and which are found by search. */
export interface Offer {
  readonly offered: readonly ModelTool[];
  /** Not left out by the person, and not in the request: there is no room. */
  readonly hidden: readonly ModelTool[];
  readonly leftOut: readonly ModelTool[];
}

/** How much of the context the definitions of tools may fill before they are found by search. */
export function toolRoom(contextTokens: number | undefined): number {
  const share = contextTokens === undefined ? defaultToolTokens : Math.floor(contextTokens * shareOfContext);
  return Math.max(minToolTokens, Math.min(maxToolTokens, share));
}

/**
 * All that the person did not leave out, as long as there is room. When there is none: those that are pinned, those that were
 * found, and whole servers, the smallest first, while they fit. Found ones stand last, so that what comes before them stays the
 * same from one request to the next.
 */
export function offerTools(tools: readonly ModelTool[], choice: ToolChoice, found: readonly string[], room: number, mayHide = true): Offer {
  const pinned = keysOf(choice.pinned);
  const leftOutTools = keysOf(choice.leftOut);
  const leftOutServers = new Set(choice.leftOutServers);
  const isLeftOut = (tool: ModelTool): boolean =>
    !pinned.has(keyOf(tool)) && (leftOutTools.has(keyOf(tool)) || leftOutServers.has(tool.serverId ?? ''));
  const leftOut = tools.filter(isLeftOut);
  const wanted = tools.filter((tool) => !isLeftOut(tool));
  if (!mayHide || (wanted.length <= maxOffered && tokensOf(wanted) <= room)) {
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
  const servers = [...byServer.values()].map((of) => ({ of, tokens: tokensOf(of) })).sort((one, other) => one.tokens - other.tokens);
  const fitting = new Set<ModelTool>();
  let [left, count] = [room - tokensOf([...taken]), taken.size];
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
    tokens: tokensOf(offered),
    savedTokens: tokensOf(hidden),
  };
}

const maxShownDescription = 300;

/** Every tool, for the picker, in the order of the servers. */
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

export function tokensOf(tools: readonly ModelTool[]): number {
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

/** What the person chose last: conversations that begin in this workspace begin with it. */
export interface ToolChoiceStore {
  read(): unknown;
  write(choice: ToolChoice): Promise<void>;
}

/** What cannot be read counts as nothing chosen: everything is offered, and everything still asks before it runs. */
export function readToolChoice(stored: unknown): ToolChoice {
  const read = toolChoice.safeParse(stored ?? {});
  return read.success ? read.data : emptyToolChoice;
}

/** A tool is pinned, or left out, or neither. What is said of a server holds for all its tools from then on. */
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
