// schemaForms/: JSON Schema becomes something to fill in. This file is the only one that walks a server's schema: it reads it once,
// within bounds, into SchemaFields. On these stand argumentForm.ts, argumentValues.ts and argumentProblems.ts (a tool's arguments as a
// form of any depth), elicitationForm.ts (a form that a server asks for) and toolArguments.ts (what a tool takes, in rows and by
// example).
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';

export interface SchemaBounds {
  /** How deep the schema is read: the root is at 0, its properties at 1, the properties or items of those at 2. */
  readonly maxDepth: number;
  /** How many fields are read on all levels together. */
  readonly maxFields: number;
  /** Whether `$ref` into the schema itself is followed; other references never are. */
  readonly followsReferences: boolean;
}

/** How many parts of one `anyOf`, `oneOf` or `allOf` are read. */
const maxAlternatives = 500;

/**
 * Reads a schema; never throws. It goes level by level, so that one deep corner of a large schema does not use up what the other
 * fields need.
 */
export function readSchema(schema: unknown, bounds: SchemaBounds): SchemaField {
  return new Walk(isJsonObject(schema) ? schema : {}, bounds).root();
}

type Draft = { -readonly [K in keyof SchemaField]: SchemaField[K] };

interface Unread {
  readonly field: Draft;
  readonly schema: JsonObject;
  readonly depth: number;
}

class Walk {
  readonly #rootSchema: JsonObject;
  readonly #bounds: SchemaBounds;
  readonly #unread: Unread[] = [];
  #left: number;

  constructor(rootSchema: JsonObject, bounds: SchemaBounds) {
    this.#rootSchema = rootSchema;
    this.#bounds = bounds;
    this.#left = bounds.maxFields;
  }

  root(): SchemaField {
    const root = this.#begin('', this.#rootSchema, 0);
    // The list grows while this loop runs, and a whole level is read before the next.
    for (const next of this.#unread) {
      this.#readBelow(next);
    }
    return root;
  }

  #begin(name: string, raw: JsonValue | undefined, depth: number): Draft {
    const given = isJsonObject(raw) ? raw : {};
    const schema = this.#bounds.followsReferences ? withoutReference(given, this.#rootSchema) : given;
    const field: Draft = {
      name,
      types: typesOf(schema),
      title: textOf(schema, 'title'),
      description: textOf(schema, 'description'),
      format: textOf(schema, 'format'),
      pattern: textOf(schema, 'pattern'),
      default: schema['default'],
      const: schema['const'],
      enum: listOf(schema, 'enum'),
      enumNames: listOf(schema, 'enumNames'),
      examples: listOf(schema, 'examples'),
      limits: limitsOf(schema),
      properties: isJsonObject(schema['properties']) ? [] : undefined,
      required: [],
      items: undefined,
      isTuple: isTuple(schema),
      hasUniqueItems: schema['uniqueItems'] === true,
      additional: undefined,
      anyOf: undefined,
      oneOf: undefined,
      allOf: undefined,
      ...namesOfMembers(schema),
      hasMore: hasOtherKeywords(schema),
      isCut: false,
    };
    this.#unread.push({ field, schema, depth });
    return field;
  }

  #readBelow({ field, schema, depth }: Unread): void {
    if (depth >= this.#bounds.maxDepth || this.#left <= 0) {
      field.isCut = true;
      return;
    }
    this.#readMembers(field, schema, depth + 1);
    const unnamed = (schemas: readonly JsonValue[]): readonly SchemaField[] =>
      this.#take(field, schemas).map((each) => this.#begin(field.name, each, depth + 1));
    field.items = unnamed(schema['items'] === undefined ? [] : [schema['items']])[0];
    const additional = additionalOf(schema);
    field.additional = unnamed(additional === undefined ? [] : [additional])[0];
    for (const keyword of ['anyOf', 'oneOf', 'allOf'] as const) {
      const alternatives = listOf(schema, keyword);
      field[keyword] = alternatives === undefined ? undefined : unnamed(alternatives.slice(0, maxAlternatives));
    }
  }

  #readMembers(field: Draft, schema: JsonObject, depth: number): void {
    const members = new Map<string, SchemaField>();
    const { properties } = schema;
    if (isJsonObject(properties)) {
      field.properties = this.#take(field, Object.keys(properties)).map((name) => {
        const member = this.#begin(name, properties[name], depth);
        members.set(name, member);
        return member;
      });
    }
    const names = this.#take(field, listOf(schema, 'required') ?? []).filter((name) => typeof name === 'string');
    field.required = [...new Set(names)].map((name) => members.get(name) ?? this.#begin(name, undefined, depth));
  }

  /** As many of the items as may still be read. Names in `required` count too: a schema can list the same ones at every level. */
  #take<T>(field: Draft, items: readonly T[]): readonly T[] {
    const taken = items.slice(0, this.#left);
    this.#left -= taken.length;
    if (taken.length < items.length) {
      field.isCut = true;
    }
    return taken;
  }
}

