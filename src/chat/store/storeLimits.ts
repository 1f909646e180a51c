import type { ChatItem } from '../../contract/chatState.ts';
import type { SavedConversation } from '../conversationFile.ts';
import type { Turn } from '../history.ts';

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
 * As much of a conversation as there is room for: other versions of its messages go first, then its oldest messages, and of a
 * last one that is too large by itself what tools returned.
 */
export function fitted(saved: SavedConversation, maxBytes: number): SavedConversation {
  const sizes = saved.items.map((item) => sizeOf(item) + sizeOf(saved.turns.filter((turn) => turn.assistantItemId === item.id)));
  let bytes = sizes.reduce((sum, size) => sum + size, 0);
  if (bytes + sizeOf(saved.sides) <= maxBytes) {
    return saved;
  }
  let first = 0;
  // Questions go with their answers.
  while (bytes > maxBytes && first < saved.items.length - 2) {
    bytes -= sizes[first] ?? 0;
    first += 1;
    while (first < saved.items.length - 2 && saved.items[first]?.kind !== 'user') {
      bytes -= sizes[first] ?? 0;
      first += 1;
    }
  }
  const items = saved.items.slice(first);
  const ids = new Set(items.map(({ id }) => id));
  const turns = saved.turns.filter(({ userItemId, assistantItemId }) => ids.has(userItemId) && ids.has(assistantItemId));
  const isStillTooLarge = bytes > maxBytes;
  return {
    ...saved,
    messagesLeftOut: (saved.messagesLeftOut ?? 0) + first + saved.sides.length,
    sides: [],
    items: isStillTooLarge ? items.map(withoutResults) : items,
    turns: isStillTooLarge ? turns.map(firstMessageOnly) : turns,
  };
}

function sizeOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
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
