import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';

/** What is wrong with typed arguments; `path` is where, in the form `list[0].name`. */
export type ArgumentsProblem =
  | { readonly kind: 'notJson' }
  | { readonly kind: 'notObject' }
  | { readonly kind: 'missing'; readonly path: string }
  | { readonly kind: 'wrongType'; readonly path: string; readonly expected: string }
  | { readonly kind: 'notAllowed'; readonly path: string; readonly allowed: string };

export type ReadArguments = { readonly kind: 'ok'; readonly arguments: JsonObject } | ArgumentsProblem;

/** Schemas come from servers: how deep one is followed. */
const deepest = 8;

/** Whether there is anything to type: a tool without parameters needs no input box. */
export function takesArguments(schema: JsonObject): boolean {
  return Object.keys(propertiesOf(schema)).length > 0 || requiredOf(schema).length > 0;
}

/** One line of JSON to begin with: every required key, and what the schema gives a default. */
export function prefilledArguments(schema: JsonObject): string {
  const properties = propertiesOf(schema);
  const withDefault = Object.keys(properties).filter((key) => {
    const property = properties[key];
    return isJsonObject(property) && property['default'] !== undefined;
  });
  const keys = new Set([...requiredOf(schema), ...withDefault]);
  const entries = [...keys].map((key) => [key, placeholderFor(properties[key])] as const);
  return oneLine(Object.fromEntries(entries));
}

function oneLine(value: JsonValue): string {
  // JSON escapes the line breaks of texts, so every real one is layout.
  return JSON.stringify(value, undefined, 1).replace(/\n\s*/g, ' ').replace(/^\{ /, '{').replace(/ \}$/, '}');
}

function placeholderFor(schema: JsonValue | undefined): JsonValue {
  if (!isJsonObject(schema)) {
    return '';
  }
  const given = schema['default'] ?? schema['const'] ?? (Array.isArray(schema['enum']) ? (schema['enum'] as JsonValue[])[0] : undefined);
  if (given !== undefined) {
    return given;
  }
  switch (typesOf(schema)[0]) {
    case 'number':
    case 'integer':
      return typeof schema['minimum'] === 'number' ? schema['minimum'] : 0;
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
export function readArguments(text: string, schema: JsonObject): ReadArguments {
  let value: unknown;
  try {
    value = JSON.parse(text.trim() === '' ? '{}' : text);
  } catch {
    return { kind: 'notJson' };
  }
  if (!isJsonObject(value)) {
    return { kind: 'notObject' };
  }
  return objectProblem(value, schema, '', 0) ?? { kind: 'ok', arguments: value };
}

function valueProblem(value: JsonValue, schema: JsonValue | undefined, path: string, depth: number): ArgumentsProblem | undefined {
  if (!isJsonObject(schema) || depth > deepest) {
    return undefined;
  }
  const types = typesOf(schema);
  if (types.length > 0 && !types.some((type) => hasType(value, type))) {
    return { kind: 'wrongType', path, expected: types.join(' | ') };
  }
  const allowed = schema['enum'];
  if (Array.isArray(allowed) && !(allowed as JsonValue[]).some((each) => JSON.stringify(each) === JSON.stringify(value))) {
    const shown = (allowed as JsonValue[]).slice(0, 10).map((each) => JSON.stringify(each));
    return { kind: 'notAllowed', path, allowed: shown.join(', ') };
  }
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    return first(items, (item, index) => valueProblem(item, schema['items'], `${path}[${index}]`, depth + 1));
  }
  return isJsonObject(value) ? objectProblem(value, schema, `${path}.`, depth + 1) : undefined;
}

function objectProblem(value: JsonObject, schema: JsonObject, prefix: string, depth: number): ArgumentsProblem | undefined {
  const missing = requiredOf(schema).find((key) => !Object.hasOwn(value, key));
  if (missing !== undefined) {
    return { kind: 'missing', path: `${prefix}${missing}` };
  }
  const properties = propertiesOf(schema);
  const given = Object.entries(value).filter(([key]) => Object.hasOwn(properties, key));
  return first(given, ([key, member]) => valueProblem(member ?? null, properties[key], `${prefix}${key}`, depth));
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

function propertiesOf(schema: JsonObject): JsonObject {
  return isJsonObject(schema['properties']) ? schema['properties'] : {};
}

function requiredOf(schema: JsonObject): string[] {
  const required: unknown = schema['required'];
  return Array.isArray(required) ? required.filter((key): key is string => typeof key === 'string') : [];
}

function typesOf(schema: JsonObject): string[] {
  const types: unknown = schema['type'];
  return (Array.isArray(types) ? types : [types]).filter((type): type is string => typeof type === 'string');
}

function hasType(value: JsonValue, type: string): boolean {
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
