import * as z from 'zod';
import { isJsonObject, type JsonObject, parsedObject } from '../../base/json.ts';
import { Slices } from '../../base/slices.ts';
import { without } from '../../base/without.ts';
import type { HeardResult } from '../../consent/heard/heardTexts.ts';
import { queuedMessage, type QueuedMessage } from '../../contract/chat/messageActions.ts';
import { attachmentKind } from '../../contract/chat/attachments.ts';
import { keptResult, toolChoice, type ToolChoice } from '../../contract/chat/contextBudget.ts';
import {
  chatItem,
  type ChatItem,
  chatPart,
  type ChatPart,
  type ContentPart,
  type ToolCallPart,
  type ToolResultItem,
} from '../../contract/chat/chatState.ts';
import { type ConversationLine, type Fork, markVersions } from './branches.ts';
import { chatError } from './chatSentences.ts';
import type { Turn } from './history.ts';

/** The schema of a stored conversation. Additive only: older files must stay readable. */
const jsonObject = z.custom<JsonObject>(isJsonObject);
const textBlock = z.object({ type: z.literal('text'), text: z.string() });
const imageBlock = z.object({ type: z.literal('image'), mimeType: z.string(), data: z.string() });
const documentBlock = z.object({ type: z.literal('document'), mimeType: z.literal('application/pdf'), data: z.string(), name: z.string() });
const toolUseBlock = z.object({ type: z.literal('toolUse'), id: z.string(), name: z.string(), input: jsonObject });
const opaqueBlock = z.object({ type: z.literal('opaque'), provider: z.string(), model: z.string(), value: jsonObject });
const toolResultBlock = z.object({
  type: z.literal('toolResult'),
  toolUseId: z.string(),
  called: z.object({ server: z.string(), tool: z.string() }).optional(),
  isError: z.boolean(),
  outcome: z.enum(['done', 'failed', 'denied', 'deniedBefore', 'cancelled']),
  content: z.array(z.discriminatedUnion('type', [textBlock, imageBlock])),
  kept: keptResult.optional(),
});
const attachedBlock = z.object({
  type: z.literal('attached'),
  source: z.object({
    kind: z.enum(['resource', 'prompt', 'attachment']),
    server: z.string(),
    name: z.string(),
    what: attachmentKind.optional(),
  }),
  outcome: z.enum(['sent', 'failed', 'denied', 'deniedBefore', 'cancelled']),
  content: z.array(z.discriminatedUnion('type', [textBlock, imageBlock, documentBlock])),
});
const modelMessage = z.discriminatedUnion('role', [
  z.object({
    role: z.literal('user'),
    content: z.array(z.discriminatedUnion('type', [textBlock, imageBlock, documentBlock, toolResultBlock, attachedBlock])),
  }),
  z.object({ role: z.literal('assistant'), content: z.array(z.discriminatedUnion('type', [textBlock, toolUseBlock, opaqueBlock])) }),
]);
const turn = z.object({
  userItemId: z.string(),
  assistantItemId: z.string(),
  messages: z.array(modelMessage),
  safe: z.object({ messages: z.number().int().nonnegative(), parts: z.number().int().nonnegative() }),
  isWithheld: z.boolean(),
  audience: z.array(z.string()).default([]),
  compaction: z
    .object({ id: z.string(), summary: z.string(), messages: z.number().int().positive(), isWithinTurn: z.boolean() })
    .optional(),
});
const forkHead = z.object({ at: z.string(), index: z.number().int().nonnegative() });
const fork: z.ZodType<Fork> = z.lazy(() =>
  forkHead.extend({
    others: z.array(z.object({ items: z.array(chatItem).min(1), turns: z.array(turn), sides: z.array(fork) })),
  }),
);
export const savedConversation = z.object({
  version: z.literal(1),
  id: z.string().min(1),
  title: z.string().optional(),
  messagesLeftOut: z.number().int().nonnegative().optional(),
  /** A choice that cannot be read counts as no choice. */
  toolChoice: toolChoice.optional().catch(undefined),
  items: z.array(chatItem),
  turns: z.array(turn),
  /** Other versions of messages, with what followed them. */
  sides: z.array(fork).default([]),
  /** Messages that were typed while an answer ran and are not sent yet. */
  queue: z.array(queuedMessage).default([]),
});

