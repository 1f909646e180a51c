import type { JsonObject, JsonValue } from '../base/json.ts';
import type { ToolParameter } from '../contract/questions/toolQuestions.ts';
import { readSchema } from './readSchema.ts';
import type { SchemaField } from './schemaField.ts';

/** Of all texts of one tool together. */
const maxCharacters = 20_000;

/** A tool's parameters one below the other, with those inside them: `order`, `order.items`, `order.items[]`. */
export function parameterRows(schema: JsonObject): readonly ToolParameter[] {
  return withinBudget(rowsInside(readSchema(schema, { maxDepth: 12, maxFields: 2_000, followsReferences: true }), ''));
}

/** Whole ones as far as there is room; the next one as much as fits, and how much is not told. */
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