export type LimitName =
  | 'minimum'
  | 'maximum'
  | 'exclusiveMinimum'
  | 'exclusiveMaximum'
  | 'multipleOf'
  | 'minLength'
  | 'maxLength'
  | 'minItems'
  | 'maxItems';

/**
 * A place in a schema that describes a value. Texts are as the server wrote them: whoever shows them makes invisible characters
 * visible.
 */
export interface SchemaField {
  /** The name of the property; items and alternatives have the name of the field they belong to. Empty at the root. */
  readonly name: string;
  /** The types of the value; none means any type. With `null` among others, the value may be null. */
  readonly types: readonly string[];
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly format: string | undefined;
  readonly pattern: string | undefined;
  readonly default: JsonValue | undefined;
  readonly const: JsonValue | undefined;
  readonly enum: readonly JsonValue[] | undefined;
  /** Titles of the values of `enum`, by position: the older way, before titled constants in `oneOf`. */
  readonly enumNames: readonly JsonValue[] | undefined;
  readonly examples: readonly JsonValue[] | undefined;
  /** The limits that the schema sets. */
  readonly limits: Readonly<Partial<Record<LimitName, number>>>;
  /** The properties in the schema's order; undefined when the schema does not speak of properties. */
  readonly properties: readonly SchemaField[] | undefined;
  /** The required members in the order of `required`: fields of `properties`, and a field of any type for a name that is not there. */
  readonly required: readonly SchemaField[];
  readonly items: SchemaField | undefined;
  /** Whether each item has a schema of its own by its position, so that `items` does not hold for all of them. */
  readonly isTuple: boolean;
  readonly hasUniqueItems: boolean;
  /** The schema for members that neither the properties nor a pattern of names cover. Undefined where any value will do. */
  readonly additional: SchemaField | undefined;
  readonly anyOf: readonly SchemaField[] | undefined;
  readonly oneOf: readonly SchemaField[] | undefined;
  readonly allOf: readonly SchemaField[] | undefined;
  /** Whether members other than the properties are refused. */
  readonly isClosed: boolean;
  /** Whether members other than the properties are expected, because the schema has a pattern for their names or allows any name. */
  readonly isOpen: boolean;
  /** Whether keywords that are not read here bind the value too. */
  readonly hasMore: boolean;
  /** Whether something below this field was not read, because it lies too deep or is too much. */
  readonly isCut: boolean;
}

const limitNames: readonly LimitName[] = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
];
/** Keywords that bind a value and are not read here. */
const otherKeywords: readonly string[] = [
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
  'not',
  'if',
  'dependentSchemas',
  'dependentRequired',
  'dependencies',
  'prefixItems',
  'contains',
  'propertyNames',
  'unevaluatedProperties',
  'unevaluatedItems',
];
/** How many names of types are read at most; JSON Schema knows seven. */
const maxTypes = 10;
/** The most characters of a `$ref`; a longer one leads nowhere. */
const maxReferenceLength = 1_000;
/** How many references (`$ref`) in a row are followed. */
const maxReferences = 4;

