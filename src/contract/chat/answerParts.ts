import * as z from 'zod';

/** What the model thought before it answered, as far as its provider shows that. Stored with conversations: additive only. */
export const thinkingPart = z.object({
  kind: z.literal('thinking'),
  id: z.string(),
  text: z.string(),
  /** How long it thought; left out while it thinks. */
  elapsedMs: z.number().optional(),
});
export type ThinkingPart = z.infer<typeof thinkingPart>;

/** The provider asked to wait; the request is made again when `seconds` have counted down to zero. */
export const waitingPart = z.object({
  kind: z.literal('waiting'),
  id: z.string(),
  reason: z.enum(['rateLimited', 'overloaded', 'serverError']),
  seconds: z.number(),
});
export type WaitingPart = z.infer<typeof waitingPart>;

/** The tokens of all requests of one answer. */
export const turnUsage = z.object({
  /** All input, also what was read from the cache or written to it. */
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.number().optional(),
  cacheWrittenTokens: z.number().optional(),
});
export type TurnUsage = z.infer<typeof turnUsage>;

/** An estimate of what one server's part of an answer cost: what its tools were sent and what they returned, each counted once. */
const serverUsage = z.object({
  server: z.string(),
  calls: z.number(),
  tokens: z.number(),
  usd: z.number().optional(),
});
export type ServerUsage = z.infer<typeof serverUsage>;

export const turnCost = z.object({
  /** The id of the model at its provider. */
  model: z.string(),
  /** What the answer cost; left out where the price of the model or its usage is not known. */
  usd: z.number().optional(),
  /** The date when the prices were taken from the provider's list. */
  pricesAsOf: z.string(),
  servers: z.array(serverUsage),
});
export type TurnCost = z.infer<typeof turnCost>;

/** What became of one file, with its texts before and after; a text is left out where there was, or is, no file. */
export const madeEdit = z.object({
  /** Where the file is now, as clients write paths. */
  path: z.string(),
  /** Where it was, when it was moved. */
  from: z.string().optional(),
  before: z.string().optional(),
  after: z.string().optional(),
  /** The encoding of a text that was deleted, as VS Code names it. */
  encoding: z.string().optional(),
  /** Whether the file is a text. The change of another one, or of a cell of a notebook, is listed but cannot be undone. */
  isText: z.boolean(),
});
export type MadeEdit = z.infer<typeof madeEdit>;

export const undoOutcome = z.enum(['undone', 'changedSince', 'notKept', 'failed']);
export type UndoOutcome = z.infer<typeof undoOutcome>;

const editedFile = z.object({
  path: z.string(),
  from: z.string().optional(),
  change: z.enum(['changed', 'created', 'deleted', 'moved']),
  /** The outcome of the last attempt to undo it; left out before the first. */
  undo: undoOutcome.optional(),
  /** Where its texts before and after are kept; left out when they are not. */
  kept: z.string().optional(),
});
export type EditedFile = z.infer<typeof editedFile>;

/** The files that an answer changed. Their texts are kept elsewhere. */
export const editsPart = z.object({ kind: z.literal('edits'), id: z.string(), files: z.array(editedFile) });
export type EditsPart = z.infer<typeof editsPart>;
