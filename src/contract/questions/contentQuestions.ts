import * as z from 'zod';
import { askedSource, contentDestination, contentItem, foundSecret } from '../sentContent.ts';

/** What was said to one model, or to the guide, would go to another. */
export const sendConversation = z.object({
  kind: z.literal('sendConversation'),
  /** Who would get it. */
  destination: z.string(),
  messages: z.number(),
  images: z.number(),
  bytes: z.number(),
});
export type SendConversationQuestion = z.infer<typeof sendConversation>;

/** What a server gave would become part of the conversation, and so go to whoever answers in it. */
export const sendContent = z.object({
  kind: z.literal('sendContent'),
  server: z.string(),
  source: askedSource,
  destination: contentDestination,
  items: z.array(contentItem),
  /** Of what would be sent. */
  bytes: z.number(),
  /** Together with the rest of what the server gave, when that is more than is sent. */
  totalBytes: z.number().optional(),
  /** Those of the server, when they are more than the items. */
  totalParts: z.number().optional(),
  /** The one of number 1 is the first. */
  secrets: z.array(foundSecret),
  /** How many invisible characters are written out in the items. */
  invisible: z.number(),
});
export type SendContentQuestion = z.infer<typeof sendContent>;
