import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type { ArgumentField, ArgumentGroup, ArgumentPath, ArgumentValue } from '../contract/argumentFields.ts';

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
