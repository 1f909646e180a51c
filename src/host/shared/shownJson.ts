import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { escapeInvisible, revealInvisible } from '../../base/visibleText.ts';

/** For people: the same value with nothing hidden in its texts. */
export function revealDeep(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [revealInvisible(key), revealValue(member)]));
}

function revealValue(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value === 'string') {
    return revealInvisible(value);
  }
  if (Array.isArray(value)) {
    return value.map((each: JsonValue) => revealValue(each) ?? null);
  }
  return isJsonObject(value) ? revealDeep(value) : value;
}

/** JSON that a person can read and edit: what is invisible in it is written as an escape, which means the same. */
export function readableJson(value: JsonValue): string {
  return escapeInvisible(JSON.stringify(value, undefined, 2));
}
