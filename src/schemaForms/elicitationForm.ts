import { isJsonObject, type JsonValue } from '../base/json.ts';
import { revealInvisible } from '../base/visibleText.ts';
import type { FieldValue, FormField, FormValue, FormValues, TextFormat } from '../contract/forms/formFields.ts';
import { asksForSecret } from '../secrets/secretNames.ts';
import { limitsOf, numberField, textField } from './argumentForm.ts';
import { fieldProblems, type FieldProblem } from './argumentProblems.ts';
import { readSchema, type SchemaBounds, type SchemaField } from './readSchema.ts';

/** The most fields of a form that a server asks for; there is no form with more. */
const maxFields = 50;
/** The most options of one field; the rest is left out. */
const maxOptions = 500;
/** The most characters of JSON per possible field: the limit for all fields together is `maxFields` times this. */
const maxTextLength = 10_000;
/** The schema is read down to the options of an array's items, with as many options per field as are shown. */
const bounds: SchemaBounds = { maxDepth: 3, maxFields: 3 * maxFields * maxOptions, followsReferences: false };

export type ElicitationForm =
  | { readonly kind: 'ok'; readonly fields: readonly FormField[] }
  | { readonly kind: 'tooLarge'; readonly maxFields: number }
  | { readonly kind: 'unknownField'; readonly name: string };

/**
 * Makes the form that a server asks a person to fill in (MCP's elicitation). Its schema has one level. The form has all of its
 * fields, in the schema's order, or there is no form.
 */
export function elicitationForm(schema: unknown): ElicitationForm {
  if (isTooLarge(schema)) {
    return { kind: 'tooLarge', maxFields };
  }
  const { properties = [], required } = readSchema(schema, bounds);
  const fields: FormField[] = [];
  for (const property of properties) {
    const field = toField(property, required.includes(property));
    if (field === undefined) {
      return { kind: 'unknownField', name: property.name };
    }
    fields.push(field);
  }
  return { kind: 'ok', fields };
}

function isTooLarge(schema: unknown): boolean {
  const properties = isJsonObject(schema) && isJsonObject(schema['properties']) ? schema['properties'] : {};
  return Object.keys(properties).length > maxFields || JSON.stringify(properties).length > maxFields * maxTextLength;
}

type Common = Pick<FormField, 'name' | 'label' | 'description' | 'isRequired' | 'isNullable'>;

function toField(property: SchemaField, isRequired: boolean): FormField | undefined {
  const { name, title = '', description = '', default: initial, types } = property;
  const label = revealInvisible(title === '' ? name : title);
  const common: Common = { name, label, description: revealInvisible(description), isRequired, isNullable: false };
  const options = optionsOf(property);
  if (options !== undefined) {
    const isKnown = typeof initial === 'string' && options.some(({ value }) => value === JSON.stringify(initial));
    return { ...common, type: 'choice', options, ...defaultOf(isKnown ? initial : undefined) };
  }
  switch (types.length === 1 ? types[0] : undefined) {
    case 'string': {
      const looksSecret = [name, label, common.description].some((text) => asksForSecret(text));
      return { ...textField(property, common), ...defaultOf(typeof initial === 'string' ? initial : undefined), looksSecret };
    }
    case 'number':
    case 'integer':
      return { ...numberField(property, common), ...defaultOf(typeof initial === 'number' ? initial : undefined) };
    case 'boolean':
      return { ...common, type: 'boolean', ...defaultOf(typeof initial === 'boolean' ? initial : undefined) };
    case 'array':
      return toChoices(common, property);
    case undefined:
    default:
      return undefined;
  }
}

