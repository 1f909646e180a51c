// chat/: what single parts of the chat add to its state and messages; chatState.ts and chatMessages.ts put them together.
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
const toolOffer = z.object({
  total: z.number(),
  offered: z.number(),
  leftOut: z.number(),
  /** Of those that are offered, estimated. */
  tokens: z.number(),
  /** Of those that the model finds by search instead. */
  savedTokens: z.number(),
});
export type ToolOffer = z.infer<typeof toolOffer>;

/** A result that is longer than the model gets at once. The whole is kept beside the conversation. */
export const keptResult = z.object({ id: z.string().max(100), bytes: z.number() });
export type KeptResult = z.infer<typeof keptResult>;

/** Where in the conversation everything before it became a summary for the model. What was said stays on the screen. */
export const compactionPart = z.object({
  kind: z.literal('compaction'),
  id: z.string(),
  state: z.enum(['running', 'done', 'failed']),
  /** By itself, before the context was full, or because the person wanted it. */
  by: z.enum(['itself', 'person']),
  /** What the model gets instead. */
  summary: z.string(),
  /** Estimated. */
  tokensBefore: z.number(),
  tokensAfter: z.number(),
  /** One sentence, when it failed. */
  error: z.string().optional(),
});
export type CompactionPart = z.infer<typeof compactionPart>;

export const contextSource = z.object({
  kind: z.enum(['instructions', 'tools', 'attachments', 'results', 'conversation']),
  /** Of tools: whose. */
  server: z.string().optional(),
  tokens: z.number(),
});
export type ContextSource = z.infer<typeof contextSource>;

/** How much of the model's context the next request fills. */
export const contextBudget = z.object({
  used: z.number(),
  /** Of the model; absent where nobody says it. */
  limit: z.number().optional(),
  /** Corrected by what the provider counted; else an estimate alone. */
  isCounted: z.boolean(),
  sources: z.array(contextSource),
  tools: toolOffer,
  /** Whether there is something that a summary could stand for. */
  canCompact: z.boolean(),
});
export type ContextBudget = z.infer<typeof contextBudget>;

/** The person's own words and those of the project that go with every request: never silently. */
export const shownInstructions = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('personal'), length: z.number() }),
  /** A file of this workspace. Not sent: the person has not let it in. `isAskedFirst`: nothing was said yet. */
  z.object({ kind: z.literal('project'), path: z.string(), isSent: z.boolean(), isAskedFirst: z.boolean().optional() }),
]);
export type ShownInstructions = z.infer<typeof shownInstructions>;

const id = z.object({ id: z.string().max(100) });

export const budgetToHost = {
  /** The whole of a result that was kept, as a document. */
  'result/open': id,
  'chat/compact': z.object({}),
  'compaction/undo': id,
  /** The setting that holds the person's own. */
  'instructions/open': z.object({}),
  'tools/list': z.object({}),
  'tools/choose': toolChange,
} as const;

export const budgetToView = {
  /** The answer to `tools/list`, and again after each choice. */
  'tools/all': z.object({ tools: z.array(pickableTool) }),
} as const;
