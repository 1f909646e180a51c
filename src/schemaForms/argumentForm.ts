import type { JsonObject, JsonValue } from '../base/json.ts';
import { revealInvisible } from '../base/visibleText.ts';
import type { ArgumentField, ArgumentGroup, TextFormat } from '../contract/argumentFields.ts';
import { readSchema, type SchemaBounds } from './readSchema.ts';
import type { LimitName, SchemaField } from './schemaField.ts';

const bounds: SchemaBounds = { maxDepth: 9, maxFields: 1_000, followsReferences: true };
/** Objects within objects, as groups; what is deeper is a field of JSON. */
const maxGroupDepth = 3;
const maxOptions = 200;

/**
 * The form for a tool's arguments. Every member that the schema names is there: as a control where there is one for it, else
 * as a field of JSON. Sound, not complete: whatever a field refuses the schema refuses too, and the schema may refuse more.
 */
export function argumentForm(schema: JsonObject): ArgumentGroup {
  return toGroup(readSchema(schema, bounds), commonOf(readSchema({}, bounds), false), 0);
}

/** Of all texts of a form: with `$ref` a small schema can repeat a large part of itself in every field. */
const maxFormLength = 500_000;

/** Undefined where it would be larger than anybody can read: then JSON has to do. */
export function readableArgumentForm(schema: JsonObject): ArgumentGroup | undefined {
  const known = new Map<unknown, number>();
  const sizeOf = (value: unknown): number => {
    if (typeof value === 'string' || typeof value !== 'object' || value === null) {
      return typeof value === 'string' ? value.length : 5;
    }
    const size = known.get(value) ?? JSON.stringify(value).length;
    known.set(value, size);
    return size;
  };
  const waiting: SchemaField[] = [readSchema(schema, bounds)];
  let total = 0;
  for (let field = waiting.pop(); field !== undefined && total <= maxFormLength; field = waiting.pop()) {
    const { title, description, default: given, const: constant, enum: values, enumNames, items } = field;
    for (const each of [field.name, title, description, given, constant, values, enumNames]) {
      total += sizeOf(each);
    }
    const { properties = [], required, anyOf = [], oneOf = [], allOf = [] } = field;
    [properties, required, anyOf, oneOf, allOf, items === undefined ? [] : [items]].flat().forEach((each) => waiting.push(each));
  }
  return total > maxFormLength ? undefined : argumentForm(schema);
}

type Common = Pick<ArgumentField, 'name' | 'label' | 'description' | 'isRequired' | 'isNullable' | 'default'>;

function commonOf({ name, title = '', description = '', default: given }: SchemaField, isRequired: boolean): Common {
  return {
    name,
    label: revealInvisible(title.trim() === '' ? name : title),
    description: revealInvisible(description),
    isRequired,
    isNullable: false,
    ...(given === undefined ? {} : { default: revealInvisible(JSON.stringify(given)) }),
  };
}

function toGroup(field: SchemaField, common: Common, depth: number): ArgumentGroup {
  const { properties = [], required } = field;
  const members = [...new Set([...properties, ...required])];
  return {
    ...common,
    type: 'group',
    fields: members.map((member) => toField(member, required.includes(member), depth + 1)),
    isClosed: field.isClosed,
    isWhole: !field.isCut && !field.isOpen && !isComposed(field),
  };
}

/** More is said about it than stands in its own keywords. */
function isComposed({ anyOf, oneOf, allOf, hasMore }: SchemaField): boolean {
  return anyOf !== undefined || oneOf !== undefined || allOf !== undefined || hasMore;
}

function toField(field: SchemaField, isRequired: boolean, depth: number): ArgumentField {
  const { inner, isNullable } = withoutNull(field);
  const common = { ...commonOf({ ...inner, ...annotationsOf(field, inner) }, isRequired), isNullable };
  return controlFor(inner, common, depth) ?? { ...common, type: 'json', types: isComposed(field) ? [] : field.types };
}

/** "Optional" in the ways that generators write it: two types, or two alternatives, or one that carries a description. */
function withoutNull(field: SchemaField): { readonly inner: SchemaField; readonly isNullable: boolean } {
  const { types, anyOf, oneOf, allOf, enum: values } = field;
  const alternatives = anyOf ?? oneOf;
  const only = isPlain(field) && types.length === 0 ? (allOf?.length === 1 ? allOf[0] : undefined) : undefined;
  if (only !== undefined && alternatives === undefined) {
    return withoutNull(only);
  }
  if (alternatives?.length === 2 && allOf === undefined && isPlain(field) && types.length === 0) {
    const other = alternatives.find((each) => !isNull(each));
    if (other !== undefined && alternatives.some(isNull)) {
      const { inner } = withoutNull(other);
      return { inner, isNullable: true };
    }
  }
  if (types.length === 2 && types.includes('null')) {
    const inner = { ...field, types: types.filter((type) => type !== 'null'), enum: values?.filter((value) => value !== null) };
    return { inner, isNullable: values === undefined || values.includes(null) };
  }
  return { inner: field, isNullable: false };
}