/** A list whose items are options: a person may choose several. */
function toChoices(common: Common, property: SchemaField): FormField | undefined {
  const { items, default: initial } = property;
  const options = items && optionsOf(items);
  if (options === undefined) {
    return undefined;
  }
  const item: FormField = { name: '', label: '', description: '', isRequired: true, isNullable: false, type: 'choice', options };
  const chosen = Array.isArray(initial) ? new Set((initial as readonly JsonValue[]).map((each) => JSON.stringify(each))) : undefined;
  const known = chosen && options.filter(({ value }) => chosen.has(value)).map(({ value }) => JSON.parse(value) as JsonValue);
  return { ...common, type: 'list', item, ...limitsOf(property, 'minItems', 'maxItems'), ...defaultOf(known) };
}

function defaultOf(value: JsonValue | undefined): { readonly default?: string } {
  return value === undefined ? {} : { default: JSON.stringify(value) };
}

interface Option {
  readonly value: string;
  readonly label: string;
}

/** The options of a field: an `enum` (with the older `enumNames`), or `oneOf`/`anyOf` of titled constants. MCP allows only texts here. */
function optionsOf({ enum: values, enumNames, oneOf, anyOf }: SchemaField): readonly Option[] | undefined {
  if (values !== undefined) {
    return values.slice(0, maxOptions).flatMap((value, index) => (typeof value === 'string' ? [toOption(value, enumNames?.[index])] : []));
  }
  return (oneOf ?? anyOf)
    ?.slice(0, maxOptions)
    .flatMap(({ const: value, title }) => (typeof value === 'string' ? [toOption(value, title)] : []));
}

function toOption(value: string, label: unknown): Option {
  return { value: JSON.stringify(value), label: revealInvisible(typeof label === 'string' && label !== '' ? label : value) };
}

/** The values that the form is filled with at first. */
export function defaultAnswers(fields: readonly FormField[]): FormValues {
  return Object.fromEntries(
    fields.flatMap((field) => (field.default === undefined ? [] : [[field.name, JSON.parse(field.default) as FormValue]])),
  );
}

/**
 * Finds what keeps a value from being sent. This is stricter than for arguments: formats are checked, and an empty field counts
 * as one that is left out.
 */
export function answerProblem(field: FormField, value: FieldValue): FieldProblem | undefined {
  if (isEmpty(field, value)) {
    const mayBeEmpty = field.type === 'text' && value === '' && field.minLength === 0;
    return field.isRequired && !mayBeEmpty ? { kind: 'required' } : undefined;
  }
  const [first] = fieldProblems(field, value);
  if (first !== undefined || field.type !== 'text' || typeof value !== 'string') {
    return first?.problem;
  }
  return hasFormat(field.format, value) ? undefined : { kind: 'badFormat', format: field.format };
}

function isEmpty(field: FormField, value: FieldValue): boolean {
  switch (field.type) {
    case 'choice':
      return value === undefined || (value === '' && !field.isRequired && !field.options.some((option) => option.value === '""'));
    case 'list':
      return value === undefined || value === '' || (Array.isArray(value) && value.length === 0 && !field.isRequired);
    case 'text':
    case 'number':
    case 'boolean':
    case 'group':
    case 'variants':
    case 'json':
      return value === undefined || value === '';
  }
}

/** Checks a format roughly, to catch slips: the server itself checks what it asked for. */
function hasFormat(format: TextFormat, value: string): boolean {
  switch (format) {
    case 'plain':
    case 'time':
    case 'uuid':
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

/** The content that goes to the server: the fields it asked for, without empty optional ones. Undefined if a value does not fit. */
export function acceptedContent(fields: readonly FormField[], given: FormValues): FormValues | undefined {
  const values = fields.map((field) => [field, Object.hasOwn(given, field.name) ? given[field.name] : undefined] as const);
  if (values.some(([field, value]) => answerProblem(field, value) !== undefined)) {
    return undefined;
  }
  return Object.fromEntries(values.flatMap(([field, value]) => (isLeftOut(field, value) ? [] : [[field.name, value as FormValue]])));
}

function isLeftOut(field: FormField, value: FormValue | undefined): boolean {
  const isNothing = value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
  return isNothing && !(field.isRequired && value !== undefined);
}
