import * as z from 'zod';
import { maxSearchLength } from '../pages/pageLimits.ts';

/** The longest title of a conversation. */
export const maxTitleLength = 200;

/** What the header says about the conversation that is shown. */
export const conversationHeading = z.object({
  /** The title that the person gave; where it is empty, the first line of the first message is shown. */
  title: z.string(),
  /** Another window is writing an answer in this conversation, so here it can only be read. */
  isAnsweredElsewhere: z.boolean(),
  /** How many of its oldest messages were dropped because it became too large. */
  messagesLeftOut: z.number(),
  /** What was said last could not be written, such as on a full disk; it is tried again. */
  isNotKept: z.boolean().optional(),
});
export type ConversationHeading = z.infer<typeof conversationHeading>;

const conversationEntry = z.object({
  id: z.string(),
  title: z.string(),
  /** When it was last changed, in milliseconds since 1970. */
  changedAt: z.number(),
  messages: z.number(),
  state: z.enum(['kept', 'answering', 'answeringElsewhere']),
});
export type ConversationEntry = z.infer<typeof conversationEntry>;

/** The list of conversations, as the page shows it. */
export const conversationList = z.object({
  /** What was searched for, so that a late answer can be told from the right one. */
  search: z.string(),
  entries: z.array(conversationEntry),
  /** There are more than these entries. */
  isCut: z.boolean(),
  /** The conversation that was deleted last and can be restored. */
  deleted: z.object({ id: z.string(), title: z.string() }).optional(),
  /** The names of files that could not be read. They are kept as they are. */
  unreadable: z.array(z.string()),
});
export type ConversationList = z.infer<typeof conversationList>;

const one = z.object({ id: z.string().min(1).max(200) });

export const conversationsToHost = {
  /** Opens the list: from now on the page is sent the list and its changes. */
  'conversations/show': z.object({ search: z.string().max(maxSearchLength) }),
  'conversations/hide': z.object({}),
  'conversations/open': one,
  'conversations/rename': one,
  'conversations/export': one,
  'conversations/delete': one,
  'conversations/undoDelete': one,
  /** Opens a conversation in a tab; without an id the one that is shown. */
  'conversations/openInEditor': one.partial(),
  /** Opens a copy of the conversation that is shown and is being answered in another window. */
  'conversations/openCopy': z.object({}),
} as const;

export const conversationsToView = {
  'conversations/list': conversationList,
} as const;
