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
