// schemaForms/: JSON Schema becomes something to fill in. This file is the only walker: it reads a server's schema once, within
// bounds, into SchemaFields. On it stand formModel.ts and formValues.ts (a form that a server asks for), toolArguments.ts
// (what a tool takes), exampleArguments.ts (arguments to start from), argumentForm.ts and argumentProblems.ts (arguments as a
// form, of any depth).
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import {
  additionalOf,
  hasOtherKeywords,
  isTuple,
  limitsOf,
  listOf,
  namesOfMembers,
  textOf,
  typesOf,
  withoutReference,
} from './keywords.ts';
import type { SchemaField } from './schemaField.ts';

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
