import type { JsonObject, JsonValue } from '../base/json.ts';
import type { ToolParameter } from '../contract/questions/toolQuestions.ts';
import { readSchema } from './readSchema.ts';
import type { SchemaField } from './schemaField.ts';

/** A tool's parameters one below the other, with those inside them: `order`, `order.items`, `order.items[]`. */
export function parameterRows(schema: JsonObject): readonly ToolParameter[] {
  return rowsInside(readSchema(schema, { maxDepth: 12, maxFields: 2_000, followsReferences: true }), '');
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
