// schemaForms/: JSON Schema becomes something to fill in. This file is the only walker: it reads a server's schema once, within
// bounds, into SchemaFields. On it stand formModel.ts and formValues.ts (a form that a server asks for), toolArguments.ts
// (what a tool takes), exampleArguments.ts (arguments to start from), argumentForm.ts and argumentProblems.ts (arguments as a
// form, of any depth).
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';

export interface SchemaBounds {
  /** The root is at 0, its properties at 1, the properties or items of those at 2. */
  readonly maxDepth: number;
  /** Of all levels together. */
  readonly maxFields: number;
  /** Whether `$ref` into the schema itself is followed; other references never are. */
  readonly followsReferences: boolean;
}

/** Of one `anyOf`, `oneOf` or `allOf`. */
const maxAlternatives = 500;

/** Never throws. Level by level, so that a deep corner of a large schema does not use up what its other fields need. */
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
    // Grows while it is gone through: every level stands before the next.
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

  /** As many as may still be read. Names in `required` count too: a schema can list the same ones at every level. */
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

/** A place in a schema where a value stands. Texts are as the server wrote them: whoever shows them makes them safe to see. */
export interface SchemaField {
  /** The property it stands at; items and alternatives have the name of what they belong to. Empty at the root. */
  readonly name: string;
  /** Empty when the schema names none: any will do. With `null` among others, the value may be null. */
  readonly types: readonly string[];
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly format: string | undefined;
  readonly pattern: string | undefined;
  readonly default: JsonValue | undefined;
  readonly const: JsonValue | undefined;
  readonly enum: readonly JsonValue[] | undefined;
  /** Titles of the values of `enum`, by position: older than titled constants in `oneOf`. */
  readonly enumNames: readonly JsonValue[] | undefined;
  readonly examples: readonly JsonValue[] | undefined;
  /** Only those that the schema has. */
  readonly limits: Readonly<Partial<Record<LimitName, number>>>;
  /** In the schema's order. Undefined when it speaks of none. */
  readonly properties: readonly SchemaField[] | undefined;
  /** In the order of `required`: the same fields as in `properties`, and a field of any type for a name that is not there. */
  readonly required: readonly SchemaField[];
  readonly items: SchemaField | undefined;
  /** Items are told apart by their position: `items` is not what holds for all of them. */
  readonly isTuple: boolean;
  readonly hasUniqueItems: boolean;
  /** What members must be that neither the properties nor a pattern of names speak of. Undefined where anything will do. */
  readonly additional: SchemaField | undefined;
  readonly anyOf: readonly SchemaField[] | undefined;
  readonly oneOf: readonly SchemaField[] | undefined;
  readonly allOf: readonly SchemaField[] | undefined;
  /** Members that are not among the properties are refused. */
  readonly isClosed: boolean;
  /** Members that are not among the properties are expected: by a pattern of their names, or of any name. */
  readonly isOpen: boolean;
  /** It is bound by keywords that are not read here. */
  readonly hasMore: boolean;
  /** What stands below was not read, or not all of it: too deep or too much. */
  readonly isCut: boolean;
}

/** Keywords of a schema that a stranger wrote: what is not of the form JSON Schema gives it counts as absent. */

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
/** Keywords that bind a value in ways that are not read. */
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
/** JSON Schema knows seven. */
const maxTypes = 10;
const maxReferenceLength = 1_000;
const maxReferences = 4;

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
  // As OpenAPI writes it, which validators know too.
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

/** A record of anything by name: names of members are always texts. */
function bindsNothing(keyword: string, value: JsonValue | undefined): boolean {
  return keyword === 'propertyNames' && isJsonObject(value) && Object.keys(value).join() === 'type' && value['type'] === 'string';
}

/** In the older way with a list of items, or with `prefixItems`. */
function isTuple({ items, prefixItems }: JsonObject): boolean {
  return isList(items) || prefixItems !== undefined;
}

/** What members of any other name must be, where that says anything and holds for all of them. */
function additionalOf({ additionalProperties, patternProperties }: JsonObject): JsonObject | undefined {
  const isSaid = isJsonObject(additionalProperties) && Object.keys(additionalProperties).length > 0;
  return isSaid && patternProperties === undefined ? additionalProperties : undefined;
}

function namesOfMembers({ additionalProperties, patternProperties }: JsonObject): { isClosed: boolean; isOpen: boolean } {
  const isOpen = patternProperties !== undefined || (additionalProperties !== undefined && additionalProperties !== false);
  return { isClosed: additionalProperties === false && patternProperties === undefined, isOpen };
}

/**
 * Where `$ref` leads within `root`, after a few steps at most; any value at all where it leads nowhere. What is written about
 * the value beside the reference counts for this place.
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
