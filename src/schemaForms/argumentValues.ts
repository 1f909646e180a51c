import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type { FormField, FormGroup, ValuePath, FieldValue } from '../contract/forms/formFields.ts';

/** The value at a place of the arguments, or `undefined` where nothing is. */
export function valueAt(root: JsonValue, path: ValuePath): FieldValue {
  let value: FieldValue = root;
  for (const step of path) {
    value = memberOf(value, step);
  }
  return value;
}

function memberOf(value: FieldValue, step: string | number): FieldValue {
  if (Array.isArray(value)) {
    return typeof step === 'number' ? (value as readonly JsonValue[])[step] : undefined;
  }
  return isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

/**
 * The same arguments with another value at one place; `undefined` removes what is there. Everything else stays as it is and where
 * it is; objects on the way are made where they are missing.
 */
export function withValueAt(root: JsonObject, path: ValuePath, value: FieldValue): JsonObject {
  const changed = changedAt(root, path, value);
  return isJsonObject(changed) ? changed : root;
}

function changedAt(current: FieldValue, path: ValuePath, value: FieldValue): FieldValue {
  const [step, ...rest] = path;
  if (step === undefined) {
    return value;
  }
  const inner = changedAt(memberOf(current, step), rest, value);
  if (Array.isArray(current)) {
    const items = current as readonly JsonValue[];
    return typeof step !== 'number' ? items : withItem(items, step, inner);
  }
  const members = isJsonObject(current) ? Object.entries(current) : [];
  const key = String(step);
  const isThere = members.some(([name]) => name === key);
  const changed: (readonly [string, FieldValue])[] = isThere
    ? members.map(([name, member]) => [name, name === key ? inner : member] as const)
    : [...members, [key, inner] as const];
  return Object.fromEntries(changed.filter(([, member]) => member !== undefined));
}

function withItem(items: readonly JsonValue[], index: number, item: FieldValue): readonly JsonValue[] {
  return item === undefined
    ? items.filter((_, position) => position !== index)
    : [...items.slice(0, index), item, ...items.slice(index + 1)];
}

/** The field for a value that the form knows nothing about. */
export const anyValue: FormField = {
  type: 'json',
  name: '',
  label: '',
  description: '',
  isRequired: false,
  isNullable: false,
  types: [],
};

/** Fields for the members of a value that its group has no field for, so that those are shown too. */
export function extraFields(group: FormGroup, value: FieldValue, reveal: (text: string) => string): readonly FormField[] {
  const { rest } = group;
  const known = new Set(group.fields.map(({ name }) => name));
  return (isJsonObject(value) ? Object.keys(value) : [])
    .filter((key) => !known.has(key))
    .map((key) => ({ ...(rest ?? anyValue), name: key, label: reveal(key) }));
}

/** A path as people read it, such as `list[0].name`. */
export function pathText(path: ValuePath): string {
  return path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('');
}

/** Whether the control of a field can show the value as it is; else it is shown as JSON. */
export function fitsControl(field: FormField, value: FieldValue): boolean {
  if (value === undefined || (value === null && field.isNullable)) {
    return true;
  }
  switch (field.type) {
    case 'text':
      return typeof value === 'string';
    case 'number':
      // A number that is still being typed is a text until it is one.
      return typeof value === 'number' || typeof value === 'string';
    case 'boolean':
      return typeof value === 'boolean';
    case 'choice':
      return field.options.some((option) => option.value === JSON.stringify(value));
    case 'list':
      return (
        Array.isArray(value) &&
        value.length <= maxShownItems &&
        (value as readonly JsonValue[]).every((item) => fitsControl(field.item, item))
      );
    case 'group':
      return isJsonObject(value);
    case 'variants':
      return field.variants.some((variant) => variant.field.type === 'json' || fitsControl(variant.field, value));
    case 'json':
      return false;
  }
}

/** The longest list that is shown item by item; a longer one is easier to read as JSON. */
const maxShownItems = 20;

/** How many items a new list gets at most where the schema demands some. */
const maxFirstItems = 3;

/**
 * The value of a field that has just been added: what the schema gives, or the only value that is possible. Everything else is
 * left to the person.
 */
export function startingValue(field: FormField): FieldValue {
  const given = defaultOf(field);
  if (given !== undefined) {
    return given;
  }
  switch (field.type) {
    case 'choice':
      return field.options.length === 1 ? (JSON.parse(field.options[0]?.value ?? 'null') as JsonValue) : undefined;
    case 'group':
      return field.variants === undefined ? startingMembers(field) : {};
    case 'list':
      return Array.from({ length: Math.min(field.minItems ?? 0, maxFirstItems) }, () => startingItem(field.item));
    case 'variants':
    case 'text':
    case 'number':
    case 'boolean':
    case 'json':
      return undefined;
  }
}

function startingMembers({ fields }: FormGroup): JsonObject {
  const members = fields.filter(({ isRequired }) => isRequired).map((field) => [field.name, startingValue(field)] as const);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

/** The required lists and objects that may be empty: a form has no other way to give an empty one. */
export function emptyMembers({ fields }: FormGroup): JsonObject {
  const empty = fields.flatMap((field): readonly (readonly [string, JsonValue])[] => {
    const mayBeEmpty =
      (field.type === 'list' && (field.minItems ?? 0) <= 0) ||
      (field.type === 'group' && field.variants === undefined && !field.fields.some(({ isRequired }) => isRequired));
    return field.isRequired && mayBeEmpty ? [[field.name, field.type === 'list' ? [] : {}]] : [];
  });
  return Object.fromEntries(empty);
}

/**
 * The value of a new item of a list, which has to be something. A number starts as an empty text, which is refused until a number
 * is typed.
 */
export function startingItem(item: FormField): JsonValue {
  const value = startingValue(item);
  if (value !== undefined) {
    return value;
  }
  switch (item.type) {
    case 'boolean':
      return false;
    case 'choice':
      return JSON.parse(item.options[0]?.value ?? '""') as JsonValue;
    case 'variants':
      return item.variants[0] === undefined ? null : startingItem(item.variants[0].field);
    case 'json':
      return item.types.includes('object') ? {} : item.types.includes('array') ? [] : null;
    case 'text':
    case 'number':
    case 'list':
    case 'group':
      return '';
  }
}

/**
 * Reads the default of a field. A default in which invisible characters were made visible (⟨U+200B⟩) is not the server's default
 * any more, and is not sent.
 */
function defaultOf({ default: given }: FormField): FieldValue {
  if (given === undefined || given.includes('⟨')) {
    return undefined;
  }
  return JSON.parse(given) as JsonValue;
}

/** The value for another variant that the person chose: the members that both variants can have stay. */
export function valueForVariant(field: FormField, current: FieldValue): FieldValue {
  const start = startingValue(field);
  if (field.type !== 'group') {
    return current !== undefined && field.type !== 'json' && fitsControl(field, current) ? current : start;
  }
  const kept = field.fields.flatMap((member) => {
    const value = isJsonObject(current) && Object.hasOwn(current, member.name) ? current[member.name] : undefined;
    return value !== undefined && (member.type === 'json' || fitsControl(member, value)) ? [[member.name, value] as const] : [];
  });
  return { ...(isJsonObject(start) ? start : {}), ...Object.fromEntries(kept) };
}
