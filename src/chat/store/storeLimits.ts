import { Slices } from '../../base/slices.ts';
import type { ChatItem, ChatPart, ToolResultItem } from '../../contract/chat/chatState.ts';
import type { ContentItem } from '../../contract/questions/sentContent.ts';
import type { ConversationLine, Fork } from '../conversation/branches.ts';
import type { SavedConversation } from '../conversation/conversationFile.ts';
import type { Turn } from '../conversation/history.ts';
import type { AttachedBlock, ModelMessage, TextBlock } from '../models/modelProvider.ts';

export interface StoreLimits {
  readonly maxConversationBytes: number;
  readonly maxConversations: number;
  readonly maxWorkspaceBytes: number;
  readonly maxTotalBytes: number;
}

export const storeLimits: StoreLimits = {
  maxConversationBytes: 8_000_000,
  maxConversations: 200,
  maxWorkspaceBytes: 64_000_000,
  maxTotalBytes: 256_000_000,
};

/**
 * As much of a conversation as there is room for. First the data of tool results and attachments is emptied, in other versions of
 * messages and then in the oldest messages. Then other versions are removed, then the oldest messages, and of a last message that is
 * still too large all tool results.
 */
export function fitted(saved: SavedConversation, maxBytes: number): SavedConversation {
  const bytes = sizeOfAll(saved.items) + sizeOfAll(saved.turns) + sizeOfAll(saved.sides) + sizeOf(saved.queue);
  if (bytes <= maxBytes) {
    return saved;
  }
  const emptied = withoutData(saved, bytes - maxBytes);
  let over = emptied.over;
  const firstSide = countUntil(emptied.sides, (fork) => (over <= 0 ? undefined : (over -= sizeOf(fork))));
  const kept = { ...saved, items: emptied.items, turns: emptied.turns, sides: emptied.sides.slice(firstSide) };
  const leftOut = (saved.messagesLeftOut ?? 0) + firstSide;
  const lighter = leftOut === 0 ? kept : { ...kept, messagesLeftOut: leftOut };
  return over <= 0 ? lighter : withoutOldest(lighter, over);
}

/** Empties data until the conversation is small enough, or nothing is left to empty. */
function withoutData(saved: SavedConversation, tooMuch: number): ConversationLine & { readonly over: number } {
  let over = tooMuch;
  const lighter = <T extends object>(value: T, make: (value: T) => T): T => {
    if (over <= 0) {
      return value;
    }
    const made = make(value);
    const less = sizeOf(value) - sizeOf(made);
    over -= Math.max(0, less);
    return less > 0 ? made : value;
  };
  const sides = saved.sides.map((fork) => lighter(fork, forkWithoutData));
  const turnOf = new Map(saved.turns.map((turn) => [turn.assistantItemId, turn]));
  const items = saved.items.map((item) => {
    const turn = turnOf.get(item.id);
    if (turn !== undefined) {
      turnOf.set(item.id, lighter(turn, turnWithoutData));
    }
    return lighter(item, itemWithoutData);
  });
  return { items, turns: saved.turns.map((turn) => turnOf.get(turn.assistantItemId) ?? turn), sides, over };
}

/** Removes the oldest messages, each with its answer; the last ones stay. */
function withoutOldest(saved: SavedConversation, tooMuch: number): SavedConversation {
  const turnOf = new Map(saved.turns.map((turn) => [turn.assistantItemId, turn]));
  let over = tooMuch;
  const first = countUntil(saved.items.slice(0, -2), (item) => {
    if (over <= 0 && item.kind === 'user') {
      return undefined;
    }
    return (over -= sizeOf(item) + sizeOf(turnOf.get(item.id) ?? {}));
  });
  const items = saved.items.slice(first);
  const ids = new Set(items.map(({ id }) => id));
  const turns = saved.turns.filter(({ userItemId, assistantItemId }) => ids.has(userItemId) && ids.has(assistantItemId));
  const isStillTooLarge = over > 0;
  return {
    ...saved,
    messagesLeftOut: (saved.messagesLeftOut ?? 0) + first,
    items: isStillTooLarge ? items.map(withoutResults) : items,
    turns: isStillTooLarge ? turns.map(firstMessageOnly) : turns,
  };
}

/** Counts values from the beginning, until `take` gives back undefined for the first that stays. */
function countUntil<T>(list: readonly T[], take: (value: T) => number | undefined): number {
  const index = list.findIndex((value) => take(value) === undefined);
  return index < 0 ? list.length : index;
}

/** Measures each part, in slices of work, so that `fitted` is quick afterwards. */
export async function measure({ items, turns, sides }: SavedConversation): Promise<void> {
  const slices = new Slices();
  for (const value of [...items, ...turns, ...sides]) {
    if (!sizes.has(value)) {
      sizeOf(value);
      await slices.pauseIfUsedUp();
    }
  }
}

