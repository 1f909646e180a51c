import * as z from 'zod';
import { isJsonObject, parsedJson } from '../../base/json.ts';
import { parseInSlices } from '../../base/slicedJson.ts';
import { Slices } from '../../base/slices.ts';
import { maxTitleLength } from '../../contract/chat/conversations.ts';
import type { ChatItem } from '../../contract/chat/chatState.ts';
import { chatError } from '../conversation/chatSentences.ts';
import type { SavedConversation } from '../conversation/conversationFile.ts';

/**
 * A conversation's file has three lines: a header with what a list shows, the text to search in, and the conversation itself. So a list
 * reads only the first bytes of each file, and a search only the text. An old file that is one JSON value is read too.
 */
const header = z.object({
  format: z.literal('duplex-conversation'),
  version: z.number().int().positive(),
  title: z.string(),
  changedAt: z.number(),
  messages: z.number().int().nonnegative(),
  /** Rises with every whole file, so that what was streamed since can be told from what was streamed before. */
  revision: z.number().int().nonnegative(),
  /** The size of the second line. */
  textBytes: z.number().int().nonnegative(),
});
export type StoredHeader = z.infer<typeof header>;

export const currentVersion = 1;
/** How many characters of a conversation can be found by a search. */
export const maxSearchedCharacters = 200_000;
/** The first bytes of a file that are read for its header; no header is longer. */
export const headerBytes = 4_096;

/** Makes the text of a file, in slices of work, because a long conversation would keep everything else waiting. */
export async function encodeStored(saved: SavedConversation, revision: number, changedAt: number): Promise<string> {
  const text = JSON.stringify(searchedText(saved.items));
  const first: StoredHeader = {
    format: 'duplex-conversation',
    version: currentVersion,
    title: titleOf(saved),
    changedAt,
    messages: saved.items.length,
    revision,
    textBytes: new TextEncoder().encode(text).length,
  };
  const { items, turns, sides, ...rest } = saved;
  const slices = new Slices();
  const lists = [
    `"items":${await listText(items, slices)}`,
    `"turns":${await listText(turns, slices)}`,
    `"sides":${await listText(sides, slices)}`,
  ];
  return `${JSON.stringify(first)}\n${text}\n${JSON.stringify(rest).slice(0, -1)},${lists.join(',')}}\n`;
}

async function listText(values: readonly object[], slices: Slices): Promise<string> {
  const texts: string[] = [];
  for (const value of values) {
    texts.push(JSON.stringify(value));
    await slices.pauseIfUsedUp();
  }
  return `[${texts.join(',')}]`;
}

/** Reads the header; undefined for the oldest files, which have none. */
export function decodeHeader(start: string): StoredHeader | undefined {
  const read = header.safeParse(parsedJson(start.split('\n', 1)[0] ?? ''));
  return read.success ? read.data : undefined;
}

/** Reads the text to search in, which is in lower case. */
export function decodeSearchedText(start: string): string {
  const text = parsedJson(start.split('\n', 2)[1] ?? '');
  return typeof text === 'string' ? text : '';
}

/** Reads the conversation, in slices of work. Throws when it cannot be read. */
export async function decodeStored(text: string): Promise<unknown> {
  const first = decodeHeader(text.slice(0, headerBytes));
  const body = first === undefined ? text : text.slice(text.indexOf('\n', text.indexOf('\n') + 1) + 1);
  try {
    return await parseInSlices(body);
  } catch {
    throw chatError('chat.savedConversationInvalid');
  }
}

/** The title that the person gave it, or the first line of their first message. */
export function titleOf({ title, items }: Pick<SavedConversation, 'title' | 'items'>): string {
  const first = items.find((item) => item.kind === 'user');
  const words = title ?? (first?.kind === 'user' ? (first.text.trim().split('\n', 1)[0] ?? '') : '');
  return words.slice(0, maxTitleLength);
}

/** The text to search in: what the person said and what they were answered, but not what tools returned. */
function searchedText(items: readonly ChatItem[]): string {
  let text = '';
  for (const item of items) {
    const said = item.kind === 'user' ? [item.text] : item.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
    text += `${said.join('\n')}\n`;
    if (text.length > maxSearchedCharacters) {
      break;
    }
  }
  return text.slice(0, maxSearchedCharacters).toLocaleLowerCase();
}

