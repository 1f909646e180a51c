import type { ChatItem, ChatPart, ToolResultItem } from '../../contract/chatState.ts';
import type { ContentItem } from '../../contract/sentContent.ts';
import type { ConversationLine, Fork } from '../branches.ts';
import type { Turn } from '../history.ts';
import type { AttachedBlock, ModelMessage, TextBlock } from '../modelProvider.ts';

/** Stands for what there was no room to keep, for people and for the model. */
const leftOut = '[left out]';
/** What a tool returned, or was attached, is data from here on, and of its text only a beginning stays. */
const maxKeptText = 4_000;

type UserContent = Extract<ModelMessage, { role: 'user' }>['content'];

const lighterItems = new WeakMap<ChatItem, ChatItem>();
const lighterTurns = new WeakMap<Turn, Turn>();
const lighterForks = new WeakMap<Fork, Fork>();

/** Without images, sounds and long data; what people and models said stays, and so does the number of parts. */
export function itemWithoutData(item: ChatItem): ChatItem {
  return remembered(lighterItems, item, () => (item.kind === 'user' ? item : { ...item, parts: item.parts.map(partWithoutData) }));
}

/** The same for what the model is sent. */
export function turnWithoutData(turn: Turn): Turn {
  return remembered(lighterTurns, turn, () => ({
    ...turn,
    messages: turn.messages.map((message) =>
      message.role === 'user' ? { ...message, content: message.content.map(blockWithoutData) } : message,
    ),
  }));
}

export function forkWithoutData(fork: Fork): Fork {
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

/** What is stored is replaced, never changed, so each is made once. */
function remembered<T extends object>(known: WeakMap<T, T>, value: T, make: () => T): T {
  const made = known.get(value) ?? make();
  known.set(value, made);
  return made;
}
