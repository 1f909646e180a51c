import * as z from 'zod';
import { attachmentKind } from '../chat/attachments.ts';

/** Where content for the model comes from. Texts are free of invisible characters and of secret values. */
export const contentSource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('resource'), uri: z.string(), name: z.string() }),
  z.object({
    kind: z.literal('prompt'),
    name: z.string(),
    description: z.string(),
    arguments: z.array(z.object({ name: z.string(), value: z.string() })),
  }),
  /** The person attached it themselves; `name` is empty where the kind says it all. */
  z.object({ kind: z.literal('attachment'), what: attachmentKind, name: z.string(), isWithheld: z.boolean() }),
]);
export type ContentSource = z.infer<typeof contentSource>;

/** What the person may be asked to send: beside content of a conversation also a file that says how work is to be done. */
const askedSource = z.discriminatedUnion('kind', [
  ...contentSource.options,
  z.object({ kind: z.literal('instructions'), name: z.string() }),
]);
export type AskedSource = z.infer<typeof askedSource>;

const common = {
  /** Whose words a prompt says they are. */
  role: z.enum(['user', 'assistant']).optional(),
  /** What it is called within what was asked for: the address of one part of several. */
  name: z.string(),
};

/** A part of the content as it is sent. */
export const contentItem = z.discriminatedUnion('kind', [
  /** A number stands for the secret of that number, counted from 1 over all items: its value is never in a page. */
  z.object({ kind: z.literal('text'), ...common, pieces: z.array(z.union([z.string(), z.number().int().positive()])) }),
  z.object({ kind: z.literal('image'), ...common, mimeType: z.string(), data: z.string(), bytes: z.number() }),
  /** Sent whole, to models that take it. Its data is in no page. */
  z.object({ kind: z.literal('document'), ...common, mimeType: z.string(), bytes: z.number() }),
  /** The model is told that it is there, and no more. */
  z.object({ kind: z.literal('named'), ...common, what: z.enum(['image', 'audio', 'binary']), mimeType: z.string(), bytes: z.number() }),
  /** An address that the server names. Nobody follows it. */
  z.object({ kind: z.literal('link'), ...common, uri: z.string() }),
]);
export type ContentItem = z.infer<typeof contentItem>;

/** Who would get it. */
export const contentDestination = z.discriminatedUnion('kind', [
  /** It stays on this computer. */
  z.object({ kind: z.literal('guide') }),
  z.object({ kind: z.literal('model'), name: z.string(), address: z.string() }),
]);
export type ContentDestination = z.infer<typeof contentDestination>;

/** More than can stand in what is sent at once. */
export const maxSecrets = 200_000;

/** What looks like a secret, never the secret: what stands before it on its line, and how long it is. */
const foundSecret = z.object({ before: z.string(), length: z.number() });
export type FoundSecret = z.infer<typeof foundSecret>;

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
