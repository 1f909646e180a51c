import * as z from 'zod';
import { callApp } from './appMessages.ts';
import { callFact } from './callFacts.ts';
import { attachment, composerContext } from './attachments.ts';
import { conversationHeading } from './conversations.ts';
import { compactionPart, contextBudget, keptResult, shownInstructions } from './contextBudget.ts';
import { answerFeedback, branchPlace, queuedMessage } from './messageActions.ts';
import { editsPart, thinkingPart, turnCost, turnUsage, waitingPart } from './answerParts.ts';
import { editReview } from './editReview.ts';
import { question } from '../questions/questions.ts';
import { contentItem, contentSource } from '../questions/sentContent.ts';

/** An item of what a tool returned. Like all of the chat's state, the extension host owns it; the page holds a copy and decides nothing. */
export const toolResultItem = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string() }),
  z.object({ kind: z.literal('image'), mimeType: z.string(), data: z.string() }),
  z.object({ kind: z.literal('audio'), mimeType: z.string(), data: z.string() }),
  z.object({ kind: z.literal('link'), uri: z.string(), name: z.string() }),
  z.object({ kind: z.literal('structured'), json: z.string() }),
]);
export type ToolResultItem = z.infer<typeof toolResultItem>;

const toolCallState = z.enum(['waiting', 'running', 'done', 'failed', 'denied', 'cancelled']);
export type ToolCallState = z.infer<typeof toolCallState>;

const toolCallPart = z.object({
  kind: z.literal('toolCall'),
  id: z.string(),
  server: z.string(),
  /** The id of the server, where it is known: another server may come to have the same name. */
  serverId: z.string().optional(),
  tool: z.string(),
  state: toolCallState,
  /** The arguments as JSON text. */
  arguments: z.string(),
  /** What the call is about, on one line, such as the path that is read. */
  about: z.string().optional(),
  /** The person has changed the arguments, so they are not those that the model asked for. */
  isChanged: z.boolean().optional(),
  result: z.array(toolResultItem),
  resultBytes: z.number(),
  /** What came of the call, where that is known. */
  facts: z.array(callFact).optional(),
  /** Where the whole result is kept, when it is longer than the model gets at once. */
  kept: keptResult.optional(),
  /** Why it failed, in one sentence. */
  error: z.string().optional(),
  /** What its server last wrote to its error output, when the server ended during the call. */
  lastWords: z.array(z.string()).optional(),
  elapsedMs: z.number().optional(),
  /** When the call began, by a clock of its own: only the difference to another call of the same answer means something. */
  startedAtMs: z.number().optional(),
  progress: z.object({ value: z.number(), total: z.number().optional(), message: z.string().optional() }).optional(),
  /** The open permission question that this call waits for. */
  question: question.optional(),
  /** The change that this call proposed and that waits for the person. */
  review: editReview.optional(),
  /** The page that the server gave to the tool, to show what came of the call. */
  app: callApp.optional(),
});
export type ToolCallPart = z.infer<typeof toolCallPart>;

const textPart = z.object({ kind: z.literal('text'), id: z.string(), text: z.string() });
const noticePart = z.object({ kind: z.literal('notice'), id: z.string(), text: z.string() });
/** A question that belongs to the answer as a whole: may a server start, so that its tools are there? */
const questionPart = z.object({ kind: z.literal('question'), id: z.string(), question });
/** A server's resource or prompt that the person lets into the conversation, or does not. */
const contentPart = z.object({
  kind: z.literal('content'),
  id: z.string(),
  server: z.string(),
  source: contentSource,
  state: z.enum(['reading', 'waiting', 'sent', 'denied', 'failed', 'cancelled']),
  /** What was sent; empty as long as nothing was. */
  items: z.array(contentItem),
  bytes: z.number(),
  /** How many of the secrets that were found were removed before sending; `keptSecrets` has the numbers of those that were sent. */
  removedSecrets: z.number(),
  keptSecrets: z.array(z.number()),
  /** Why it failed or was refused by a remembered answer, in one sentence. */
  error: z.string().optional(),
  question: question.optional(),
});
export type ContentPart = z.infer<typeof contentPart>;
export const chatPart = z.discriminatedUnion('kind', [
  textPart,
  toolCallPart,
  noticePart,
  questionPart,
  contentPart,
  editsPart,
  compactionPart,
  thinkingPart,
  waitingPart,
]);
export type ChatPart = z.infer<typeof chatPart>;

const chatError = z.object({
  message: z.string(),
  detail: z.string().optional(),
  action: z.enum(['retry', 'setApiKey', 'chooseModel', 'continue']).optional(),
});
export type ChatError = z.infer<typeof chatError>;

const userItem = z.object({
  kind: z.literal('user'),
  id: z.string(),
  text: z.string(),
  attachments: z.array(attachment).optional(),
  /** Which version of the message this is; left out while there is only one. */
  branch: branchPlace.optional(),
});
const assistantItem = z.object({
  kind: z.literal('assistant'),
  id: z.string(),
  state: z.enum(['streaming', 'done', 'stopped', 'failed', 'interrupted']),
  parts: z.array(chatPart),
  error: chatError.optional(),
  usage: turnUsage.optional(),
  cost: turnCost.optional(),
  feedback: answerFeedback.optional(),
});
export const chatItem = z.discriminatedUnion('kind', [userItem, assistantItem]);
export type ChatItem = z.infer<typeof chatItem>;
export type UserItem = z.infer<typeof userItem>;
export type AssistantItem = z.infer<typeof assistantItem>;

/** A suggestion shown in an empty chat; there are at most three. */
const suggestion = z.object({ id: z.string(), label: z.string(), text: z.string() });

export const chatState = z.object({
  conversationId: z.string(),
  heading: conversationHeading.optional(),
  items: z.array(chatItem),
  /** Whether it is shown as plain text, because the last time no page came to an end with drawing it. */
  isPlain: z.boolean().optional(),
  isRunning: z.boolean(),
  /** The chat is shown in a tab of its own and not in the sidebar. */
  isInEditor: z.boolean().optional(),
  /** Messages that wait to be sent one after the other. They go back to the composer when no answer is running. */
  queue: z.array(queuedMessage).optional(),
  provider: z.object({
    kind: z.enum(['anthropic', 'vscode', 'offline']),
    /** The name of who answers, such as "Claude Opus 4.6" or "Offline guide, not an AI". */
    label: z.string(),
    isAi: z.boolean(),
  }),
  /** Nobody has chosen yet who answers, and only the guide is there. */
  isFirstRun: z.boolean().optional(),
  tools: z.array(
    z.object({ server: z.string(), count: z.number(), state: z.enum(['ready', 'starting', 'needsPermission', 'failed', 'stopped']) }),
  ),
  suggestions: z.array(suggestion),
  /** How full the context is; left out where nobody counts. */
  context: contextBudget.optional(),
  instructions: z.array(shownInstructions).optional(),
  /** What is attached to the message being written. */
  attached: composerContext.optional(),
});
export type ChatState = z.infer<typeof chatState>;
