import { isExactNumber } from '../../base/jsonText.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { escapeInvisible } from '../../base/visibleText.ts';
import type { ArgumentField, ArgumentPath, ArgumentValue } from '../../contract/forms/argumentFields.ts';
import { fitsControl, withValueAt } from '../../schemaForms/argumentValues.ts';
import { wholeText } from '../shared/wholeText.ts';

/** The one text that both tabs show and change. */
export function changedText(text: string, path: ArgumentPath, value: ArgumentValue): string {
  const root = parsedArguments(text);
  return root === undefined ? text : jsonOf(withValueAt(root, path, value));
}

/** Undefined while it is no JSON object. */
export function parsedArguments(text: string): JsonObject | undefined {
  const parsed = parsedJson(text);
  return isJsonObject(parsed?.value) ? parsed.value : undefined;
}

export function parsedJson(text: string): { readonly value: JsonValue } | undefined {
  try {
    return { value: JSON.parse(text) as JsonValue };
  } catch {
    return undefined;
  }
}

/** What is invisible in it is written as an escape, which means the same. */
export function jsonOf(value: JsonValue): string {
  return escapeInvisible(JSON.stringify(value, undefined, 2));
}

/**
 * Whether the control of a field shows the value as it is. A text with invisible characters, tabs, much white space or white
 * space at its ends is shown as JSON, where each of them is seen; so is a number that is really a text.
 */
export function isShownAsIs(field: ArgumentField, value: ArgumentValue): boolean {
  if (value === null && field.type !== 'choice' && field.type !== 'boolean') {
    return hasNullSwitch(field);
  }
  if (field.type === 'text' && typeof value === 'string') {
    return isPlainText(value, field.isRequired);
  }
  if (field.type === 'list' && Array.isArray(value)) {
    const isEach = !isShownInLine(field.item) || (value as readonly JsonValue[]).every((item) => isShownAsIs(field.item, item));
    return isEach && fitsControl(field, value);
  }
  return !(field.type === 'number' && typeof value === 'string') && fitsControl(field, value);
}

/** null has no place in the control of the field: it is a switch of its own. */
export function hasNullSwitch({ isNullable, type }: ArgumentField): boolean {
  return isNullable && type !== 'choice' && type !== 'boolean' && type !== 'json';
}

/** An item of a list that is a single control. */
export function isShownInLine(item: ArgumentField): boolean {
  return item.type !== 'group' && item.type !== 'list' && item.type !== 'variants' && !hasNullSwitch(item);
}

/** An empty text of a field that may be left out looks like one that is not given. */
function isPlainText(text: string, isRequired: boolean): boolean {
  if (text === '') {
    return isRequired;
  }
  const json = escapeInvisible(JSON.stringify(text));
  return text.trim() === text && wholeText(text) === text && !/\\[^n"\\]/.test(json.replaceAll('\\\\', ''));
}

/** What is no number yet stays a text, so that "-" and "1." can be typed; it is refused until it is one. */
export function numberOrText(text: string): ArgumentValue {
  const trimmed = text.trim();
  return trimmed === '' ? undefined : isExactNumber(trimmed) ? Number(trimmed) : text;
}

/** Where in a list that was asked for an item stood: it is the same one wherever it stands now. */
export function placesAsked(asked: ArgumentValue, item: ArgumentValue): readonly number[] {
  const wanted = JSON.stringify(item);
  const all: readonly JsonValue[] = Array.isArray(asked) ? (asked as readonly JsonValue[]) : [];
  return all.flatMap((each, place) => (JSON.stringify(each) === wanted ? [place] : []));
}
