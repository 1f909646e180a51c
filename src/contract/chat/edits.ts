import * as z from 'zod';

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
