import * as z from 'zod';
import { maxSearchLength } from '../pages/pageLimits.ts';

export const maxTitleLength = 200;

/** What the header says about the conversation that is shown. */
export const conversationHeading = z.object({
  /** Given by the person; the first line of the first message where this is empty. */
  title: z.string(),
  /** Another window writes an answer in it just now: here it can only be read. */
  isAnsweredElsewhere: z.boolean(),
  /** How many of its oldest messages were too much to keep. */
  messagesLeftOut: z.number(),
});
export type ConversationHeading = z.infer<typeof conversationHeading>;

const conversationEntry = z.object({
  id: z.string(),
  title: z.string(),
  /** Milliseconds since 1970. */
  changedAt: z.number(),
  messages: z.number(),
  state: z.enum(['kept', 'answering', 'answeringElsewhere']),
});
export type ConversationEntry = z.infer<typeof conversationEntry>;

/** What the page shows while the list is open. */
export const conversationList = z.object({
  /** What was searched for, so that a late answer can be told from the right one. */
  search: z.string(),
  entries: z.array(conversationEntry),
  /** There are more than these. */
  isCut: z.boolean(),
  /** What can be taken back. */
  deleted: z.object({ id: z.string(), title: z.string() }).optional(),
  /** Files that could not be read. They are kept as they are, under these names. */
  unreadable: z.array(z.string()),
});
export type ConversationList = z.infer<typeof conversationList>;

const one = z.object({ id: z.string().min(1).max(200) });

export const conversationsToHost = {
  /** From now on the page wants to know the list, and what has changed in it. */
  'conversations/show': z.object({ search: z.string().max(maxSearchLength) }),
  'conversations/hide': z.object({}),
  'conversations/open': one,
  'conversations/rename': one,
  'conversations/export': one,
  'conversations/delete': one,
  'conversations/undoDelete': one,
  /** Without an id: the one that is shown. */
  'conversations/openInEditor': one.partial(),
  /** Of the one that is shown and answered elsewhere. */
  'conversations/openCopy': z.object({}),
} as const;

export const conversationsToView = {
  'conversations/list': conversationList,
} as const;
