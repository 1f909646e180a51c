import type { FormField, FormValue, FormValues } from '../contract/forms/formFields.ts';
import { hasFormat } from './textFormats.ts';

export type FieldProblem =
  | 'required'
  | 'tooShort'
  | 'tooLong'
  | 'badFormat'
  | 'notANumber'
  | 'notAnInteger'
  | 'tooSmall'
  | 'tooLarge'
  | 'notAnOption'
  | 'tooFew'
  | 'tooMany'
  | 'wrongType';

/** What a form starts with. */
export function defaultValues(fields: readonly FormField[]): FormValues {
  return Object.fromEntries(fields.flatMap((field) => (field.default === undefined ? [] : [[field.name, field.default]])));
}

/** Pure. Undefined when the value may be sent; an optional field may be left out. */
export function fieldProblem(field: FormField, value: FormValue | undefined): FieldProblem | undefined {
  if (value === undefined || (value === '' && field.type !== 'choice')) {
    return field.isRequired && !(field.type === 'text' && value === '' && field.minLength === 0) ? 'required' : undefined;
  }
  switch (field.type) {
    case 'text':
      return typeof value === 'string' ? textProblem(field, value) : 'wrongType';
    case 'number':
      return typeof value === 'number' ? numberProblem(field, value) : 'notANumber';
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'wrongType';
    case 'choice':
      return field.options.some((each) => each.value === value) ? undefined : value === '' && !field.isRequired ? undefined : 'notAnOption';
    case 'choices':
      return Array.isArray(value) ? choicesProblem(field, value) : 'wrongType';
  }
}

type FieldOf<T extends FormField['type']> = Extract<FormField, { type: T }>;

function textProblem({ format, minLength, maxLength }: FieldOf<'text'>, value: string): FieldProblem | undefined {
  const { length } = Array.from(value);
  if (length < (minLength ?? 0)) {
    return 'tooShort';
  }
  if (length > (maxLength ?? Infinity)) {
    return 'tooLong';
  }
  return hasFormat(format, value) ? undefined : 'badFormat';
}

function numberProblem({ isInteger, minimum, maximum }: FieldOf<'number'>, value: number): FieldProblem | undefined {
  if (!Number.isFinite(value)) {
    return 'notANumber';
  }
  if (isInteger && !Number.isInteger(value)) {
    return 'notAnInteger';
  }
  return value < (minimum ?? -Infinity) ? 'tooSmall' : value > (maximum ?? Infinity) ? 'tooLarge' : undefined;
}

function choicesProblem({ options, isRequired, minItems, maxItems }: FieldOf<'choices'>, values: string[]): FieldProblem | undefined {
  if (values.length === 0 && !isRequired) {
    return undefined;
  }
  if (values.some((value) => !options.some((each) => each.value === value))) {
    return 'notAnOption';
  }
  return values.length < (minItems ?? 0) ? 'tooFew' : values.length > (maxItems ?? Infinity) ? 'tooMany' : undefined;
}

/** What goes to the server: the fields it asked for, empty optional ones left out. Undefined if something does not fit. */
export function acceptedContent(fields: readonly FormField[], given: FormValues): FormValues | undefined {
  const values = fields.map((field) => [field, Object.hasOwn(given, field.name) ? given[field.name] : undefined] as const);
  if (values.some(([field, value]) => fieldProblem(field, value) !== undefined)) {
    return undefined;
  }
  return Object.fromEntries(values.flatMap(([field, value]) => (isLeftOut(field, value) ? [] : [[field.name, value as FormValue]])));
}

function isLeftOut(field: FormField, value: FormValue | undefined): boolean {
  const isEmpty = value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
  return isEmpty && !(field.isRequired && value !== undefined);
}
