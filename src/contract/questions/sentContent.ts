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

/** What the person may be asked to send: the content of a conversation, a project's file of instructions, or skills. */
const askedSource = z.discriminatedUnion('kind', [
  ...contentSource.options,
  z.object({ kind: z.literal('instructions'), name: z.string() }),
  /** All files of a skill. `place` is its address at its server, or its folder in the workspace, which has no server. */
  z.object({ kind: z.literal('skill'), name: z.string(), place: z.string() }),
  /** The names and descriptions of the skills in this workspace, one item for each; `name` counts them. */
  z.object({ kind: z.literal('workspaceSkills'), name: z.string() }),
]);
export type AskedSource = z.infer<typeof askedSource>;

const common = {
  /** The speaker whose words a prompt says that they are. */
  role: z.enum(['user', 'assistant']).optional(),
  /** The name of this part, such as its address where there are several. */
  name: z.string(),
};

/** A part of the content as it is sent. */
export const contentItem = z.discriminatedUnion('kind', [
  /** A text in pieces. A number stands for the secret of that number, counted from 1 over all items; its value is never sent to a page. */
  z.object({ kind: z.literal('text'), ...common, pieces: z.array(z.union([z.string(), z.number().int().positive()])) }),
  z.object({ kind: z.literal('image'), ...common, mimeType: z.string(), data: z.string(), bytes: z.number() }),
  /** A document that is sent whole to models that take it. Its data is never sent to a page. */
  z.object({ kind: z.literal('document'), ...common, mimeType: z.string(), bytes: z.number() }),
  /** Something of which the model is told only that it is there. */
  z.object({ kind: z.literal('named'), ...common, what: z.enum(['image', 'audio', 'binary']), mimeType: z.string(), bytes: z.number() }),
  /** An address that the server names; nothing is loaded from it. */
  z.object({ kind: z.literal('link'), ...common, uri: z.string() }),
]);
export type ContentItem = z.infer<typeof contentItem>;

/** Who would get the content. */
export const contentDestination = z.discriminatedUnion('kind', [
  /** The guide, so that it stays on this computer. */
  z.object({ kind: z.literal('guide') }),
  z.object({ kind: z.literal('model'), name: z.string(), address: z.string() }),
]);
export type ContentDestination = z.infer<typeof contentDestination>;

/** The most secrets that an answer can name; no content that is sent at once has so many. */
export const maxSecrets = 200_000;

/** Describes something that looks like a secret without telling it: what stands before it on its line, and how long it is. */
const foundSecret = z.object({ before: z.string(), length: z.number() });
export type FoundSecret = z.infer<typeof foundSecret>;

/** May what was said to one model, or to the guide, go to another? */
export const sendConversation = z.object({
  kind: z.literal('sendConversation'),
  /** The model that would get it. */
  destination: z.string(),
  messages: z.number(),
  images: z.number(),
  bytes: z.number(),
});
export type SendConversationQuestion = z.infer<typeof sendConversation>;

/** May what a server gave become part of the conversation, and so go to the model that answers in it? */
export const sendContent = z.object({
  kind: z.literal('sendContent'),
  server: z.string(),
  source: askedSource,
  destination: contentDestination,
  items: z.array(contentItem),
  /** The size of what would be sent. */
  bytes: z.number(),
  /** The size of all that the server gave, when that is more than would be sent. */
  totalBytes: z.number().optional(),
  /** How many parts the server gave, when they are more than the items. */
  totalParts: z.number().optional(),
  /** The secrets in the order of their numbers; the first one has number 1. */
  secrets: z.array(foundSecret),
  /** How many invisible characters are written out in the items. */
  invisible: z.number(),
});
export type SendContentQuestion = z.infer<typeof sendContent>;
