import * as z from 'zod';
import { isTooDeep } from '../../base/jsonDepth.ts';
import type { ChatItem } from '../../contract/chatState.ts';
import { maxTitleLength } from '../../contract/chat/conversations.ts';
import { Turns } from '../../base/turns.ts';
import { chatError } from '../chatSentences.ts';
import type { SavedConversation } from '../conversationFile.ts';

/**
 * A conversation's file has three lines: what a list shows of it, the text to search in, and the conversation itself. So a list
 * reads the first bytes of each file, and a search no more than the text. A file that is one JSON value is read too.
 */
const header = z.object({
  format: z.literal('duplex-conversation'),
  version: z.number().int().positive(),
  title: z.string(),
  changedAt: z.number(),
  messages: z.number().int().nonnegative(),
  /** One more with every whole file: tells what was streamed since from what was streamed before. */
  revision: z.number().int().nonnegative(),
  /** Of the second line. */
  textBytes: z.number().int().nonnegative(),
});
export type StoredHeader = z.infer<typeof header>;

export const currentVersion = 1;
/** As much of a conversation's text can be found by searching. */
export const maxSearchedCharacters = 200_000;
/** Holds the longest header. */
export const headerBytes = 4_096;

/** In turns: a long conversation would keep everybody else waiting. */
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
  const taking = new Turns();
  const lists = [
    `"items":${await listText(items, taking)}`,
    `"turns":${await listText(turns, taking)}`,
    `"sides":${await listText(sides, taking)}`,
  ];
  return `${JSON.stringify(first)}\n${text}\n${JSON.stringify(rest).slice(0, -1)},${lists.join(',')}}\n`;
}

async function listText(values: readonly object[], turns: Turns): Promise<string> {
  const texts: string[] = [];
  for (const value of values) {
    texts.push(JSON.stringify(value));
    await turns.next();
  }
  return `[${texts.join(',')}]`;
}

/** Undefined when the file does not begin with one, as the oldest ones. */
export function decodeHeader(start: string): StoredHeader | undefined {
  const read = header.safeParse(parseJson(start.split('\n', 1)[0] ?? ''));
  return read.success ? read.data : undefined;
}

/** In lower case. */
export function decodeSearchedText(start: string): string {
  const text = parseJson(start.split('\n', 2)[1] ?? '');
  return typeof text === 'string' ? text : '';
}

/** Throws when it cannot be read. */
export function decodeStored(text: string): { readonly header: StoredHeader | undefined; readonly value: unknown } {
  const first = decodeHeader(text.slice(0, headerBytes));
  const body = first === undefined ? text : text.slice(text.indexOf('\n', text.indexOf('\n') + 1) + 1);
  const value = isTooDeep(body) ? undefined : parseJson(body);
  if (value === undefined) {
    throw chatError('chat.savedConversationInvalid');
  }
  return { header: first, value };
}

/** What the person called it, or the beginning of what they asked first. */
export function titleOf({ title, items }: Pick<SavedConversation, 'title' | 'items'>): string {
  const first = items.find((item) => item.kind === 'user');
  const words = title ?? (first?.kind === 'user' ? (first.text.trim().split('\n', 1)[0] ?? '') : '');
  return words.slice(0, maxTitleLength);
}

/** What people said and what they were answered; what tools returned is not theirs to remember. */
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
