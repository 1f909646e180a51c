import * as z from 'zod';

/** A file of this workspace as a text names it: a path from one of its folders, and a place in it. Counted from 1. */
export const fileReference = z.object({
  path: z.string().min(1).max(1_024),
  line: z.number().int().positive().max(100_000_000).optional(),
  character: z.number().int().positive().max(100_000_000).optional(),
});
export type FileReference = z.infer<typeof fileReference>;
