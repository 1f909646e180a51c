import * as z from 'zod';
import { maxCommand } from '../pages/pageLimits.ts';
import { keptAttachment, maxAttachments } from './attachments.ts';

/** Which version of a message is shown, counted from 0. There are several when a message was edited, or its answer written anew. */
export const branchPlace = z.object({ index: z.number().int().nonnegative(), count: z.number().int().positive() });
export type BranchPlace = z.infer<typeof branchPlace>;

/** What the person thinks of an answer. It stays on this machine: no model and no server is told. */
export const answerFeedback = z.enum(['up', 'down']);
export type AnswerFeedback = z.infer<typeof answerFeedback>;

/** A message that is sent when the answer before it is done. */
export const queuedMessage = z.object({
  id: z.string(),
  text: z.string(),
  /** What is attached to it; attachments that cannot be read count as none. */
  attached: z.array(keptAttachment).max(maxAttachments).optional().catch(undefined),
});
export type QueuedMessage = z.infer<typeof queuedMessage>;

/** The longest text, in characters, that a message can be edited to. */
const maxText = 100_000;
/** The longest code block, in characters, that can be applied as a change. */
const maxCode = 1_000_000;

export const actingToHost = {
  /** Answers again: the last answer if none is named. */
  'chat/retry': z.object({ itemId: z.string().optional() }),
  'chat/edit': z.object({ itemId: z.string(), text: z.string().min(1).max(maxText) }),
  /** Shows another version of the person's message, and all that followed it. */
  'chat/showVersion': z.object({ itemId: z.string(), index: z.number().int().nonnegative() }),
  'chat/feedback': z.object({ itemId: z.string(), feedback: answerFeedback.optional() }),
  /** Stops this tool call alone; the answer goes on. */
  'call/stop': z.object({ partId: z.string().max(200) }),
  /** Shows the log of the server of this tool call. */
  'call/showLog': z.object({ partId: z.string().max(200) }),
  /** Takes messages out of the queue: the person removed them, or has them back in the composer. */
  'chat/unqueue': z.object({ ids: z.array(z.string()).max(1_000) }),
  /** Proposes the code of a block as a change, in the same diff as every change. `path` is the file that the block names. */
  'code/apply': z.object({ itemId: z.string(), text: z.string().max(maxCode), path: z.string().max(1_024).optional() }),
  /** Runs the command of a block, after the same question as for every command. */
  'code/run': z.object({ itemId: z.string(), text: z.string().min(1).max(maxCommand) }),
  /** Undoes all that an answer changed in files. */
  'edits/undo': z.object({ itemId: z.string() }),
  'edits/show': z.object({ itemId: z.string(), path: z.string().max(4_096) }),
} as const;