const sizes = new WeakMap<object, number>();

/** The size of a value as JSON. It is measured once, because stored values are replaced and never changed. */
function sizeOf(value: object): number {
  const size = sizes.get(value) ?? Buffer.byteLength(JSON.stringify(value)) + 1;
  sizes.set(value, size);
  return size;
}

function sizeOfAll(values: readonly object[]): number {
  return values.reduce((sum: number, value) => sum + sizeOf(value), 0);
}

function withoutResults(item: ChatItem): ChatItem {
  if (item.kind === 'user') {
    return item;
  }
  const parts = item.parts.map((part) =>
    part.kind === 'toolCall' ? { ...part, result: [] } : part.kind === 'content' ? { ...part, items: [] } : part,
  );
  return { ...item, parts };
}

function firstMessageOnly(turn: Turn): Turn {
  return { ...turn, messages: turn.messages.slice(0, 1), safe: { messages: 1, parts: 0 } };
}

/** The text, for people and for the model, in place of what there was no room for. */
const leftOut = '[left out]';
/** The most characters of a tool result or an attachment that stay when data is emptied. */
const maxKeptText = 4_000;

type UserContent = Extract<ModelMessage, { role: 'user' }>['content'];

const lighterItems = new WeakMap<ChatItem, ChatItem>();
const lighterTurns = new WeakMap<Turn, Turn>();
const lighterForks = new WeakMap<Fork, Fork>();

/** An item without images, sounds and long data. What people and models said stays, and so does the number of parts. */
function itemWithoutData(item: ChatItem): ChatItem {
  return remembered(lighterItems, item, () => (item.kind === 'user' ? item : { ...item, parts: item.parts.map(partWithoutData) }));
}

/** A turn without images, documents and long data. */
function turnWithoutData(turn: Turn): Turn {
  return remembered(lighterTurns, turn, () => ({
    ...turn,
    messages: turn.messages.map((message) =>
      message.role === 'user' ? { ...message, content: message.content.map(blockWithoutData) } : message,
    ),
  }));
}

function forkWithoutData(fork: Fork): Fork {
  return remembered(lighterForks, fork, () => ({ ...fork, others: fork.others.map(lineWithoutData) }));
}

function lineWithoutData({ items, turns, sides }: ConversationLine): ConversationLine {
  return { items: items.map(itemWithoutData), turns: turns.map(turnWithoutData), sides: sides.map(forkWithoutData) };
}

function partWithoutData(part: ChatPart): ChatPart {
  if (part.kind === 'toolCall') {
    return { ...part, result: part.result.map(resultWithoutData) };
  }
  return part.kind === 'content' ? { ...part, items: part.items.map(contentWithoutData) } : part;
}

function resultWithoutData(item: ToolResultItem): ToolResultItem {
  switch (item.kind) {
    case 'image':
    case 'audio':
      return { kind: 'text', text: leftOut };
    case 'structured':
      return item.json.length > maxKeptText ? { kind: 'text', text: shortened(item.json) } : item;
    case 'text':
      return { ...item, text: shortened(item.text) };
    case 'link':
      return item;
  }
}

function contentWithoutData(item: ContentItem): ContentItem {
  switch (item.kind) {
    case 'image':
      return { kind: 'named', role: item.role, name: item.name, what: 'image', mimeType: item.mimeType, bytes: item.bytes };
    case 'text':
      return item.pieces.reduce<number>((sum, piece) => sum + String(piece).length, 0) > maxKeptText
        ? { ...item, pieces: [...firstPieces(item.pieces), leftOut] }
        : item;
    case 'document':
    case 'named':
    case 'link':
      return item;
  }
}

function firstPieces(pieces: readonly (string | number)[]): readonly (string | number)[] {
  let room = maxKeptText;
  return pieces.flatMap((piece) => {
    const kept = typeof piece === 'string' ? piece.slice(0, Math.max(0, room)) : piece;
    const isKept = room > 0;
    room -= String(piece).length;
    return isKept ? [kept] : [];
  });
}

function blockWithoutData(block: UserContent[number]): UserContent[number] {
  switch (block.type) {
    case 'image':
    case 'document':
      return { type: 'text', text: leftOut };
    case 'toolResult':
    case 'attached':
      return { ...block, content: block.content.map(shortBlock) };
    case 'text':
      return block;
  }
}

function shortBlock(block: AttachedBlock['content'][number]): TextBlock {
  return { type: 'text', text: block.type === 'text' ? shortened(block.text) : leftOut };
}

function shortened(text: string): string {
  return text.length > maxKeptText ? `${text.slice(0, maxKeptText)}\n${leftOut}` : text;
}

/** Remembers what was made of a value: stored values are replaced and never changed. */
function remembered<T extends object>(known: WeakMap<T, T>, value: T, make: () => T): T {
  const made = known.get(value) ?? make();
  known.set(value, made);
  return made;
}
