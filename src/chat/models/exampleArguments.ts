import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';

const maxDepth = 4;

/** Arguments that a person could start from: every required property with a plausible value. */
export function exampleArguments(schema: JsonObject): JsonObject {
  return exampleObject(schema, schema, 0);
}

export function requiredNames(schema: JsonObject): readonly string[] {
  return isArray(schema['required']) ? schema['required'].filter((name) => typeof name === 'string') : [];
}

function exampleObject(schema: JsonObject, root: JsonObject, depth: number): JsonObject {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const entries = requiredNames(schema).map((name) => [name, exampleValue(name, properties[name], root, depth + 1)] as const);
  return Object.fromEntries(entries);
}

function exampleValue(name: string, raw: JsonValue | undefined, root: JsonObject, depth: number): JsonValue {
  const schema = isJsonObject(raw) ? resolve(raw, root) : {};
  const given = schema['default'] ?? firstOf(schema['examples']) ?? schema['const'] ?? firstOf(schema['enum']);
  if (given !== undefined) {
    return given;
  }
  const choice = firstOf(schema['anyOf']) ?? firstOf(schema['oneOf']) ?? firstOf(schema['allOf']);
  if (choice !== undefined && depth < maxDepth) {
    return exampleValue(name, choice, root, depth + 1);
  }
  return exampleOfType(name, schema, root, depth);
}

function exampleOfType(name: string, schema: JsonObject, root: JsonObject, depth: number): JsonValue {
  switch (typeOf(schema)) {
    case 'number':
    case 'integer':
      return typeof schema['minimum'] === 'number' ? schema['minimum'] : 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array':
      return depth < maxDepth ? [exampleValue(name, schema['items'], root, depth + 1)] : [];
    case 'object':
      return depth < maxDepth ? exampleObject(schema, root, depth) : {};
    default:
      return exampleText(name, typeof schema['format'] === 'string' ? schema['format'] : '');
  }
}

function exampleText(name: string, format: string): string {
  switch (format) {
    case 'uri':
      return 'https://example.com';
    case 'email':
      return 'name@example.com';
    case 'date':
      return '2026-01-31';
    case 'date-time':
      return '2026-01-31T12:00:00Z';
    default:
      return /message|text|query|content/i.test(name) ? 'hello' : name;
  }
}

/** Only references into the schema itself; a chain of them ends after a few steps. */
function resolve(schema: JsonObject, root: JsonObject): JsonObject {
  let current = schema;
  for (let step = 0; step < maxDepth && typeof current['$ref'] === 'string'; step += 1) {
    const [start, ...path] = current['$ref'].split('/');
    const target = path.reduce<JsonValue | undefined>(
      (value, key) => (isJsonObject(value) ? value[key] : undefined),
      start === '#' ? root : undefined,
    );
    current = isJsonObject(target) ? target : {};
  }
  return current;
}

function typeOf(schema: JsonObject): string {
  const type = schema['type'];
  const names: readonly JsonValue[] = isArray(type) ? type : type === undefined ? [] : [type];
  const first = names.find((each) => each !== 'null') ?? names[0];
  return typeof first === 'string' ? first : isJsonObject(schema['properties']) ? 'object' : 'string';
}

function firstOf(value: JsonValue | undefined): JsonValue | undefined {
  return isArray(value) ? value[0] : undefined;
}

/** `Array.isArray` forgets what a readonly array holds. */
function isArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
