import type { ConversationEntry } from '../../contract/chat/conversations.ts';

export interface ListKey {
  readonly action: 'close' | 'mark' | 'open' | 'rename' | 'delete';
  readonly id: string;
}

interface PressedKey {
  readonly key: string;
  readonly isComposing: boolean;
}

/** What a key means in the list of conversations; undefined when it is the browser's. */
export function keyInList(
  { key, isComposing }: PressedKey,
  entries: readonly ConversationEntry[],
  activeId: string | undefined,
  isInRows: boolean,
  isOnButton: boolean,
): ListKey | undefined {
  if (isComposing) {
    return undefined;
  }
  if (key === 'Escape') {
    return { action: 'close', id: '' };
  }
  const index = entries.findIndex(({ id }) => id === activeId);
  const target = { ArrowDown: index + 1, ArrowUp: index - 1, ...(isInRows ? { Home: 0, End: entries.length - 1 } : {}) }[key];
  if (target !== undefined) {
    const marked = entries[Math.max(0, Math.min(entries.length - 1, target))];
    return marked === undefined ? undefined : { action: 'mark', id: marked.id };
  }
  if (activeId === undefined || isOnButton) {
    return undefined;
  }
  const actions: Readonly<Record<string, ListKey['action']>> = {
    Enter: 'open',
    F2: 'rename',
    ...(isInRows ? { Delete: 'delete', ' ': 'open' } : {}),
  };
  const action = actions[key];
  return action === undefined ? undefined : { action, id: activeId };
}

/** Which one is marked when this one is gone. */
export function nextActive(entries: readonly ConversationEntry[], goneId: string): string | undefined {
  const index = entries.findIndex(({ id }) => id === goneId);
  return (entries[index + 1] ?? entries[index - 1])?.id;
}
