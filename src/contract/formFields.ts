import * as z from 'zod';

/** A form a server asks a person to fill in, as data: made in the extension host, drawn by a page, checked on both sides. */
const common = {
  name: z.string(),
  label: z.string(),
  description: z.string(),
  isRequired: z.boolean(),
};
const option = z.object({ value: z.string(), label: z.string() });

export const formField = z.discriminatedUnion('type', [
  z.object({
    ...common,
    type: z.literal('text'),
    format: z.enum(['plain', 'email', 'uri', 'date', 'dateTime']),
    minLength: z.number().optional(),
    maxLength: z.number().optional(),
    default: z.string().optional(),
    /** It seems to ask for a password or a key: the person is warned. */
    looksSecret: z.boolean(),
  }),
  z.object({
    ...common,
    type: z.literal('number'),
    isInteger: z.boolean(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    default: z.number().optional(),
  }),
  z.object({ ...common, type: z.literal('boolean'), default: z.boolean().optional() }),
  z.object({ ...common, type: z.literal('choice'), options: z.array(option), default: z.string().optional() }),
  z.object({
    ...common,
    type: z.literal('choices'),
    options: z.array(option),
    minItems: z.number().optional(),
    maxItems: z.number().optional(),
    default: z.array(z.string()).optional(),
  }),
]);
export type FormField = z.infer<typeof formField>;

export const formValue = z.union([z.string().max(100_000), z.number(), z.boolean(), z.array(z.string().max(10_000)).max(1_000)]);
export type FormValue = z.infer<typeof formValue>;
export type FormValues = Readonly<Record<string, FormValue>>;

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

/** Rough on purpose: the server checks what it asked for; this only catches slips. */
function hasFormat(format: FieldOf<'text'>['format'], value: string): boolean {
  switch (format) {
    case 'plain':
      return true;
    case 'email':
      return /^[^\s@]+@[^\s@]+$/.test(value);
    case 'uri':
      return URL.canParse(value);
    case 'date':
      return /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));
    case 'dateTime':
      return /^\d{4}-\d{2}-\d{2}T/.test(value) && !Number.isNaN(Date.parse(value));
  }
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