/** The text of a keyword. Like all readers below it treats a value that is not of the form JSON Schema demands as absent. */
function textOf(schema: JsonObject, keyword: string): string | undefined {
  const value = schema[keyword];
  return typeof value === 'string' ? value : undefined;
}

function listOf(schema: JsonObject, keyword: string): readonly JsonValue[] | undefined {
  const value = schema[keyword];
  return isList(value) ? value : undefined;
}

function typesOf(schema: JsonObject): readonly string[] {
  const { type, nullable } = schema;
  const types = (isList(type) ? type.slice(0, maxTypes) : [type]).filter((each) => typeof each === 'string');
  // `nullable` is how OpenAPI writes it, and validators know it too.
  return nullable === true && types.length > 0 && !types.includes('null') ? [...types, 'null'] : types;
}

function limitsOf(schema: JsonObject): Partial<Record<LimitName, number>> {
  const found: Partial<Record<LimitName, number>> = {};
  for (const name of limitNames) {
    const value = schema[name];
    if (typeof value === 'number' && Number.isFinite(value)) {
      found[name] = value;
    }
  }
  return found;
}

function hasOtherKeywords(schema: JsonObject): boolean {
  return otherKeywords.some((keyword) => schema[keyword] !== undefined && !bindsNothing(keyword, schema[keyword])) || isTuple(schema);
}

/** Whether a keyword says nothing: `propertyNames` of type string does, because names are always texts. */
function bindsNothing(keyword: string, value: JsonValue | undefined): boolean {
  return keyword === 'propertyNames' && isJsonObject(value) && Object.keys(value).join() === 'type' && value['type'] === 'string';
}

/** Whether each item has its own schema, in the older way with a list of `items` or with `prefixItems`. */
function isTuple({ items, prefixItems }: JsonObject): boolean {
  return isList(items) || prefixItems !== undefined;
}

/** The schema of members with any other name, where it says anything and holds for all of them. */
function additionalOf({ additionalProperties, patternProperties }: JsonObject): JsonObject | undefined {
  const isSaid = isJsonObject(additionalProperties) && Object.keys(additionalProperties).length > 0;
  return isSaid && patternProperties === undefined ? additionalProperties : undefined;
}

function namesOfMembers({ additionalProperties, patternProperties }: JsonObject): { isClosed: boolean; isOpen: boolean } {
  const isOpen = patternProperties !== undefined || (additionalProperties !== undefined && additionalProperties !== false);
  return { isClosed: additionalProperties === false && patternProperties === undefined, isOpen };
}

/**
 * Follows `$ref` within `root` for a few steps; a reference that leads nowhere allows any value. Title, description and default
 * beside the reference count for this place.
 */
function withoutReference(schema: JsonObject, root: JsonObject): JsonObject {
  let current = schema;
  for (let step = 0; step < maxReferences; step += 1) {
    const reference = textOf(current, '$ref');
    if (reference === undefined) {
      break;
    }
    current = { ...targetOf(reference, root), ...annotationsOf(current) };
  }
  return current;
}

function annotationsOf({ title, description, default: given }: JsonObject): JsonObject {
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(given === undefined ? {} : { default: given }),
  };
}

function targetOf(reference: string, root: JsonObject): JsonObject {
  if (reference.length > maxReferenceLength || !/^#(?:\/|$)/.test(reference)) {
    return {};
  }
  let target: JsonValue | undefined = root;
  for (const escaped of reference.split('/').slice(1)) {
    const key = escaped.replaceAll('~1', '/').replaceAll('~0', '~');
    target = isJsonObject(target) && Object.hasOwn(target, key) ? target[key] : undefined;
  }
  return isJsonObject(target) ? target : {};
}

/** `Array.isArray` forgets what a readonly array holds. */
function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
