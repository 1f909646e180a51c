import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type { ToolParameter } from '../contract/questions/toolQuestions.ts';
import { readSchema, type SchemaBounds, type SchemaField } from './readSchema.ts';

/** Reads the input schema of a tool, once for all that follows. */
export function toolParameters(schema: JsonObject): SchemaField {
  return readSchema(schema, { maxDepth: 9, maxFields: 5_000, followsReferences: false });
}

/** Whether a tool takes arguments at all: one without parameters needs no form. */
export function takesArguments(field: SchemaField): boolean {
  const { properties = [], required, isOpen, hasMore, anyOf, oneOf, allOf } = field;
  const isComposed = hasMore || anyOf !== undefined || oneOf !== undefined || allOf !== undefined;
  return properties.length > 0 || required.length > 0 || isOpen || isComposed;
}

/** The arguments that a form begins with: what the schema itself gives. A default of null says the same as no default. */
export function beginningArguments({ properties = [], required }: SchemaField): JsonObject {
  const given = properties.map((field): [string, JsonValue | undefined] => [
    field.name,
    (required.includes(field) ? field.const : undefined) ?? field.default ?? undefined,
  ]);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

/** Whether a value is of a type that JSON Schema knows by that name; every value is of an unknown type. */
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

/** The most characters of all texts of one tool together. */
const maxCharacters = 20_000;

/** Lists a tool's parameters one below the other, with those inside them: `order`, `order.items`, `order.items[]`. */
export function parameterRows(schema: JsonObject): readonly ToolParameter[] {
  return withinBudget(rowsInside(readSchema(schema, { maxDepth: 12, maxFields: 2_000, followsReferences: true }), ''));
}

/** Keeps whole rows as far as there is room, then as much of the next row as fits, with a count of what is left out. */
function withinBudget(rows: readonly ToolParameter[]): readonly ToolParameter[] {
  let room = maxCharacters;
  const end = rows.findIndex((row) => {
    room -= charactersOf(row);
    return room < 0;
  });
  const last = rows[end];
  if (last === undefined) {
    return rows;
  }
  const left = room + charactersOf(last);
  const { type, isRequired, limits } = last;
  const name = last.name.slice(0, left);
  const description = last.description.slice(0, left - name.length);
  const cut: ToolParameter = { name, type, isRequired, description, values: [], limits, isCut: true };
  const whole = rows.slice(end).reduce((sum, row) => sum + charactersOf(row), 0);
  const hidden = { parameters: rows.length - end - 1, characters: whole - charactersOf(cut) };
  return [...rows.slice(0, end), { ...cut, hidden }];
}

function charactersOf({ name, type, description, values, default: given = '', limits }: ToolParameter): number {
  return [name, type, description, ...values, given, ...limits].reduce((sum, text) => sum + text.length, 0);
}

function rowsInside(field: SchemaField, path: string): readonly ToolParameter[] {
  const { properties = [], required, items } = field;
  const members = [...new Set([...properties, ...required])];
  return [
    ...members.flatMap((member) => rowsOf(member, path === '' ? member.name : `${path}.${member.name}`, required.includes(member))),
    ...(items === undefined ? [] : rowsOf(items, `${path}[]`, false)),
    ...(['anyOf', 'oneOf', 'allOf'] as const).flatMap((keyword) =>
      (field[keyword] ?? []).flatMap((each, index) => rowsOf(each, `${path}${path === '' ? '' : '.'}${keyword}[${index}]`, false)),
    ),
  ];
}

function rowsOf(field: SchemaField, name: string, isRequired: boolean): readonly ToolParameter[] {
  const row: ToolParameter = {
    name,
    type: field.types.join(' | ') + (field.format === undefined ? '' : ` (${field.format})`),
    isRequired,
    description: [field.title, field.description].filter((text) => text !== undefined && text !== '').join('\n'),
    values: (field.const === undefined ? (field.enum ?? []) : [field.const]).map(toJson),
    ...(field.default === undefined ? {} : { default: toJson(field.default) }),
    limits: Object.entries(field.limits).map(([limit, value]) => `${limit} ${value}`),
    isCut: field.isCut,
  };
  return [row, ...rowsInside(field, name)];
}

function toJson(value: JsonValue): string {
  return JSON.stringify(value);
}

const bounds: SchemaBounds = { maxDepth: 4, maxFields: 2_000, followsReferences: true };

/** Makes arguments that a person could start from: every required property with a plausible value. */
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
