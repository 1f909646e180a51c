import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { readSchema } from './readSchema.ts';
import type { SchemaField } from './schemaField.ts';

/** What is wrong with typed arguments; `path` is where, in the form `list[0].name`. */
export type ArgumentsProblem =
  | { readonly kind: 'notJson' }
  | { readonly kind: 'notObject' }
  | { readonly kind: 'missing'; readonly path: string }
  | { readonly kind: 'wrongType'; readonly path: string; readonly expected: string }
  | { readonly kind: 'notAllowed'; readonly path: string; readonly allowed: string };

export type ReadArguments = { readonly kind: 'ok'; readonly arguments: JsonObject } | ArgumentsProblem;

/** What a tool's schema says of its arguments, read once for all that follows. */
export function toolParameters(schema: JsonObject): SchemaField {
  return readSchema(schema, { maxDepth: 9, maxFields: 5_000, followsReferences: false });
}

/** Whether there is anything to type: a tool without parameters needs no input box. */
export function takesArguments({ properties, required }: SchemaField): boolean {
  return (properties ?? []).length > 0 || required.length > 0;
}

/** One line of JSON to begin with: every required key, and what the schema gives a default. */
export function prefilledArguments({ properties, required }: SchemaField): string {
  const withDefault = (properties ?? []).filter((field) => field.default !== undefined);
  const fields = new Set([...required, ...withDefault]);
  return oneLine(Object.fromEntries([...fields].map((field) => [field.name, placeholderFor(field)])));
}

function oneLine(value: JsonValue): string {
  // JSON escapes the line breaks of texts, so every real one is layout.
  return JSON.stringify(value, undefined, 1).replace(/\n\s*/g, ' ').replace(/^\{ /, '{').replace(/ \}$/, '}');
}

function placeholderFor(field: SchemaField): JsonValue {
  const given = field.default ?? field.const ?? field.enum?.[0];
  if (given !== undefined) {
    return given;
  }
  switch (field.types[0]) {
    case 'number':
    case 'integer':
      return field.limits.minimum ?? 0;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'object':
      return {};
    case 'null':
      return null;
    case undefined:
    default:
      return '';
  }
}

/** A first look, as the person types: JSON, the required keys and the types. The server has the last word. */
export function readArguments(text: string, parameters: SchemaField): ReadArguments {
  let value: unknown;
  try {
    value = JSON.parse(text.trim() === '' ? '{}' : text);
  } catch {
    return { kind: 'notJson' };
  }
  if (!isJsonObject(value)) {
    return { kind: 'notObject' };
  }
  return objectProblem(value, parameters, '') ?? { kind: 'ok', arguments: value };
}

function valueProblem(value: JsonValue, field: SchemaField, path: string): ArgumentsProblem | undefined {
  const { types, enum: allowed, items } = field;
  if (types.length > 0 && !types.some((type) => hasType(value, type))) {
    return { kind: 'wrongType', path, expected: types.join(' | ') };
  }
  const given = allowed && JSON.stringify(value);
  if (allowed !== undefined && !allowed.some((each) => JSON.stringify(each) === given)) {
    const shown = allowed.slice(0, 10).map((each) => JSON.stringify(each));
    return { kind: 'notAllowed', path, allowed: shown.join(', ') };
  }
  if (Array.isArray(value)) {
    const values = value as readonly JsonValue[];
    return items && first(values, (each, index) => valueProblem(each, items, `${path}[${index}]`));
  }
  return isJsonObject(value) ? objectProblem(value, field, `${path}.`) : undefined;
}

function objectProblem(value: JsonObject, { properties, required }: SchemaField, prefix: string): ArgumentsProblem | undefined {
  const missing = required.find(({ name }) => !Object.hasOwn(value, name));
  if (missing !== undefined) {
    return { kind: 'missing', path: `${prefix}${missing.name}` };
  }
  const known = new Map(properties?.map((field) => [field.name, field]));
  return first(Object.entries(value), ([key, member]) => {
    const field = known.get(key);
    return field === undefined ? undefined : valueProblem(member ?? null, field, `${prefix}${key}`);
  });
}

function first<T>(items: readonly T[], find: (item: T, index: number) => ArgumentsProblem | undefined): ArgumentsProblem | undefined {
  for (const [index, item] of items.entries()) {
    const problem = find(item, index);
    if (problem !== undefined) {
      return problem;
    }
  }
  return undefined;
}

/** Whether a value is of a type by JSON Schema's name; of one that it does not know everything is. */
export function hasType(value: JsonValue, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
    case 'integer':
      return Number.isInteger(value);
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
    default:
      return true;
  }
}