function isNull({ types, const: constant }: SchemaField): boolean {
  return (types.length === 1 && types[0] === 'null') || constant === null;
}

/** Nothing beside its alternatives. */
function isPlain({ enum: values, const: constant, properties, items, hasMore }: SchemaField): boolean {
  return values === undefined && constant === undefined && properties === undefined && items === undefined && !hasMore;
}

/** What is written about the field stands outside of its alternatives. */
function annotationsOf(field: SchemaField, inner: SchemaField): Pick<SchemaField, 'name' | 'title' | 'description' | 'default'> {
  return {
    name: field.name,
    title: field.title ?? inner.title,
    description: field.description ?? inner.description,
    default: field.default === undefined ? inner.default : field.default,
  };
}

/** Undefined where the form has none. */
function controlFor(field: SchemaField, common: Common, depth: number): ArgumentField | undefined {
  // Cut, there may be other values than those that were read.
  const options = field.isCut ? undefined : optionsOf(field);
  if (options !== undefined) {
    return { ...common, type: 'choice', options };
  }
  if (isComposed(field) || field.isCut || field.types.length > 1) {
    return undefined;
  }
  switch (field.types[0] ?? (field.properties === undefined ? undefined : 'object')) {
    case 'string':
      return { ...common, type: 'text', format: formatOf(field.format), ...limitsOf(field, 'minLength', 'maxLength') };
    case 'number':
    case 'integer':
      return {
        ...common,
        type: 'number',
        isInteger: field.types[0] === 'integer',
        ...limitsOf(field, 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'),
      };
    case 'boolean':
      return { ...common, type: 'boolean' };
    case 'array':
      return toList(field, common, depth);
    case 'object':
      return (field.properties ?? []).length > 0 && depth < maxGroupDepth ? toGroup(field, common, depth) : undefined;
    case undefined:
    default:
      return undefined;
  }
}

function toList(field: SchemaField, common: Common, depth: number): ArgumentField | undefined {
  if (field.items === undefined) {
    return undefined;
  }
  const item = toField({ ...field.items, name: '' }, true, depth + 1);
  const isScalar = item.type === 'text' || item.type === 'number' || item.type === 'boolean' || item.type === 'choice';
  return isScalar && !item.isNullable ? { ...common, type: 'list', item, ...limitsOf(field, 'minItems', 'maxItems') } : undefined;
}

/** `enum` (with the older `enumNames`), a constant, or alternatives that are all titled constants. */
function optionsOf(field: SchemaField): { readonly value: string; readonly label: string }[] | undefined {
  const { enum: values, enumNames, const: constant, anyOf, oneOf } = field;
  if (constant !== undefined) {
    return [toOption(constant, undefined)];
  }
  if (values !== undefined) {
    return values.length > maxOptions ? undefined : values.map((value, index) => toOption(value, enumNames?.[index]));
  }
  const constants = (anyOf ?? oneOf)?.map(({ const: value, title }) => (value === undefined ? undefined : toOption(value, title)));
  const known = constants?.filter((each) => each !== undefined);
  return known !== undefined && known.length > 0 && known.length === constants?.length && known.length <= maxOptions ? known : undefined;
}

function toOption(value: JsonValue, label: unknown): { readonly value: string; readonly label: string } {
  const text = typeof value === 'string' && value.trim() !== '' && !isJson(value) ? value : JSON.stringify(value);
  const own = revealInvisible(text);
  const title = typeof label === 'string' && label.trim() !== '' && label !== text ? revealInvisible(label) : undefined;
  // What is sent is always seen, whatever it is called.
  return { value: JSON.stringify(value), label: title === undefined ? own : `${title} (${own})` };
}

/** Without its quotes it would look like something else than a text. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function formatOf(format: string | undefined): TextFormat {
  return format === 'email' || format === 'uri' || format === 'date' ? format : format === 'date-time' ? 'dateTime' : 'plain';
}

function limitsOf<K extends LimitName>({ limits }: SchemaField, ...names: readonly K[]): { [name in K]?: number } {
  const known = names.flatMap((name) => (limits[name] === undefined ? [] : [[name, limits[name]]]));
  return Object.fromEntries(known) as { [name in K]?: number };
}
