import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type {
  FormField,
  FormGroup,
  ValuePath,
  ArgumentRefusal,
  FieldValue,
  FormVariant,
  TextFormat,
} from '../contract/forms/formFields.ts';
import { anyValue, pathText, valueAt } from './argumentValues.ts';
import { hasType } from './toolArguments.ts';

/** What a field has against its value. `limit` is the limit that the value goes beyond. */
export type FieldProblem =
  | { readonly kind: 'required' | 'unknown' | 'notAnOption' | 'notAnInteger' | 'notUnique' }
  | { readonly kind: 'wrongType'; readonly expected: string }
  | { readonly kind: 'badFormat'; readonly format: TextFormat }
  | {
      readonly kind: 'tooShort' | 'tooLong' | 'tooSmall' | 'tooLarge' | 'notAbove' | 'notBelow' | 'notMultiple' | 'tooFew' | 'tooMany';
      readonly limit: number;
    }
  /** What the schema's validator refused, by keyword. `inner` is the place within the field, where the form has no field for that place. */
  | { readonly kind: 'refused'; readonly keyword: string; readonly wanted: string; readonly reason: string; readonly inner: string };

export interface PlacedProblem {
  readonly path: ValuePath;
  readonly field: FormField | undefined;
  readonly problem: FieldProblem;
}

/** Which variant a person chose for the value at a place; the keys are made by `placeKey`. */
export type VariantChoices = ReadonlyMap<string, number>;

const noChoices: VariantChoices = new Map();

export function placeKey(path: ValuePath): string {
  return JSON.stringify(path);
}

/**
 * Finds what is wrong with the arguments, in the order of the form's fields. An empty list means that they fit as far as the form
 * knows the schema.
 */
export function argumentProblems(form: FormGroup, value: JsonValue, choices: VariantChoices = noChoices): readonly PlacedProblem[] {
  return problemsAt(form, value, [], choices);
}

/** Finds what is wrong with the value of a single field, as if that field were the whole form. */
export function fieldProblems(field: FormField, value: FieldValue): readonly PlacedProblem[] {
  return problemsAt(field, value, [], noChoices);
}

