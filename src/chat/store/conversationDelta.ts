import * as z from 'zod';
import { isJsonObject } from '../../base/json.ts';
import type { SavedConversation } from '../conversationFile.ts';

/** What has changed since the whole file of this revision was written: small enough to be written twice a second. */
const conversationDelta = z.object({ base: z.number(), items: z.array(z.unknown()), turns: z.array(z.unknown()) });

/** Undefined when it is more than items and turns that came or changed. Items and turns that are the same objects are the same. */
export function deltaText(base: SavedConversation, now: SavedConversation, revision: number): string | undefined {
  const { items, turns, ...rest } = now;
  const { items: baseItems, turns: baseTurns, ...baseRest } = base;
  const isContinued =
    startsWith(items, baseItems, ({ id }) => id) &&
    startsWith(turns, baseTurns, ({ assistantItemId }) => assistantItemId) &&
    haveSameValues(rest, baseRest);
  if (!isContinued) {
    return undefined;
  }
  return JSON.stringify({
    base: revision,
    items: items.filter((item, index) => item !== baseItems[index]),
    turns: turns.filter((turn, index) => turn !== baseTurns[index]),
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
    items: merge(value['items'], delta.data.items, 'id'),
    turns: merge(value['turns'], delta.data.turns, 'assistantItemId'),
  };
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

function merge(list: unknown, changed: readonly unknown[], key: string): unknown {
  if (!Array.isArray(list)) {
    return list;
  }
  const merged: unknown[] = [...(list as unknown[])];
  for (const each of changed) {
    const index = merged.findIndex((old) => isJsonObject(old) && isJsonObject(each) && old[key] === each[key]);
    merged.splice(index < 0 ? merged.length : index, index < 0 ? 0 : 1, each);
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
