import type { JsonValue } from '../base/json.ts';
import type { LimitName, SchemaField } from './readSchema.ts';
import { hasType } from './toolArguments.ts';

/** The most variants to choose from; more are easier to look through as JSON. */
const maxVariants = 20;
/** A schema that names more types than these means any value. */
const maxTypes = 4;
/** How many member names make up the name of a variant at most. */
const maxNames = 5;

/**
 * Takes `null` out of a field. Generators of schemas write "optional" in three ways: `null` among the types, among the
 * alternatives or among the values.
 */
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

/** The kinds of value that a field can have, each as a whole field. Undefined where there is only one kind, or too many to choose from. */
export function kindsOf(field: SchemaField): readonly SchemaField[] | undefined {
  const { anyOf, oneOf, types } = field;
  const alternatives = oneOf ?? anyOf;
  // The title, description and default belong to the value as a whole, and are shown above its kinds.
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

/**
 * A name for each kind in the schema's own words: its title, the constant that tells it apart, or the members it needs; empty
 * where the schema has none.
 */
export function kindNames(kinds: readonly SchemaField[]): readonly string[] {
  const marks = distinguishingValues(kinds);
  return kinds.map((kind, index) => {
    const mark = marks?.[index];
    if (kind.title !== undefined && kind.title.trim() !== '') {
      return kind.title;
    }
    return mark === undefined ? ownMembers(kind, kinds).join(', ') : nameText(mark);
  });
}

/** The members that name a kind: those that it needs and not all others need, else all that it needs, else all that it has. */
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

/** The constants of the first property that has another constant in each kind. */
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

function nameText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * What must hold when two schemas hold for the same value: a part of `allOf`, or an alternative and what the schema says beside
 * it. The result may demand less than both do, never more; it is undefined where no value fits both. Title, description and
 * default are those of the first, if it has them.
 */
function mergedFields(first: SchemaField, second: SchemaField): SchemaField | undefined {
  const types = commonTypes(first.types, second.types);
  const values = types && commonValues(first, second, types);
  if (types === undefined || values === undefined) {
    return undefined;
  }
  return {
    ...first,
    title: first.title ?? second.title,
    description: first.description ?? second.description,
    format: first.format ?? second.format,
    pattern: first.pattern ?? second.pattern,
    default: first.default === undefined ? second.default : first.default,
    examples: first.examples ?? second.examples,
    types,
    ...values,
    limits: commonLimits(first.limits, second.limits),
    ...mergedMembers(first, second),
    ...mergedItems(first, second),
    ...mergedAlternatives(first, second),
    isCut: first.isCut || second.isCut,
  };
}

/**
 * The most parts of one `allOf`, since each is compared with all before it. Nobody writes so many by hand; the schema's own check
 * looks at the rest.
 */
const maxParts = 40;

/** The same field with every part of its `allOf` merged into it. */
export function withoutAllOf(field: SchemaField): SchemaField {
  const { allOf = [] } = field;
  const start = { ...field, allOf: undefined, hasMore: field.hasMore || allOf.length > maxParts };
  return allOf.slice(0, maxParts).reduce((whole, part) => mergedFields(whole, withoutAllOf(part)) ?? { ...whole, hasMore: true }, start);
}

function commonTypes(first: readonly string[], second: readonly string[]): readonly string[] | undefined {
  if (first.length === 0 || second.length === 0) {
    return first.length === 0 ? second : first;
  }
  const isIn = (types: readonly string[], type: string): boolean =>
    types.includes(type) || (type === 'integer' && types.includes('number'));
  const common = [...first.filter((type) => isIn(second, type)), ...second.filter((type) => isIn(first, type))];
  return common.length === 0 ? undefined : [...new Set(common)];
}

type Values = Pick<SchemaField, 'const' | 'enum' | 'enumNames'>;

function commonValues(first: SchemaField, second: SchemaField, types: readonly string[]): Values | undefined {
  const constant = first.const === undefined ? second.const : first.const;
  const lists = [first.enum, second.enum].filter((list) => list !== undefined);
  const isAllowed = (value: JsonValue): boolean =>
    (types.length === 0 || types.some((type) => hasType(value, type))) &&
    lists.every((list) => textsOf(list).has(comparedText(value))) &&
    [first.const, second.const].every((each) => each === undefined || comparedText(each) === comparedText(value));
  if (constant !== undefined) {
    return isAllowed(constant) ? { const: constant, enum: undefined, enumNames: undefined } : undefined;
  }
  const [all] = lists;
  if (all === undefined) {
    return { const: undefined, enum: undefined, enumNames: undefined };
  }
  const left = all.filter(isAllowed);
  const { enumNames } = first.enum === undefined ? second : first;
  return left.length === 0 ? undefined : { const: undefined, enum: left, enumNames: left.length === all.length ? enumNames : undefined };
}

/**
 * A text that is equal for equal values. Two objects or lists always count as equal, because the order of members does not matter
 * and comparing them is left to the schema's own check.
 */
function comparedText(value: JsonValue): string {
  return typeof value === 'object' && value !== null ? '{' : JSON.stringify(value);
}

const knownTexts = new WeakMap<readonly JsonValue[], ReadonlySet<string>>();

/** The texts of a list, made once: comparing two long lists value by value takes minutes. */
function textsOf(list: readonly JsonValue[]): ReadonlySet<string> {
  const texts = knownTexts.get(list) ?? new Set(list.map(comparedText));
  knownTexts.set(list, texts);
  return texts;
}

function commonLimits(first: SchemaField['limits'], second: SchemaField['limits']): SchemaField['limits'] {
  const names = Object.keys({ ...first, ...second }) as LimitName[];
  const narrower = (name: LimitName): number => {
    const values = [first[name], second[name]].filter((value) => value !== undefined);
    return name === 'multipleOf' ? (values[0] ?? 1) : /^(?:min|exclusiveMin)/.test(name) ? Math.max(...values) : Math.min(...values);
  };
  return Object.fromEntries(names.map((name) => [name, narrower(name)]));
}

function mergedMembers(
  first: SchemaField,
  second: SchemaField,
): Pick<SchemaField, 'properties' | 'required' | 'additional' | 'isClosed' | 'isOpen'> {
  const members = new Map((first.properties ?? []).map((member) => [member.name, member]));
  for (const member of second.properties ?? []) {
    const known = members.get(member.name);
    members.set(member.name, known === undefined ? member : (mergedFields(known, member) ?? known));
  }
  const required = new Map([...first.required, ...second.required].map((member) => [member.name, members.get(member.name) ?? member]));
  const knows = (field: SchemaField): boolean => (field.properties ?? []).length === members.size;
  return {
    properties: first.properties === undefined && second.properties === undefined ? undefined : [...members.values()],
    required: [...required.values()],
    additional: first.additional ?? second.additional,
    // Each of both schemas refuses what is not among its own properties, and only that.
    isClosed: (first.isClosed && knows(first)) || (second.isClosed && knows(second)),
    isOpen: first.isOpen || second.isOpen,
  };
}

function mergedItems(first: SchemaField, second: SchemaField): Pick<SchemaField, 'items' | 'isTuple' | 'hasUniqueItems'> {
  const both = first.items && second.items && mergedFields(first.items, second.items);
  return {
    items: both ?? first.items ?? second.items,
    isTuple: first.isTuple || second.isTuple,
    hasUniqueItems: first.hasUniqueItems || second.hasUniqueItems,
  };
}

/** Of two sets of alternatives the form shows one; the schema's own check looks at the other. */
function mergedAlternatives(first: SchemaField, second: SchemaField): Pick<SchemaField, 'anyOf' | 'oneOf' | 'allOf' | 'hasMore'> {
  const isChoice = ({ anyOf, oneOf }: SchemaField): boolean => anyOf !== undefined || oneOf !== undefined;
  const { anyOf, oneOf } = isChoice(first) ? first : second;
  const parts = [...(first.allOf ?? []), ...(second.allOf ?? [])];
  return {
    anyOf,
    oneOf,
    allOf: parts.length === 0 ? undefined : parts,
    hasMore: first.hasMore || second.hasMore || (isChoice(first) && isChoice(second)),
  };
}
