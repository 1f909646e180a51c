import * as z from 'zod';

const auditOutcome = z.enum(['started', 'allowed', 'denied', 'succeeded', 'failed', 'cancelled', 'waiting']);

/** A line of the audit log, as the page shows it. */
export const auditRow = z.object({
  /** Where the line stands: its file, and its number in it. */
  place: z.string(),
  time: z.string(),
  /** Who wanted it, in words. */
  who: z.string(),
  /** The name of the server or the client. */
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
  /** The server that was asked, also by a client to which it is offered. */
  server: z.string().max(200),
  what: z.string().max(200),
  outcome: z.union([z.literal(''), auditOutcome]),
  /** How many hours back from now; 0 for all. */
  hours: z.union([z.literal(0), z.literal(1), z.literal(24), z.literal(168)]),
});
export type AuditFilter = z.infer<typeof auditFilter>;

/** How often each party asked during the last day, hour by hour. */
const auditBars = z.object({
  hours: z.array(z.object({ start: z.string(), counts: z.array(z.number()) })),
  /** Whose counts these are, in the order of `counts`, the most frequent first. */
  names: z.array(z.string()),
});
export type AuditBars = z.infer<typeof auditBars>;

export const auditPage = z.object({
  /** Whether the chain of hashes over all lines is whole. */
  status: z.object({ kind: z.enum(['good', 'unknown', 'broken']), text: z.string() }),
  rows: z.array(auditRow),
  /** How many lines match the filter; `rows` are the latest of them. */
  matching: z.number(),
  total: z.number(),
  bars: auditBars,
});
export type AuditPage = z.infer<typeof auditPage>;

export const auditToHost = {
  ready: z.object({}),
  /** `count` is the number of rows that the page wants at most. */
  'audit/show': z.object({ filter: auditFilter, count: z.int().min(1).max(2_000) }),
  'audit/refresh': z.object({}),
} as const;

export const auditToView = {
  'audit/page': auditPage,
} as const;
