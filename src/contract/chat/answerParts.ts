import * as z from 'zod';

/** What the model thought before it answered, as far as its provider shows that. Additive only: it is stored. */
export const thinkingPart = z.object({
  kind: z.literal('thinking'),
  id: z.string(),
  text: z.string(),
  /** Set when the thought has ended. */
  elapsedMs: z.number().optional(),
});
export type ThinkingPart = z.infer<typeof thinkingPart>;

/** The provider asked to wait; the request is made again when `seconds` have gone down to nothing. */
export const waitingPart = z.object({
  kind: z.literal('waiting'),
  id: z.string(),
  reason: z.enum(['rateLimited', 'overloaded', 'serverError']),
  seconds: z.number(),
});
export type WaitingPart = z.infer<typeof waitingPart>;

/** Counts of all requests of one answer. */
export const turnUsage = z.object({
  /** All of it, also what was read from the cache or written to it. */
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.number().optional(),
  cacheWrittenTokens: z.number().optional(),
});
export type TurnUsage = z.infer<typeof turnUsage>;

/** An estimate of what each server's part of an answer came to: what its tools were sent and what they returned, once each. */
const serverUsage = z.object({
  server: z.string(),
  calls: z.number(),
  tokens: z.number(),
  usd: z.number().optional(),
});
export type ServerUsage = z.infer<typeof serverUsage>;

export const turnCost = z.object({
  /** As the provider knows it. */
  model: z.string(),
  /** Left out where the price of a model or its usage is not known. */
  usd: z.number().optional(),
  /** When the prices were read off the provider's list. */
  pricesAsOf: z.string(),
  servers: z.array(serverUsage),
});
export type TurnCost = z.infer<typeof turnCost>;

/** What became of one file, as texts: none where there was, or is, no file. */
export const madeEdit = z.object({
  /** As clients write it: where the file is now. */
  path: z.string(),
  /** Where it was, when it was moved. */
  from: z.string().optional(),
  before: z.string().optional(),
  after: z.string().optional(),
  /** False for what is no text, or is a cell of a notebook: it is listed, and cannot be taken back. */
  isText: z.boolean(),
});
export type MadeEdit = z.infer<typeof madeEdit>;

export const undoOutcome = z.enum(['undone', 'changedSince', 'notKept', 'failed']);
export type UndoOutcome = z.infer<typeof undoOutcome>;

const editedFile = z.object({
  path: z.string(),
  from: z.string().optional(),
  change: z.enum(['changed', 'created', 'deleted', 'moved']),
  /** Of the last attempt to take it back; absent before. */
  undo: undoOutcome.optional(),
  /** Where its texts before and after are kept; absent when they are not. */
  kept: z.string().optional(),
});
export type EditedFile = z.infer<typeof editedFile>;

/** The files that an answer changed. Their texts are kept apart. */
export const editsPart = z.object({ kind: z.literal('edits'), id: z.string(), files: z.array(editedFile) });
export type EditsPart = z.infer<typeof editsPart>;