export interface SavedConversation {
  readonly version: 1;
  readonly id: string;
  /** The title that the person gave it. */
  readonly title?: string;
  /** How many of its oldest items were left out to save room. */
  readonly messagesLeftOut?: number;
  /** Which tools go with its requests; without it, those that the workspace has chosen. */
  readonly toolChoice?: ToolChoice;
  readonly items: readonly ChatItem[];
  readonly turns: readonly Turn[];
  readonly sides: readonly Fork[];
  readonly queue: readonly QueuedMessage[];
}

/** Checks a stored conversation. An answer that ran when the window closed comes back as interrupted, and no question comes back open. */
export function readSavedConversation(value: unknown): SavedConversation {
  const { id, title, messagesLeftOut, toolChoice: choice, queue, ...line } = checked(savedConversation, value);
  return {
    version: 1,
    id,
    ...(title === undefined ? {} : { title }),
    ...(messagesLeftOut === undefined ? {} : { messagesLeftOut }),
    ...(choice === undefined ? {} : { toolChoice: choice }),
    queue,
    ...markVersions(settleLine(line)),
  };
}

function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const read = schema.safeParse(value);
  if (!read.success) {
    throw chatError('chat.savedConversationInvalid', {}, { detail: z.prettifyError(read.error).slice(0, 2_000) });
  }
  return read.data;
}

/** Does what `readSavedConversation` does, in slices of work: a long conversation would keep everything else waiting. */
export async function readSavedInSlices(value: unknown): Promise<SavedConversation> {
  if (!isJsonObject(value)) {
    return readSavedConversation(value);
  }
  const head = readSavedConversation({ ...value, items: [], turns: [], sides: [] });
  return { ...head, ...markVersions(settleLine(await readLine(value, new Slices()))) };
}

async function readLine(value: unknown, slices: Slices): Promise<ConversationLine> {
  const { items, turns, sides } = checked(lineOfAnything, value);
  return {
    items: await readEach(items, slices, (each) => readLong(each, 'parts', chatItem, chatPart, slices)),
    turns: await readEach(turns, slices, (each) => readLong(each, 'messages', turn, modelMessage, slices)),
    sides: await readEach(sides, slices, (each) => readFork(each, slices)),
  };
}

const listOfAnything = z.array(z.unknown());
const lineOfAnything = z.object({ items: listOfAnything, turns: listOfAnything, sides: listOfAnything.default([]) });
const othersOfAnything = z.object({ others: z.array(lineOfAnything.extend({ items: listOfAnything.min(1) })) });

async function readFork(value: unknown, slices: Slices): Promise<Fork> {
  const { others } = checked(othersOfAnything, value);
  return { ...checked(forkHead, value), others: await readEach(others, slices, (line) => readLine(line, slices)) };
}

/** Reads a value whose one long list may be most of it: the value without the list, and the list one by one. */
async function readLong<T>(value: unknown, list: string, schema: z.ZodType<T>, member: z.ZodType, slices: Slices): Promise<T> {
  const members = isJsonObject(value) ? value[list] : undefined;
  if (!Array.isArray(members)) {
    return checked(schema, value);
  }
  const all = await readEach(members, slices, (each) => checked(member, each));
  return { ...checked(schema, { ...(value as JsonObject), [list]: [] }), [list]: all };
}

async function readEach<T>(values: readonly unknown[], slices: Slices, read: (value: unknown) => T | Promise<T>): Promise<T[]> {
  const all: T[] = [];
  for (const value of values) {
    all.push(await read(value));
    if (slices.isUsedUp) {
      await slices.pauseIfUsedUp();
    }
  }
  return all;
}

