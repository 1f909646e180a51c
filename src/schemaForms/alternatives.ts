import type { JsonValue } from '../base/json.ts';
import { mergedFields } from './mergeFields.ts';
import type { SchemaField } from './schemaField.ts';

/** More are looked through more easily as JSON. */
const maxVariants = 20;
/** Whoever names more types than these means any value. */
const maxTypes = 4;
/** Of members, in a name that is made of them. */
const maxNames = 5;

/** "Optional" in the ways that generators write it: `null` among the types, among the alternatives or among the values. */
export function withoutNull(field: SchemaField): { readonly inner: SchemaField; readonly isNullable: boolean } {
  const { types, anyOf, oneOf, enum: values } = field;
  const isOnlyNull = values?.every((value) => value === null) ?? false;
  if (types.length > 1 && types.includes('null') && !isOnlyNull) {
    const inner = { ...field, types: types.filter((type) => type !== 'null'), enum: values?.filter((value) => value !== null) };
    return { inner: withoutNull(inner).inner, isNullable: values === undefined || values.includes(null) };
  }
  const alternatives = anyOf === undefined ? oneOf : oneOf === undefined ? anyOf : undefined;
  const others = alternatives?.filter((each) => !isNull(each));
  if (alternatives === undefined || others === undefined || others.length === 0 || others.length === alternatives.length) {
    return { inner: field, isNullable: false };
  }
  const [only] = others;
  const base = { ...field, anyOf: undefined, oneOf: undefined };
  const inner = others.length === 1 && only !== undefined ? mergedFields(base, only) : { ...base, anyOf: others };
  return inner === undefined ? { inner: field, isNullable: false } : { inner: withoutNull(inner).inner, isNullable: types.length === 0 };
}

function isNull({ types, const: constant, enum: values }: SchemaField): boolean {
  return (types.length === 1 && types[0] === 'null') || constant === null || (values?.length === 1 && values[0] === null);
}

/** The kinds of value that a field can have, each whole. Undefined where it is of one kind, or of too many. */
export function kindsOf(field: SchemaField): readonly SchemaField[] | undefined {
  const { anyOf, oneOf, types } = field;
  const alternatives = oneOf ?? anyOf;
  // What is written about the value as a whole stands above its kinds.
  const base: SchemaField = {
    ...field,
    anyOf: undefined,
    oneOf: undefined,
    title: undefined,
    description: undefined,
    default: undefined,
    hasMore: field.hasMore || (anyOf !== undefined && oneOf !== undefined),
  };
  if (alternatives === undefined) {
    return types.length > 1 && types.length <= maxTypes ? types.map((type) => ({ ...base, types: [type] })) : undefined;
  }
  if (field.isCut || alternatives.length > maxVariants) {
    return undefined;
  }
  const kinds = alternatives.map((each) => mergedFields(base, each)).filter((each) => each !== undefined);
  return kinds.length === 0 ? undefined : kinds;
}

/** Each kind by a word of the schema: its title, what tells it apart, or what it needs; empty where there is none. */
export function kindNames(kinds: readonly SchemaField[]): readonly string[] {
  const marks = distinguishingValues(kinds);
  return kinds.map((kind, index) => {
    const mark = marks?.[index];
    if (kind.title !== undefined && kind.title.trim() !== '') {
      return kind.title;
    }
    return mark === undefined ? ownMembers(kind, kinds).join(', ') : textOf(mark);
  });
}

/** Those that it needs and not all others do, else all that it needs, else all that it has. */
function ownMembers(kind: SchemaField, kinds: readonly SchemaField[]): readonly string[] {
  if (kind.types.length > 0 && !kind.types.includes('object')) {
    return [];
  }
  const needed = namesOf(kind.required);
  const own = needed.filter((name) => !kinds.every(({ required }) => namesOf(required).includes(name)));
  return [own, needed, namesOf(kind.properties ?? [])].find((names) => names.length > 0) ?? [];
}

function namesOf(fields: readonly SchemaField[]): readonly string[] {
  return fields.slice(0, maxNames).map(({ name }) => name);
}

/** Of the first property that is another constant in each. */
function distinguishingValues(kinds: readonly SchemaField[]): readonly JsonValue[] | undefined {
  const [first] = kinds;
  for (const { name } of first?.properties ?? []) {
    const constants = kinds.map(({ properties }) => constantOf(properties?.find((property) => property.name === name)));
    const known = constants.filter((value) => value !== undefined);
    if (known.length === kinds.length && new Set(known.map((value) => JSON.stringify(value))).size === kinds.length) {
      return known;
    }
  }
  return undefined;
}

function constantOf(field: SchemaField | undefined): JsonValue | undefined {
  return field?.const ?? (field?.enum?.length === 1 ? field.enum[0] : undefined);
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
