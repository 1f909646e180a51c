import * as z from 'zod';
import { isJsonObject } from '../../base/json.ts';
import type { SavedConversation } from '../conversationFile.ts';

/** What has changed since the whole file of this revision was written: small enough to be written twice a second. */
const conversationDelta = z.object({
  base: z.number(),
  items: z.array(z.unknown()),
  turns: z.array(z.unknown()),
  queue: z.array(z.unknown()).optional(),
});
/** From here on the whole is written once, so that what comes next is small again. */
export const maxDeltaLength = 500_000;

/** So many parts or messages are as they are in the whole file, and not repeated. */
const sameField = 'same';

/**
 * Undefined when it is more than items, turns and the queue that came or changed. What is the same object is the same. `isWhole`: the
 * file has all of `base`, each with all its parts.
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

/** The stored value with what was streamed later; as it is when that belongs to another revision or cannot be read. */
export function withDelta(value: unknown, text: string | undefined, revision: number): unknown {
  const delta = conversationDelta.safeParse(parseJson(text ?? ''));
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