function problemsAt(field: FormField, value: FieldValue, path: ValuePath, choices: VariantChoices): readonly PlacedProblem[] {
  const one = (problem: FieldProblem): readonly PlacedProblem[] => [{ path, field, problem }];
  if (value === undefined) {
    return field.isRequired ? missing(field, path, choices) : [];
  }
  if (value === null && field.isNullable) {
    return [];
  }
  switch (field.type) {
    case 'group':
      if (field.variants !== undefined) {
        return chosenVariant(field.variants, value, path, choices).problems;
      }
      return isJsonObject(value)
        ? membersOf(field, value, path, choices)
        : field.isUntyped === true
          ? []
          : one({ kind: 'wrongType', expected: 'object' });
    case 'variants':
      return chosenVariant(field.variants, value, path, choices).problems;
    case 'list':
      return Array.isArray(value)
        ? itemsOf(field, value as readonly JsonValue[], path, choices)
        : one({ kind: 'wrongType', expected: 'array' });
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

/** A required object that is missing is reported by the members it must have: those are what the person can fill in. */
function missing(field: FormField, path: ValuePath, choices: VariantChoices): readonly PlacedProblem[] {
  const isPlain = field.type === 'group' && field.variants === undefined && field.isUntyped !== true;
  const inner = isPlain ? membersOf(field, {}, path, choices) : [];
  return inner.length > 0 ? inner : [{ path, field, problem: { kind: 'required' } }];
}

export interface ChosenVariant {
  readonly index: number;
  /** What the variant has against the value. Empty as soon as any variant takes the value, whichever is chosen. */
  readonly problems: readonly PlacedProblem[];
}

/** Finds the variant that a value is shown as: the one that the person chose, else the one that it fits best. */
export function chosenVariant(
  variants: readonly FormVariant[],
  value: FieldValue,
  path: ValuePath,
  choices: VariantChoices,
): ChosenVariant {
  const all = variants.map(({ field }, index) => ({ index, problems: problemsAt(field, value, path, choices) }));
  const chosen = all[choices.get(placeKey(path)) ?? -1];
  const weights = all.map(({ problems }) => problems.reduce((sum, each) => sum + weightOf(each, path), 0));
  const best = chosen ?? all[weights.indexOf(Math.min(...weights))] ?? { index: 0, problems: [] };
  return { index: best.index, problems: all.some(({ problems }) => problems.length === 0) ? [] : best.problems };
}

/**
 * How strongly a problem speaks against a variant. A missing member can still be filled in; a value of another kind belongs to
 * another variant, and the nearer it is to the root, the surer that is.
 */
function weightOf({ path, problem: { kind } }: PlacedProblem, above: ValuePath): number {
  return kind === 'wrongType' || kind === 'notAnOption' || kind === 'unknown' ? (path.length === above.length ? 10_000 : 100) : 1;
}

function membersOf(group: FormGroup, value: JsonObject, path: ValuePath, choices: VariantChoices): readonly PlacedProblem[] {
  const { fields, rest } = group;
  const known = new Set(fields.map(({ name }) => name));
  const others = Object.keys(value).filter((key) => !known.has(key));
  const unknown = group.isClosed && group.isWhole ? others : [];
  return [
    ...fields.flatMap((field) =>
      problemsAt(field, Object.hasOwn(value, field.name) ? value[field.name] : undefined, [...path, field.name], choices),
    ),
    ...(rest === undefined ? [] : others.flatMap((key) => problemsAt(rest, value[key], [...path, key], choices))),
    ...unknown.map((key): PlacedProblem => ({ path: [...path, key], field: undefined, problem: { kind: 'unknown' } })),
  ];
}

type FieldOf<T extends FormField['type']> = Extract<FormField, { readonly type: T }>;

function itemsOf(field: FieldOf<'list'>, values: readonly JsonValue[], path: ValuePath, choices: VariantChoices): readonly PlacedProblem[] {
  const { item, minItems, maxItems, isUnique } = field;
  const count: readonly (FieldProblem | false)[] = [
    minItems !== undefined && values.length < minItems && { kind: 'tooFew', limit: minItems },
    maxItems !== undefined && values.length > maxItems && { kind: 'tooMany', limit: maxItems },
  ];
  const places = new Map<string, number>();
  values.forEach((value, index) => places.set(JSON.stringify(value), places.get(JSON.stringify(value)) ?? index));
  const isRepeated = (value: JsonValue, index: number): boolean => isUnique === true && places.get(JSON.stringify(value)) !== index;
  return [
    ...count.filter((problem) => problem !== false).map((problem) => ({ path, field, problem })),
    ...values.flatMap((value, index): readonly PlacedProblem[] => [
      ...problemsAt(item, value, [...path, index], choices),
      ...(isRepeated(value, index) ? [{ path: [...path, index], field: item, problem: { kind: 'notUnique' } as const }] : []),
    ]),
  ];
}

function scalarProblem(field: FieldOf<'text' | 'number' | 'boolean' | 'choice' | 'json'>, value: JsonValue): FieldProblem | undefined {
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

function textProblem({ minLength, maxLength }: FieldOf<'text'>, value: string): FieldProblem | undefined {
  const { length } = Array.from(value);
  if (minLength !== undefined && length < minLength) {
    return { kind: 'tooShort', limit: minLength };
  }
  // Formats are not checked here: to most validators a format is only an annotation.
  return maxLength !== undefined && length > maxLength ? { kind: 'tooLong', limit: maxLength } : undefined;
}

function numberProblem(field: FieldOf<'number'>, value: number): FieldProblem | undefined {
  const { isInteger, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = field;
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
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) {
    return { kind: 'notBelow', limit: exclusiveMaximum };
  }
  return multipleOf !== undefined && multipleOf > 0 && !isMultiple(value / multipleOf)
    ? { kind: 'notMultiple', limit: multipleOf }
    : undefined;
}

/** Counts 0.3 as a multiple of 0.1, though floating point says otherwise to the last digit: validators differ there. */
function isMultiple(quotient: number): boolean {
  return Math.abs(quotient - Math.round(quotient)) <= 1e-6 * Math.max(1, Math.abs(quotient));
}

/** Places what the validator said at the field of the form where the person can do something about it. */
export function placedRefusal(
  form: FormGroup,
  value: FieldValue,
  { path, keyword, wanted, reason }: ArgumentRefusal,
  choices: VariantChoices,
): PlacedProblem {
  const place = placeOf(form, value, path, choices);
  const inner = pathText(path.slice(place.path.length)).replace(/^\./, '');
  return { ...place, problem: { kind: 'refused', keyword, wanted, reason, inner } };
}

/** Follows a path as far down as the form has fields. */
function placeOf(
  form: FormGroup,
  root: FieldValue,
  path: ValuePath,
  choices: VariantChoices,
): { readonly path: ValuePath; readonly field: FormField } {
  let field: FormField = form;
  for (const [index, step] of path.entries()) {
    const above = path.slice(0, index);
    const value = valueAt(root ?? {}, above);
    const member = memberOf(asChosen(field, value, above, choices), value, step);
    if (member === undefined) {
      return { path: above, field };
    }
    field = member;
  }
  return { path, field };
}

/** Goes from a field with variants to the variant that is shown. */
function asChosen(field: FormField, value: FieldValue, path: ValuePath, choices: VariantChoices): FormField {
  const variants = field.type === 'variants' || field.type === 'group' ? field.variants : undefined;
  const chosen = variants?.[chosenVariant(variants, value, path, choices).index]?.field;
  return chosen === undefined ? field : asChosen(chosen, value, path, choices);
}

function memberOf(field: FormField, value: FieldValue, step: string | number): FormField | undefined {
  if (field.type === 'list') {
    return typeof step === 'number' ? field.item : undefined;
  }
  if (field.type !== 'group') {
    return undefined;
  }
  const isThere = isJsonObject(value) && Object.hasOwn(value, step);
  return field.fields.find(({ name }) => name === step) ?? (isThere ? (field.rest ?? anyValue) : undefined);
}
