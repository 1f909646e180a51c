import * as z from 'zod';
import { maxCommand } from '../pages/pageLimits.ts';
import { keptAttachment, maxAttachments } from './attachments.ts';

/** Which version of a message is shown: an earlier message was edited, or its answer written anew. Counted from 0. */
export const branchPlace = z.object({ index: z.number().int().nonnegative(), count: z.number().int().positive() });
export type BranchPlace = z.infer<typeof branchPlace>;

/** What the person thinks of an answer. It stays on this machine: no model and no server is told. */
export const answerFeedback = z.enum(['up', 'down']);
export type AnswerFeedback = z.infer<typeof answerFeedback>;

/** A message that is sent when the answer before it is done. */
export const queuedMessage = z.object({
  id: z.string(),
  text: z.string(),
  /** What goes with it. What cannot be read counts as nothing. */
  attached: z.array(keptAttachment).max(maxAttachments).optional().catch(undefined),
});
export type QueuedMessage = z.infer<typeof queuedMessage>;

const maxText = 100_000;
const maxCode = 1_000_000;

export const actingToHost = {
  /** The last answer if none is named. */
  'chat/retry': z.object({ itemId: z.string().optional() }),
  'chat/edit': z.object({ itemId: z.string(), text: z.string().min(1).max(maxText) }),
  /** Shows another version of a message of the person and all that came of it. */
  'chat/showVersion': z.object({ itemId: z.string(), index: z.number().int().nonnegative() }),
  'chat/feedback': z.object({ itemId: z.string(), feedback: answerFeedback.optional() }),
  /** This call alone: its answer goes on. */
  'call/stop': z.object({ partId: z.string().max(200) }),
  /** The person removed it, or has it back in the composer. */
  'chat/unqueue': z.object({ ids: z.array(z.string()).max(1_000) }),
  /** Through the diff that every change is reviewed in. `path`: as the block names its file. */
  'code/apply': z.object({ itemId: z.string(), text: z.string().max(maxCode), path: z.string().max(1_024).optional() }),
  /** After the question that every command is asked about. */
  'code/run': z.object({ itemId: z.string(), text: z.string().min(1).max(maxCommand) }),
  /** Takes back all that an answer changed in files. */
  'edits/undo': z.object({ itemId: z.string() }),
  'edits/show': z.object({ itemId: z.string(), path: z.string().max(4_096) }),
} as const;
