import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { endWithin } from '../../base/visibleText.ts';
import { without } from '../../base/without.ts';
import { intakeLimits as limits } from './intakeLimits.ts';

/** What is left of the room for the texts and pictures of one message, and the fields that did not fit. */
export interface Room {
  text: number;
  media: number;
  readonly cut: Set<string>;
}

/** Returns a value as it may pass; undefined leaves it out. A value within its limits passes as it is, without a copy. */
export type Rule = (value: unknown, room: Room) => unknown;

interface WeighOptions {
  readonly values?: number | undefined;
  /** Members whose texts count by their length alone, because nobody shows them as text. */
  readonly free?: ReadonlySet<string> | undefined;
}

/** What a value weighs as it is shown: its characters, its keys, and for each value one and its indentation; undefined when that is too much, or when it nests too deep. */
export function weigh(value: unknown, most: number, { values = most, free }: WeighOptions = {}): number | undefined {
  let weight = 0;
  let count = 0;
  const add = (text: string, isFree: boolean): boolean => {
    const found = isFree ? { end: text.length, weight: text.length } : endWithin(text, most - weight, limits.invisible);
    weight += found.weight;
    return found.end === text.length && weight <= most;
  };
  const visit = (each: unknown, level: number, isFree: boolean): boolean => {
    // Data is shown indented.
    weight += 1 + 2 * level;
    count += 1;
    if (weight > most || count > values || level > limits.list.levels) {
      return false;
    }
    if (typeof each === 'string') {
      return add(each, isFree);
    }
    if (Array.isArray(each)) {
      return each.every((item) => visit(item, level + 1, false));
    }
    return (
      !isJsonObject(each) ||
      Object.entries(each).every(([key, member]) => add(key, false) && visit(member, level + 1, free?.has(key) === true))
    );
  };
  return visit(value, 0, false) ? weight : undefined;
}

/** Changes or removes one member, in a copy of the object. */
export function withMember(whole: JsonObject, key: string, member: unknown): JsonObject {
  if (whole[key] === member) {
    return whole;
  }
  return member === undefined ? without(whole, key) : ({ ...whole, [key]: member } as JsonObject);
}

export function cutMark(taken: number, all: number, what: string): string {
  return `[Cut by Duplex: ${taken.toLocaleString('en')} of ${all.toLocaleString('en')} ${what} were taken.]`;
}

function cutText(value: string, most: number): { readonly text: string; readonly weight: number } {
  const { end, weight } = endWithin(value, most, limits.invisible);
  const text = end === value.length ? value : `${value.slice(0, end)} ${cutMark(end, value.length, 'characters')}`;
  return { text, weight };
}

/** Whether a text fits even if nothing of it is seen: most do, and need no closer look. */
function isShort(value: string, most: number): boolean {
  return value.length * (1 + limits.invisible) <= most;
}

/** A text is cut, and says so. */
export function text(most: number): Rule {
  return (value) => (typeof value !== 'string' || isShort(value, most) ? value : cutText(value, most).text);
}

/** A text that shares the room of its message with the others. */
export const sharedText: Rule = (value, room) => {
  if (typeof value !== 'string') {
    return value;
  }
  const cut = cutText(value, room.text);
  room.text -= cut.weight;
  return cut.text;
};

/** What cannot be cut is left out when it weighs too much. */
export function whole(most: number): Rule {
  return (value) => ((typeof value === 'string' && isShort(value, most)) || weigh(value, most) !== undefined ? value : undefined);
}

/** What cannot be cut, and shares the room of its message with the texts. */
export const sharedWhole: Rule = (value, room) => {
  const weight = weigh(value, room.text);
  room.text -= weight ?? 0;
  return weight === undefined ? undefined : value;
};

export const anything: Rule = (value) => value;

/** An object whose members have rules of their own; `others` is for those that are not named. */
export function fields(rules: Readonly<Record<string, Rule>>, others: Rule = whole(limits.other)): Rule {
  return (value, room) => {
    if (!isJsonObject(value)) {
      return value;
    }
    let bounded = value;
    for (const [key, member] of Object.entries(value)) {
      const rule = Object.hasOwn(rules, key) ? rules[key] : others;
      const kept = rule === undefined ? member : rule(member, room);
      if (kept !== member) {
        room.cut.add(Object.hasOwn(rules, key) ? key : 'others');
        bounded = withMember(bounded, key, kept);
      }
    }
    return bounded;
  };
}

/** The first items of an array; those that are left out by `each` are missing. */
export function list(most: number, each: Rule = anything): Rule {
  return (value, room) => {
    if (!Array.isArray(value)) {
      return value;
    }
    const items: readonly unknown[] = value;
    const kept = items.slice(0, most).map((item) => each(item, room));
    const isSame = kept.length === items.length && kept.every((item, index) => item === items[index]);
    return isSame ? items : kept.filter((item) => item !== undefined);
  };
}
