import { isJsonObject, type JsonValue } from '../../src/base/json.ts';

/** What VS Code's agent, OpenAI-style clients and others pass on; they refuse a tool, or all of them, for anything else. */
const understood: ReadonlySet<string> = new Set([
  'type',
  'description',
  'properties',
  'required',
  'items',
  'enum',
  'default',
  'minimum',
  'maximum',
]);

const types: ReadonlySet<unknown> = new Set(['object', 'array', 'string', 'integer', 'number', 'boolean']);

function isOfType(value: JsonValue | undefined, type: unknown): boolean {
  return type === 'integer' ? Number.isInteger(value) : type === 'array' ? Array.isArray(value) : typeof value === type;
}

/** Everything that the strictest client would refuse in the schema of a tool's arguments, with its place. */
export function faultsOf(node: JsonValue | undefined, place: string): string[] {
  if (!isJsonObject(node)) {
    return [`${place} is no schema`];
  }
  const { type, properties, required, items, enum: values, default: usual } = node;
  return [
    ...Object.keys(node)
      .filter((keyword) => !understood.has(keyword))
      .map((keyword) => `${place} has ${keyword}`),
    ...(types.has(type) ? [] : [`${place} has no single type`]),
    ...(usual === undefined || isOfType(usual, type) ? [] : [`${place} has a default of another type`]),
    ...faultsOfEnum(values, type, place),
    ...(type === 'array' ? faultsOf(items, `${place}[]`) : items === undefined ? [] : [`${place} has items and is no list`]),
    ...(type === 'object' ? faultsOfObject(properties, required, place) : []),
  ];
}

function faultsOfEnum(values: JsonValue | undefined, type: unknown, place: string): string[] {
  if (values === undefined) {
    return [];
  }
  // Some clients take texts alone, and none of them empty.
  const isGood =
    type === 'string' && Array.isArray(values) && values.length > 0 && values.every((each) => typeof each === 'string' && each !== '');
  return isGood ? [] : [`${place} has an enum that is no list of texts`];
}

function faultsOfObject(properties: JsonValue | undefined, required: JsonValue | undefined, place: string): string[] {
  if (!isJsonObject(properties)) {
    return [`${place} is an object without properties`];
  }
  const missing = ((required ?? []) as readonly string[]).filter((name) => !Object.hasOwn(properties, name));
  return [
    ...(place.includes('.') && Object.keys(properties).length === 0 ? [`${place} is an empty object`] : []),
    ...missing.map((name) => `${place} requires ${name}, which it has not`),
    ...Object.entries(properties).flatMap(([name, member]) => faultsOf(member, `${place}.${name}`)),
  ];
}
