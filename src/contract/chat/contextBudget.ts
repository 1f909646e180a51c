// chat/: what single parts of the chat add to its state and messages; chatState.ts and chatMessages.ts put them together.
import * as z from 'zod';

/** One tool of one server. The server is named by its id, because another one may come to have its name. */
export const toolKey = z.object({ serverId: z.string().max(1_000), tool: z.string().max(1_000) });
export type ToolKey = z.infer<typeof toolKey>;

/** How many choices about tools are kept for one conversation, of each kind. */
const maxChosenTools = 2_000;

/** What the person chose about tools, for one conversation. Tools that are not named are offered as far as there is room. Stored with conversations: additive only. */
export const toolChoice = z.object({
  /** The tools that are offered with every request. */
  pinned: z.array(toolKey).max(maxChosenTools).default([]),
  leftOut: z.array(toolKey).max(maxChosenTools).default([]),
  /** The ids of servers of which no tool is offered. */
  leftOutServers: z.array(z.string().max(1_000)).max(maxChosenTools).default([]),
});
export type ToolChoice = z.infer<typeof toolChoice>;

export const emptyToolChoice: ToolChoice = { pinned: [], leftOut: [], leftOutServers: [] };

/**
 * A change of that choice. `byItself`: neither pinned nor left out. Without a tool it is about all tools of the server; `pinned` is then for a
 * server that waits for permission to start: the next message needs it, as if it named it.
 */
const toolChange = z.object({
  serverId: z.string().max(1_000),
  tool: z.string().max(1_000).optional(),
  to: z.enum(['pinned', 'leftOut', 'byItself']),
});
export type ToolChange = z.infer<typeof toolChange>;

/** A tool as the picker shows it. */
const pickableTool = z.object({
  serverId: z.string(),
  server: z.string(),
  tool: z.string(),
  /** The beginning of its description. */
  description: z.string(),
  /** An estimate of how many tokens its definition takes. */
  tokens: z.number(),
  choice: z.enum(['pinned', 'leftOut', 'byItself']),
  /** Whether it is in the next request; otherwise it is left out, or the model finds it by search. */
  isOffered: z.boolean(),
});
export type PickableTool = z.infer<typeof pickableTool>;

/** A server that waits for permission to start, so that nobody knows its tools yet. `isNamed`: the next message asks for it. */
const waitingServer = z.object({ serverId: z.string(), server: z.string(), isNamed: z.boolean() });
export type WaitingServer = z.infer<typeof waitingServer>;

/** All that the picker shows. */
const pickable = z.object({ tools: z.array(pickableTool), waiting: z.array(waitingServer).optional() });
export type Pickable = z.infer<typeof pickable>;

/** How many tools the next request has. */
const toolOffer = z.object({
  total: z.number(),
  offered: z.number(),
  leftOut: z.number(),
  /** An estimate of how many tokens the offered tools take. */
  tokens: z.number(),
  /** An estimate of how many tokens the tools would take that the model finds by search instead. */
  savedTokens: z.number(),
});
export type ToolOffer = z.infer<typeof toolOffer>;

/** Names a result that is longer than the model gets at once. The whole of it is kept beside the conversation. */
export const keptResult = z.object({ id: z.string().max(100), bytes: z.number() });
export type KeptResult = z.infer<typeof keptResult>;

/** The place in a conversation where everything before it became a summary for the model. What was said stays on the screen. */
export const compactionPart = z.object({
  kind: z.literal('compaction'),
  id: z.string(),
  state: z.enum(['running', 'done', 'failed']),
  /** `itself`: it happened because the context was nearly full. `person`: the person wanted it. */
  by: z.enum(['itself', 'person']),
  /** What the model gets instead of the earlier messages. */
  summary: z.string(),
  /** Estimates of the tokens before and after. */
  tokensBefore: z.number(),
  tokensAfter: z.number(),
  /** Why it failed, in one sentence. */
  error: z.string().optional(),
});
export type CompactionPart = z.infer<typeof compactionPart>;

export const contextSource = z.object({
  kind: z.enum(['instructions', 'tools', 'attachments', 'results', 'conversation']),
  /** The server, where the source is its tools. */
  server: z.string().optional(),
  tokens: z.number(),
});
export type ContextSource = z.infer<typeof contextSource>;

/** How much of the model's context the next request will fill. */
export const contextBudget = z.object({
  used: z.number(),
  /** The size of the model's context; left out where it is not known. */
  limit: z.number().optional(),
  /** The number is corrected by what the provider counted; otherwise it is only an estimate. */
  isCounted: z.boolean(),
  sources: z.array(contextSource),
  tools: toolOffer,
  /** Whether there are messages that a summary could replace. */
  canCompact: z.boolean(),
});
export type ContextBudget = z.infer<typeof contextBudget>;

/** Instructions of the person or of the project that go with every request. They are always shown. */
export const shownInstructions = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('personal'), length: z.number() }),
  /** A file of this workspace. It is not sent as long as the person has not allowed it. `isAskedFirst`: the person was not asked yet. */
  z.object({ kind: z.literal('project'), path: z.string(), isSent: z.boolean(), isAskedFirst: z.boolean().optional() }),
]);
export type ShownInstructions = z.infer<typeof shownInstructions>;

const id = z.object({ id: z.string().max(100) });

export const budgetToHost = {
  /** Opens the whole of a kept result as a document. */
  'result/open': id,
  'chat/compact': z.object({}),
  'compaction/undo': id,
  /** Opens the setting with the person's own instructions. */
  'instructions/open': z.object({}),
  'tools/list': z.object({}),
  'tools/choose': toolChange,
} as const;

export const budgetToView = {
  /** The answer to `tools/list`; it is sent again after each choice. */
  'tools/all': pickable,
} as const;
