import * as z from 'zod';

/** A line of a diff. A gap stands for lines that are the same and are left out; it has no text. */
export const diffLine = z.object({ kind: z.enum(['same', 'added', 'removed', 'gap']), text: z.string() });
export type DiffLine = z.infer<typeof diffLine>;

const reviewedFile = z.object({
  path: z.string(),
  newPath: z.string().optional(),
  /** The cell of a notebook, counted from 0. */
  cell: z.number().optional(),
  change: z.enum(['change', 'create', 'delete', 'move', 'cell']),
  added: z.number(),
  removed: z.number(),
  /** What changes in it; left out where that is too long for a card, or no text. */
  diff: z.array(diffLine).optional(),
  isTooLong: z.boolean().optional(),
  answer: z.enum(['accepted', 'rejected']).optional(),
});
export type ReviewedFile = z.infer<typeof reviewedFile>;

/** A proposed change that waits for the person, as the card of the call that proposed it shows it. */
export const editReview = z.object({
  id: z.string(),
  files: z.array(reviewedFile),
  /** Each file that has no answer yet was in view to its end, in the editor. */
  isSeenInEditor: z.boolean(),
});
export type EditReview = z.infer<typeof editReview>;

export const reviewToHost = {
  /** Accepts what has no answer yet. `isRead`: all diffs that the card shows were in view to their end. */
  'review/accept': z.object({ id: z.string().max(200), isRead: z.boolean() }),
  'review/reject': z.object({ id: z.string().max(200) }),
  'review/open': z.object({ id: z.string().max(200) }),
} as const;
