import { isExactNumber } from '../../base/jsonText.ts';
import { type JsonValue, parsedObject } from '../../base/json.ts';
import { escapeInvisible } from '../../base/visibleText.ts';
import type { FormField, ValuePath, FieldValue } from '../../contract/forms/formFields.ts';
import { fitsControl, withValueAt } from '../../schemaForms/argumentValues.ts';
import { wholeText } from '../shared/wholeText.ts';

/** Changes one value in the JSON text that the form and the JSON tab share. */
export function changedText(text: string, path: ValuePath, value: FieldValue): string {
  const root = parsedObject(text);
  return root === undefined ? text : jsonOf(withValueAt(root, path, value));
}

/** Writes a value as JSON in which invisible characters are escapes, which mean the same. */
export function jsonOf(value: JsonValue): string {
  return escapeInvisible(JSON.stringify(value, undefined, 2));
}

/**
 * Whether the control of a field shows the value as it is. A text with invisible characters, tabs, much white space or white
 * space at its ends is shown as JSON, where each of them is seen; so is a number that is really a text.
 */
export function isShownAsIs(field: FormField, value: FieldValue): boolean {
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

/** Whether `null` is chosen by a switch of its own, because the field's control cannot show it. */
export function hasNullSwitch({ isNullable, type }: FormField): boolean {
  return isNullable && type !== 'choice' && type !== 'boolean' && type !== 'json';
}

/** Whether an item of a list is a single control, drawn in one line. */
export function isShownInLine(item: FormField): boolean {
  return item.type !== 'group' && item.type !== 'list' && item.type !== 'variants' && !hasNullSwitch(item);
}

/**
 * Whether a text can be shown in a plain text field. An empty text of an optional field cannot: it would look like one that is
 * not given.
 */
function isPlainText(text: string, isRequired: boolean): boolean {
  if (text === '') {
    return isRequired;
  }
  const json = escapeInvisible(JSON.stringify(text));
  return text.trim() === text && wholeText(text) === text && !/\\[^n"\\]/.test(json.replaceAll('\\\\', ''));
}

/** Reads a typed number. What is no number yet stays a text, so that "-" and "1." can be typed; it is refused until it is one. */
export function numberOrText(text: string): FieldValue {
  const trimmed = text.trim();
  return trimmed === '' ? undefined : isExactNumber(trimmed) ? Number(trimmed) : text;
}

/** The positions that an item had in the original list: it is the same item wherever it is now. */
export function placesAsked(asked: FieldValue, item: FieldValue): readonly number[] {
  const wanted = JSON.stringify(item);
  const all: readonly JsonValue[] = Array.isArray(asked) ? (asked as readonly JsonValue[]) : [];
  return all.flatMap((each, place) => (JSON.stringify(each) === wanted ? [place] : []));
}
