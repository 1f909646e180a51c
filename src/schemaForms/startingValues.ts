import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type { ArgumentField, ArgumentGroup, ArgumentValue } from '../contract/argumentFields.ts';
import { fitsControl } from './argumentValues.ts';

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