/** What has changed since the whole file of this revision was written; it is small, so that it can be written twice a second. */
const conversationDelta = z.object({
  base: z.number(),
  items: z.array(z.unknown()),
  turns: z.array(z.unknown()),
  queue: z.array(z.unknown()).optional(),
});
/** When the changes are longer than this, the whole file is written, so that the next changes are small again. */
export const maxDeltaLength = 500_000;

/** The field that says how many parts or messages are unchanged and not repeated. */
const sameField = 'same';

/**
 * The changes from `base` to `now`; undefined when more than items, turns and the queue have changed. Equal objects are unchanged.
 * `isWhole` says that the file has all of `base`, with all parts.
 */
export function deltaText(base: SavedConversation, now: SavedConversation, revision: number, isWhole: boolean): string | undefined {
  const { items, turns, queue, ...rest } = now;
  const { items: baseItems, turns: baseTurns, queue: baseQueue, ...baseRest } = base;
  const isContinued =
    startsWith(items, baseItems, ({ id }) => id) &&
    startsWith(turns, baseTurns, ({ assistantItemId }) => assistantItemId) &&
    haveSameValues(rest, baseRest);
  if (!isContinued) {
    return undefined;
  }
  return JSON.stringify({
    base: revision,
    items: items.flatMap((item, index) => {
      const before = baseItems[index];
      const parts = isWhole && item.kind === 'assistant' && before?.kind === 'assistant' ? before.parts : [];
      return item === before ? [] : [item.kind === 'assistant' ? { ...item, ...since('parts', item.parts, parts) } : item];
    }),
    turns: turns.flatMap((turn, index) => {
      const before = baseTurns[index];
      return turn === before ? [] : [{ ...turn, ...since('messages', turn.messages, isWhole ? (before?.messages ?? []) : []) }];
    }),
    ...(queue === baseQueue ? {} : { queue }),
  });
}

/**
 * Applies what was streamed later to a stored value; gives the value back unchanged when that belongs to another revision or cannot be
 * read.
 */
export async function withDelta(value: unknown, text: string | undefined, revision: number): Promise<unknown> {
  const delta = conversationDelta.safeParse(await parseInSlices(text ?? '').catch(() => undefined));
  if (!delta.success || delta.data.base !== revision || !isJsonObject(value)) {
    return value;
  }
  return {
    ...value,
    items: merge(value['items'], delta.data.items, 'id', 'parts'),
    turns: merge(value['turns'], delta.data.turns, 'assistantItemId', 'messages'),
    ...(delta.data.queue === undefined ? {} : { queue: delta.data.queue }),
  };
}

function since(name: string, list: readonly unknown[], before: readonly unknown[]): object {
  const index = list.findIndex((each, at) => each !== before[at]);
  const same = index < 0 ? list.length : index;
  return same === 0 ? {} : { [name]: list.slice(same), [sameField]: same };
}

function continued(old: unknown, each: unknown, name: string): unknown {
  if (!isJsonObject(each) || typeof each[sameField] !== 'number') {
    return each;
  }
  const { [sameField]: same, ...rest } = each;
  const before: unknown = isJsonObject(old) ? old[name] : undefined;
  const list = rest[name];
  const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
  return isList(before) && isList(list) ? { ...rest, [name]: [...before.slice(0, same), ...list] } : rest;
}

function startsWith<T>(list: readonly T[], beginning: readonly T[], keyOf: (value: T) => string): boolean {
  return (
    beginning.length <= list.length && beginning.every((value, index) => value === list[index] || keyOf(value) === keyOf(list[index] as T))
  );
}

function haveSameValues(one: object, other: object): boolean {
  const others = new Map(Object.entries(other));
  const entries = Object.entries(one);
  return entries.length === others.size && entries.every(([name, value]) => others.get(name) === value);
}

function merge(list: unknown, changed: readonly unknown[], key: string, name: string): unknown {
  if (!Array.isArray(list)) {
    return list;
  }
  const merged: unknown[] = [...(list as unknown[])];
  for (const each of changed) {
    const index = merged.findIndex((old) => isJsonObject(old) && isJsonObject(each) && old[key] === each[key]);
    merged.splice(index < 0 ? merged.length : index, index < 0 ? 0 : 1, continued(merged[index], each, name));
  }
  return merged;
}
