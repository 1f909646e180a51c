import * as z from 'zod';
import { contextToHost, contextToView } from './chat/attachments.ts';
import { conversationsToHost, conversationsToView } from './chat/conversations.ts';
import { budgetToHost, budgetToView } from './chat/contextBudget.ts';
import { actingToHost } from './chat/acting.ts';
import { chatItem, chatState } from './chatState.ts';
import { fileReference } from './fileReference.ts';
import { definitionToShow } from './questions.ts';
import { personAnswer } from './questions/answers.ts';

/** From the chat's page to the extension host: intents only. */
export const chatToHost = {
  ready: z.object({}),
  /** Without text only with something attached. */
  'chat/send': z.object({ text: z.string().max(100_000) }),
  'chat/stop': z.object({}),
  'chat/new': z.object({}),
  ...conversationsToHost,
  ...actingToHost,
  'chat/setApiKey': z.object({}),
  /** The choice of who answers, with which model. */
  'models/choose': z.object({}),
  /** Does not wait any longer for a provider that asked to. */
  'models/retryNow': z.object({}),
  'models/useVscode': z.object({}),
  'models/useEndpoint': z.object({}),
  'chat/addServer': z.object({}),
  /** The tool list, and Start for a server that waits for permission. */
  'chat/showTools': z.object({}),
  ...contextToHost,
  'consent/answer': personAnswer,
  'consent/show': definitionToShow,
  ...budgetToHost,
  'link/open': z.object({ href: z.string().max(8_192) }),
  'file/open': fileReference,
  'code/copy': z.object({ text: z.string().max(1_000_000) }),
  'code/insert': z.object({ text: z.string().max(1_000_000) }),
} as const;

/** From the extension host to the chat's page: snapshots, and deltas for what streams. */
export const chatToView = {
  'chat/state': chatState,
  /** Replaces the item of the same id, or appends it. */
  'chat/item': z.object({ conversationId: z.string(), item: chatItem }),
  /** Appends to a text part of an assistant item (the part exists already). */
  'chat/text': z.object({ conversationId: z.string(), itemId: z.string(), partId: z.string(), text: z.string() }),
  /** Everything of the state but the items. */
  'chat/status': chatState.omit({ items: true }),
  ...conversationsToView,
  'chat/focus': z.object({}),
  /** Puts text into the composer without sending it. */
  'chat/draft': z.object({ text: z.string() }),
  ...contextToView,
  ...budgetToView,
} as const;
