import type { ChatItem } from '../../contract/chat/chatState.ts';
import type { Turn } from './history.ts';
import { without } from '../../base/without.ts';

/** The most versions of one message; with more, the oldest is dropped. */
export const maxVersions = 100;

/**
 * A conversation, or what followed one version of a message: the items that are shown, the turns that the model is sent, and the
 * versions that were put aside.
 */
export interface ConversationLine {
  readonly items: readonly ChatItem[];
  readonly turns: readonly Turn[];
  readonly sides: readonly Fork[];
}

/** A message that has several versions, each with everything that followed it. */
export interface Fork {
  /** The id of the version that is shown. */
  readonly at: string;
  /** The place of the shown version among all of them. */
  readonly index: number;
  /** The other versions, in order. Each begins with its own version of the message. */
  readonly others: readonly ConversationLine[];
}

/** Puts a message and everything after it aside, to make room for another version that is added next under `newId`. */
export function putAside(line: ConversationLine, itemId: string, newId: string): ConversationLine {
  const split = splitAt(line, itemId);
  if (split === undefined) {
    return line;
  }
  const others = versionsOf(split).slice(1 - maxVersions);
  const fork: Fork = { at: newId, index: others.length, others };
  return { ...split.before, sides: [...split.before.sides, fork] };
}

/** Shows another version of a message, with everything that followed it. Gives back the same line when there is no such version. */
export function showVersion(line: ConversationLine, itemId: string, index: number): ConversationLine {
  const split = splitAt(line, itemId);
  const versions = split === undefined ? [] : versionsOf(split);
  const shown = versions[index];
  const first = shown?.items[0];
  if (split === undefined || shown === undefined || first === undefined || index === split.fork?.index) {
    return line;
  }
  const fork: Fork = { at: first.id, index, others: versions.toSpliced(index, 1) };
  return markVersions({
    items: [...split.before.items, ...shown.items],
    turns: [...split.before.turns, ...shown.turns],
    sides: [...split.before.sides, fork, ...shown.sides],
  });
}

/** Writes into each message of the person which version of how many it is. */
export function markVersions(line: ConversationLine): ConversationLine {
  const forks = new Map(line.sides.map((fork) => [fork.at, fork]));
  const items = line.items.map((item) => {
    if (item.kind !== 'user') {
      return item;
    }
    const fork = forks.get(item.id);
    if (fork === undefined) {
      return item.branch === undefined ? item : without(item, 'branch');
    }
    return { ...item, branch: { index: fork.index, count: fork.others.length + 1 } };
  });
  return { ...line, items };
}

/** Every item, also those of versions that were put aside. */
export function allItems({ items, sides }: Pick<ConversationLine, 'items' | 'sides'>): readonly ChatItem[] {
  return [...items, ...sides.flatMap(({ others }) => others.flatMap(allItems))];
}

interface Split {
  readonly before: ConversationLine;
  readonly tail: ConversationLine;
  /** The fork at the message where the line is split. */
  readonly fork: Fork | undefined;
}

function splitAt({ items, turns, sides }: ConversationLine, itemId: string): Split | undefined {
  const index = items.findIndex((item) => item.id === itemId && item.kind === 'user');
  if (index < 0) {
    return undefined;
  }
  const later = new Set(items.slice(index).map(({ id }) => id));
  return {
    before: {
      items: items.slice(0, index),
      turns: turns.filter((turn) => !later.has(turn.userItemId)),
      sides: sides.filter(({ at }) => !later.has(at)),
    },
    tail: {
      items: items.slice(index).map((item) => (item.id === itemId && item.kind === 'user' ? without(item, 'branch') : item)),
      turns: turns.filter((turn) => later.has(turn.userItemId)),
      sides: sides.filter(({ at }) => later.has(at) && at !== itemId),
    },
    fork: sides.find(({ at }) => at === itemId),
  };
}

function versionsOf({ fork, tail }: Split): readonly ConversationLine[] {
  return fork === undefined ? [tail] : fork.others.toSpliced(fork.index, 0, tail);
}
