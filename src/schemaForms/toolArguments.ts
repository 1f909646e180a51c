import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { readSchema } from './readSchema.ts';
import type { SchemaField } from './schemaField.ts';

/** What a tool's schema says of its arguments, read once for all that follows. */
export function toolParameters(schema: JsonObject): SchemaField {
  return readSchema(schema, { maxDepth: 9, maxFields: 5_000, followsReferences: false });
}

/** Whether there is anything to fill in: a tool without parameters needs no form. */
export function takesArguments(field: SchemaField): boolean {
  const { properties = [], required, isOpen, hasMore, anyOf, oneOf, allOf } = field;
  const isComposed = hasMore || anyOf !== undefined || oneOf !== undefined || allOf !== undefined;
  return properties.length > 0 || required.length > 0 || isOpen || isComposed;
}

/** What a form begins with: what the schema itself gives. A default of null is only another word for nothing. */
export function beginningArguments({ properties = [], required }: SchemaField): JsonObject {
  const given = properties.map((field): [string, JsonValue | undefined] => [
    field.name,
    (required.includes(field) ? field.const : undefined) ?? field.default ?? undefined,
  ]);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
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
