import type { JsonObject, JsonValue } from '../base/json.ts';
import { readSchema, type SchemaBounds } from './readSchema.ts';
import type { SchemaField } from './schemaField.ts';

const bounds: SchemaBounds = { maxDepth: 4, maxFields: 2_000, followsReferences: true };

/** Arguments that a person could start from: every required property with a plausible value. */
export function exampleArguments(schema: JsonObject): JsonObject {
  return exampleObject(readSchema(schema, bounds));
}

function exampleObject({ required }: SchemaField): JsonObject {
  return Object.fromEntries(required.map((field) => [field.name, exampleValue(field)]));
}

function exampleValue(field: SchemaField): JsonValue {
  const given = field.default ?? field.examples?.[0] ?? field.const ?? field.enum?.[0];
  if (given !== undefined) {
    return given;
  }
  const choice = field.anyOf?.[0] ?? field.oneOf?.[0] ?? field.allOf?.[0];
  return choice === undefined ? exampleOfType(field) : exampleValue(choice);
}

function exampleOfType(field: SchemaField): JsonValue {
  switch (typeOf(field)) {
    case 'number':
    case 'integer':
      return field.limits.minimum ?? 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array':
      return exampleItems(field);
    case 'object':
      return exampleObject(field);
    default:
      return exampleText(field.name, field.format ?? '');
  }
}

function exampleItems({ name, items, isCut }: SchemaField): JsonValue {
  if (items !== undefined) {
    return [exampleValue(items)];
  }
  return isCut ? [] : [exampleText(name, '')];
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

function typeOf({ types, properties }: SchemaField): string {
  return types.find((each) => each !== 'null') ?? types[0] ?? (properties === undefined ? 'string' : 'object');
}
