import * as z from 'zod';

/** What can be counted in the answer of a tool of the editor. Stored with conversations: additive only. */
export const countedThings = [
  'errors',
  'warnings',
  'problems',
  'lines',
  'files',
  'folders',
  'entries',
  'matches',
  'symbols',
  'places',
  'calls',
  'editors',
  'actions',
  'tasks',
  'changes',
  'commands',
  'passed',
  'failed',
] as const;

/** One thing that a tool call brought about, for the line of its card. The page puts it into words. */
export const callFact = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('count'), of: z.enum(countedThings), count: z.number() }),
  z.object({ kind: z.literal('exitCode'), code: z.number() }),
  z.object({ kind: z.literal('review'), outcome: z.enum(['accepted', 'partlyAccepted', 'rejected']) }),
]);
export type CallFact = z.infer<typeof callFact>;
