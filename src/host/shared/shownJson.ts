import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { escapeInvisible, revealInvisible } from '../../base/visibleText.ts';

/** The same value with every invisible character made visible, in keys and in texts. */
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

/** Formats JSON for a person to read and edit. Invisible characters are written as escapes, which mean the same. */
export function readableJson(value: JsonValue): string {
  return escapeInvisible(JSON.stringify(value, undefined, 2));
}
