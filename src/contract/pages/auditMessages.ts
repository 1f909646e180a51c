import * as z from 'zod';

const auditOutcome = z.enum(['started', 'allowed', 'denied', 'succeeded', 'failed', 'cancelled', 'waiting']);

/** A line of the record, as the page shows it. */
export const auditRow = z.object({
  /** Where it stands: the file, and the line in it. */
  place: z.string(),
  time: z.string(),
  /** Who wanted it, in words. */
  who: z.string(),
  /** The server or the client, by its name. */
  peer: z.string(),
  /** What was decided or done, in words. */
  what: z.string(),
  outcome: auditOutcome,
  decidedBy: z.enum(['person', 'remembered', 'role', 'policy', 'nobody']),
  durationMs: z.number(),
  /** The line itself, member by member. */
  whole: z.string(),
});
export type AuditRow = z.infer<typeof auditRow>;

export const auditFilter = z.object({
  who: z.string().max(200),
  what: z.string().max(200),
  outcome: z.union([z.literal(''), auditOutcome]),
  /** In hours before now; 0: all. */
  hours: z.union([z.literal(0), z.literal(1), z.literal(24), z.literal(168)]),
});
export type AuditFilter = z.infer<typeof auditFilter>;

/** Of the last day, hour by hour: how often each asked. */
const auditBars = z.object({
  hours: z.array(z.object({ start: z.string(), counts: z.array(z.number()) })),
  /** The names of the counts, the most frequent first. */
  names: z.array(z.string()),
});
export type AuditBars = z.infer<typeof auditBars>;

export const auditPage = z.object({
  /** What is known of the chain. */
  status: z.object({ kind: z.enum(['good', 'unknown', 'broken']), text: z.string() }),
  rows: z.array(auditRow),
  /** How many lines the filter leaves; `rows` are the latest of them. */
  matching: z.number(),
  total: z.number(),
  bars: auditBars,
});
export type AuditPage = z.infer<typeof auditPage>;

export const auditToHost = {
  ready: z.object({}),
  /** `count`: how many rows at most. */
  'audit/show': z.object({ filter: auditFilter, count: z.int().min(1).max(2_000) }),
  'audit/refresh': z.object({}),
} as const;

export const auditToView = {
  'audit/page': auditPage,
} as const;
