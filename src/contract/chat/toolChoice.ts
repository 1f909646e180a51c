import * as z from 'zod';

/** One tool of one server. The server's id, not its name: another may come to have that. */
export const toolKey = z.object({ serverId: z.string().max(1_000), tool: z.string().max(1_000) });
export type ToolKey = z.infer<typeof toolKey>;

const maxChosenTools = 2_000;

/** What the person said about tools, for one conversation. What is not named is offered as there is room. Additive only: it is stored. */
export const toolChoice = z.object({
  /** Offered with every request. */
  pinned: z.array(toolKey).max(maxChosenTools).default([]),
  leftOut: z.array(toolKey).max(maxChosenTools).default([]),
  /** Ids of servers of which no tool is offered. */
  leftOutServers: z.array(z.string().max(1_000)).max(maxChosenTools).default([]),
});
export type ToolChoice = z.infer<typeof toolChoice>;

export const emptyToolChoice: ToolChoice = { pinned: [], leftOut: [], leftOutServers: [] };

/** `byItself`: neither pinned nor left out. Without a tool: all of a server, which cannot be pinned. */
export const toolChange = z.object({
  serverId: z.string().max(1_000),
  tool: z.string().max(1_000).optional(),
  to: z.enum(['pinned', 'leftOut', 'byItself']),
});
export type ToolChange = z.infer<typeof toolChange>;

/** A tool as the picker shows it. */
export const pickableTool = z.object({
  serverId: z.string(),
  server: z.string(),
  tool: z.string(),
  /** Its beginning. */
  description: z.string(),
  /** Estimated. */
  tokens: z.number(),
  choice: z.enum(['pinned', 'leftOut', 'byItself']),
  /** Whether it is in the next request; else it is left out, or found by search. */
  isOffered: z.boolean(),
});
export type PickableTool = z.infer<typeof pickableTool>;

/** What the next request says about tools. */
export const toolOffer = z.object({
  total: z.number(),
  offered: z.number(),
  leftOut: z.number(),
  /** Of those that are offered, estimated. */
  tokens: z.number(),
  /** Of those that the model finds by search instead. */
  savedTokens: z.number(),
});
export type ToolOffer = z.infer<typeof toolOffer>;
