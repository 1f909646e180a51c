import { isJsonObject, type JsonValue } from '../base/json.ts';
import type { ArgumentField, ArgumentGroup, ArgumentPath, ArgumentValue } from '../contract/argumentFields.ts';
import { hasType } from './toolArguments.ts';

/** What the schema of a field refuses. `limit` is the one that it goes beyond. */
export type ArgumentProblem =
  | { readonly kind: 'required' | 'unknown' | 'notAnOption' | 'notAnInteger' }
  | { readonly kind: 'wrongType'; readonly expected: string }
  | {
      readonly kind: 'tooShort' | 'tooLong' | 'tooSmall' | 'tooLarge' | 'notAbove' | 'notBelow' | 'tooFew' | 'tooMany';
      readonly limit: number;
    };

export interface PlacedProblem {
  readonly path: ArgumentPath;
  readonly field: ArgumentField | undefined;
  readonly problem: ArgumentProblem;
}

/** Pure, in the order of the form. Empty when nothing speaks against them as far as the form knows the schema. */
export function argumentProblems(form: ArgumentGroup, value: JsonValue): readonly PlacedProblem[] {
  return problemsAt(form, value, []);
}

function problemsAt(field: ArgumentField, value: ArgumentValue, path: ArgumentPath): readonly PlacedProblem[] {
  const one = (problem: ArgumentProblem): readonly PlacedProblem[] => [{ path, field, problem }];
  if (value === undefined) {
    return field.isRequired ? one({ kind: 'required' }) : [];
  }
  if (value === null && field.isNullable) {
    return [];
  }
  switch (field.type) {
    case 'group':
      return isJsonObject(value) ? membersOf(field, value, path) : one({ kind: 'wrongType', expected: 'object' });
    case 'list':
      return Array.isArray(value) ? itemsOf(field, value as readonly JsonValue[], path) : one({ kind: 'wrongType', expected: 'array' });
    case 'text':
    case 'number':
    case 'boolean':
    case 'choice':
    case 'json': {
      const problem = scalarProblem(field, value);
      return problem === undefined ? [] : one(problem);
    }
  }
}

function membersOf(group: ArgumentGroup, value: { readonly [key: string]: ArgumentValue }, path: ArgumentPath): readonly PlacedProblem[] {
  const known = new Set(group.fields.map(({ name }) => name));
  const unknown = group.isClosed && group.isWhole ? Object.keys(value).filter((key) => !known.has(key)) : [];
  return [
    ...group.fields.flatMap((field) =>
      problemsAt(field, Object.hasOwn(value, field.name) ? value[field.name] : undefined, [...path, field.name]),
    ),
    ...unknown.map((key): PlacedProblem => ({ path: [...path, key], field: undefined, problem: { kind: 'unknown' } })),
  ];
}

type FieldOf<T extends ArgumentField['type']> = Extract<ArgumentField, { readonly type: T }>;

function itemsOf(field: FieldOf<'list'>, values: readonly JsonValue[], path: ArgumentPath): readonly PlacedProblem[] {
  const { item, minItems, maxItems } = field;
  const count: readonly (ArgumentProblem | false)[] = [
    minItems !== undefined && values.length < minItems && { kind: 'tooFew', limit: minItems },
    maxItems !== undefined && values.length > maxItems && { kind: 'tooMany', limit: maxItems },
  ];
  return [
    ...count.filter((problem) => problem !== false).map((problem) => ({ path, field, problem })),
    ...values.flatMap((value, index) => problemsAt(item, value, [...path, index])),
  ];
}

function scalarProblem(field: FieldOf<'text' | 'number' | 'boolean' | 'choice' | 'json'>, value: JsonValue): ArgumentProblem | undefined {
  switch (field.type) {
    case 'text':
      return typeof value === 'string' ? textProblem(field, value) : { kind: 'wrongType', expected: 'string' };
    case 'number':
      return typeof value === 'number'
        ? numberProblem(field, value)
        : { kind: 'wrongType', expected: field.isInteger ? 'integer' : 'number' };
    case 'boolean':
      return typeof value === 'boolean' ? undefined : { kind: 'wrongType', expected: 'boolean' };
    case 'choice':
      return field.options.some((option) => option.value === JSON.stringify(value)) || isJsonObject(value) || Array.isArray(value)
        ? undefined
        : { kind: 'notAnOption' };
    case 'json':
      return field.types.length === 0 || field.types.some((type) => hasType(value, type))
        ? undefined
        : { kind: 'wrongType', expected: field.types.join(' | ') };
  }
}

function textProblem({ minLength, maxLength }: FieldOf<'text'>, value: string): ArgumentProblem | undefined {
  const { length } = Array.from(value);
  if (minLength !== undefined && length < minLength) {
    return { kind: 'tooShort', limit: minLength };
  }
  // A format blocks nothing: to most validators it is an annotation.
  return maxLength !== undefined && length > maxLength ? { kind: 'tooLong', limit: maxLength } : undefined;
}

function numberProblem(field: FieldOf<'number'>, value: number): ArgumentProblem | undefined {
  const { isInteger, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = field;
  if (isInteger && !Number.isInteger(value)) {
    return { kind: 'notAnInteger' };
  }
  if (minimum !== undefined && value < minimum) {
    return { kind: 'tooSmall', limit: minimum };
  }
  if (maximum !== undefined && value > maximum) {
    return { kind: 'tooLarge', limit: maximum };
  }
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) {
    return { kind: 'notAbove', limit: exclusiveMinimum };
  }
  return exclusiveMaximum !== undefined && value >= exclusiveMaximum ? { kind: 'notBelow', limit: exclusiveMaximum } : undefined;
}
