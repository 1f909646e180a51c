import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type { ArgumentField, ArgumentGroup, ArgumentPath, ArgumentValue } from '../contract/forms/argumentFields.ts';

/** What stands at a place; `undefined` where nothing does. */
export function valueAt(root: JsonValue, path: ArgumentPath): ArgumentValue {
  let value: ArgumentValue = root;
  for (const step of path) {
    value = memberOf(value, step);
  }
  return value;
}

function memberOf(value: ArgumentValue, step: string | number): ArgumentValue {
  if (Array.isArray(value)) {
    return typeof step === 'number' ? (value as readonly JsonValue[])[step] : undefined;
  }
  return isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

/**
 * The same arguments with another value at one place; `undefined` takes it away. Everything else stays as it is and where
 * it is; objects on the way are made where they are missing.
 */
export function withValueAt(root: JsonObject, path: ArgumentPath, value: ArgumentValue): JsonObject {
  const changed = changedAt(root, path, value);
  return isJsonObject(changed) ? changed : root;
}

function changedAt(current: ArgumentValue, path: ArgumentPath, value: ArgumentValue): ArgumentValue {
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
  const changed: (readonly [string, ArgumentValue])[] = isThere
    ? members.map(([name, member]) => [name, name === key ? inner : member] as const)
    : [...members, [key, inner] as const];
  return Object.fromEntries(changed.filter(([, member]) => member !== undefined));
}

function withItem(items: readonly JsonValue[], index: number, item: ArgumentValue): readonly JsonValue[] {
  return item === undefined
    ? items.filter((_, position) => position !== index)
    : [...items.slice(0, index), item, ...items.slice(index + 1)];
}

/** What no field of a form speaks of. */
export const anyValue: ArgumentField = {
  type: 'json',
  name: '',
  label: '',
  description: '',
  isRequired: false,
  isNullable: false,
  types: [],
};

/** Members of a value that its group has no field for: they are shown too. */
export function extraFields(group: ArgumentGroup, value: ArgumentValue, reveal: (text: string) => string): readonly ArgumentField[] {
  const { rest } = group;
  const known = new Set(group.fields.map(({ name }) => name));
  return (isJsonObject(value) ? Object.keys(value) : [])
    .filter((key) => !known.has(key))
    .map((key) => ({ ...(rest ?? anyValue), name: key, label: reveal(key) }));
}

/** For people: `list[0].name`. */
export function pathText(path: ArgumentPath): string {
  return path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('');
}

/** Whether the control of a field can show the value as it is; else it is shown as JSON. */
export function fitsControl(field: ArgumentField, value: ArgumentValue): boolean {
  if (value === undefined || (value === null && field.isNullable)) {
    return true;
  }
  switch (field.type) {
    case 'text':
      return typeof value === 'string';
    case 'number':
      // What is being typed and is no number yet is a text.
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

/** More are easier to read as JSON. */
const maxShownItems = 20;

/** Of a list that needs some. */
const maxFirstItems = 3;

/** What a field that is just added holds: what can only be one thing, and what the schema gives; the rest is the person's. */
export function startingValue(field: ArgumentField): ArgumentValue {
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

function startingMembers({ fields }: ArgumentGroup): JsonObject {
  const members = fields.filter(({ isRequired }) => isRequired).map((field) => [field.name, startingValue(field)] as const);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

/** Lists and objects that are needed and may be empty: a form has no other way to give those. */
export function emptyMembers({ fields }: ArgumentGroup): JsonObject {
  const empty = fields.flatMap((field): readonly (readonly [string, JsonValue])[] => {
    const mayBeEmpty =
      (field.type === 'list' && (field.minItems ?? 0) <= 0) ||
      (field.type === 'group' && field.variants === undefined && !field.fields.some(({ isRequired }) => isRequired));
    return field.isRequired && mayBeEmpty ? [[field.name, field.type === 'list' ? [] : {}]] : [];
  });
  return Object.fromEntries(empty);
}

/** An item has to be something. What is no number yet is an empty text, which is refused until it is one. */
export function startingItem(item: ArgumentField): JsonValue {
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

/** Texts of a form show what is invisible as something else: what was so changed is no default that could be sent. */
function defaultOf({ default: given }: ArgumentField): ArgumentValue {
  if (given === undefined || given.includes('⟨')) {
    return undefined;
  }
  return JSON.parse(given) as JsonValue;
}

/** Goes on with another variant: what both can have stays. */
export function valueForVariant(field: ArgumentField, current: ArgumentValue): ArgumentValue {
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