/** Settles all items, also those put aside, and drops turns and forks whose message is gone. */
function settleLine({ items, turns, sides }: ConversationLine): ConversationLine {
  const ids = new Set(items.map((item) => item.id));
  return {
    items: items.map(settle),
    turns: turns.filter((each) => ids.has(each.userItemId) && ids.has(each.assistantItemId)),
    sides: sides.filter(({ at }) => ids.has(at)).map((each) => ({ ...each, others: each.others.map(settleLine) })),
  };
}

function settle(item: ChatItem): ChatItem {
  if (item.kind === 'user') {
    return item;
  }
  const parts = item.parts
    .filter((part) => part.kind !== 'question' && part.kind !== 'waiting')
    .map((part) => withAppAsleep(settlePart(part)));
  return { ...item, state: item.state === 'streaming' ? 'interrupted' : item.state, parts };
}

/** An app that was shown before the conversation was stored is shown again when the person wakes it. */
function withAppAsleep(part: ChatPart): ChatPart {
  if (part.kind !== 'toolCall' || part.app === undefined) {
    return part;
  }
  const { uri, height } = part.app;
  return { ...part, app: { uri, state: 'asleep', ...(height !== undefined && { height }) } };
}

/** A part as it is once its answer has ended: nothing of it is running any more, but for an app, which is ended by itself. */
export function settlePart(part: ChatPart): ChatPart {
  switch (part.kind) {
    case 'toolCall':
      return settleCall(part);
    case 'content':
      return settleContent(part);
    case 'compaction':
      return part.state === 'running' ? { ...part, state: 'failed' } : part;
    case 'text':
    case 'notice':
    case 'question':
    case 'thinking':
    case 'waiting':
    case 'edits':
      return part;
  }
}

export function settleContent(part: ContentPart): ContentPart {
  const rest: ContentPart = without(part, 'question');
  return part.state === 'reading' || part.state === 'waiting' ? { ...rest, state: 'cancelled' } : rest;
}

export function settleCall(part: ToolCallPart): ToolCallPart {
  const rest: ToolCallPart = without(part, 'question', 'progress', 'review');
  return part.state === 'waiting' || part.state === 'running' ? { ...rest, state: 'cancelled' } : rest;
}

/** The id of a server that is not known any more. A question then names its words as foreign, even if they go back to the same server. */
const unknownServer = '';
/** The most results that are read again, the latest ones; more would not be kept anyway. */
const maxResults = 500;

/**
 * What servers have said in a stored conversation, as far as its items still hold it, in order and without the secrets that were not
 * sent. Pure.
 */
export function heardAgain(items: readonly ChatItem[]): readonly HeardResult[] {
  return items
    .flatMap((item) => (item.kind === 'assistant' ? item.parts : []))
    .flatMap((part): readonly HeardResult[] => {
      if (part.kind === 'toolCall') {
        return part.result.length === 0 ? [] : [resultOf(part)];
      }
      return part.kind === 'content' && part.state === 'sent' && part.source.kind !== 'attachment' ? [contentOf(part)] : [];
    })
    .slice(-maxResults);
}

function resultOf({ serverId = unknownServer, server, tool, arguments: args, result }: ToolCallPart): HeardResult {
  return { serverId, server, tool, arguments: parsedObject(args) ?? {}, result: result.flatMap(saidIn) };
}

function saidIn(item: ToolResultItem): readonly (string | JsonObject)[] {
  switch (item.kind) {
    case 'text':
      return [item.text];
    case 'structured':
      return [item.json];
    case 'link':
      return [{ uri: item.uri, name: item.name }];
    case 'image':
    case 'audio':
      return [];
  }
}

function contentOf({ server, source, items }: ContentPart): HeardResult {
  const texts = items.flatMap((item) =>
    item.kind === 'text' ? [item.pieces.map((piece) => (typeof piece === 'string' ? piece : ' ')).join('')] : [],
  );
  const given = givenTo(source);
  return { serverId: unknownServer, server, tool: source.name, arguments: given, result: texts };
}

function givenTo(source: ContentPart['source']): JsonObject {
  switch (source.kind) {
    case 'prompt':
      return Object.fromEntries(source.arguments.map(({ name, value }) => [name, value]));
    case 'resource':
      return { uri: source.uri };
    case 'attachment':
      return {};
  }
}
