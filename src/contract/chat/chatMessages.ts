import * as z from 'zod';
import { answerTogether, definitionToShow, personAnswer } from '../questions/questions.ts';
import { appToHost, appToView } from './appMessages.ts';
import { contextToHost, contextToView } from './attachments.ts';
import { chatItem, chatState } from './chatState.ts';
import { budgetToHost, budgetToView } from './contextBudget.ts';
import { conversationsToHost, conversationsToView } from './conversations.ts';
import { reviewToHost } from './editReview.ts';
import { actingToHost } from './messageActions.ts';

/** A file of this workspace as a text names it: a path from one of its folders, and a place in the file, counted from 1. */
const fileReference = z.object({
  path: z.string().min(1).max(1_024),
  line: z.number().int().positive().max(100_000_000).optional(),
  character: z.number().int().positive().max(100_000_000).optional(),
});
export type FileReference = z.infer<typeof fileReference>;

/** The messages from the chat's page to the extension host. They are intents and decide nothing. */
export const chatToHost = {
  ready: z.object({}),
  /** Sends a message; the text may be empty only when something is attached. */
  'chat/send': z.object({ text: z.string().max(100_000) }),
  /** What is being written in the message box, to be there again after the window was lost. */
  'chat/drafted': z.object({ text: z.string().max(100_000) }),
  'chat/stop': z.object({}),
  /** The page has drawn this conversation whole, and can go on. */
  'chat/drawn': z.object({ conversationId: z.string().max(200) }),
  /** Asks for the conversation whole that is shown as plain text. */
  'chat/showWhole': z.object({}),
  'chat/new': z.object({}),
  ...conversationsToHost,
  ...actingToHost,
  ...reviewToHost,
  'chat/setApiKey': z.object({}),
  /** Lets the person choose who answers, with which model. */
  'models/choose': z.object({}),
  /** Asks the provider again now, although it asked to wait. */
  'models/retryNow': z.object({}),
  'models/useVscode': z.object({}),
  'models/useEndpoint': z.object({}),
  'chat/addServer': z.object({}),
  /** Shows the list of tools, with Start for a server that waits for permission. */
  'chat/showTools': z.object({}),
  ...contextToHost,
  'consent/answer': personAnswer,
  'consent/answerTogether': answerTogether,
  'consent/show': definitionToShow,
  ...budgetToHost,
  ...appToHost,
  'link/open': z.object({ href: z.string().max(8_192) }),
  'file/open': fileReference,
  'code/copy': z.object({ text: z.string().max(1_000_000) }),
  'code/insert': z.object({ text: z.string().max(1_000_000) }),
} as const;

/** The messages from the extension host to the chat's page: snapshots, and deltas for what streams. */
export const chatToView = {
  'chat/state': chatState,
  /** Replaces the item of the same id, or appends it. */
  'chat/item': z.object({ conversationId: z.string(), item: chatItem }),
  /** Appends to a text part of an assistant item (the part exists already). */
  'chat/text': z.object({ conversationId: z.string(), itemId: z.string(), partId: z.string(), text: z.string() }),
  /** The whole state except the items. */
  'chat/status': chatState.omit({ items: true }),
  ...conversationsToView,
  'chat/focus': z.object({}),
  /** Puts text into the composer without sending it. */
  'chat/draft': z.object({ text: z.string() }),
  /** What was being written when the page was last there; it counts only while nothing is written. */
  'chat/kept': z.object({ text: z.string() }),
  ...contextToView,
  ...budgetToView,
  ...appToView,
} as const;
