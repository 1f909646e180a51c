import { isJsonObject } from '../base/json.ts';
import { revealInvisible } from '../base/visibleText.ts';
import type { FormField } from '../contract/forms/formFields.ts';
import { asksForSecret } from '../secrets/secretNames.ts';
import { type LimitName, readSchema, type SchemaBounds, type SchemaField } from './readSchema.ts';

const maxFields = 50;
const maxOptions = 500;
const maxTextLength = 10_000;
/** Down to the options of an array's items; every field may have as many options as are shown. */
const bounds: SchemaBounds = { maxDepth: 3, maxFields: 3 * maxFields * maxOptions, followsReferences: false };

export type FormModel =
  | { readonly kind: 'ok'; readonly fields: readonly FormField[] }
  | { readonly kind: 'tooLarge'; readonly maxFields: number }
  | { readonly kind: 'unknownField'; readonly name: string };

/** The form for a server's schema of one level: its fields in its order, all of them or none. */
export function formModel(schema: unknown): FormModel {
  if (isTooLarge(schema)) {
    return { kind: 'tooLarge', maxFields };
  }
  const { properties = [], required } = readSchema(schema, bounds);
  const fields: FormField[] = [];
  for (const property of properties) {
    const field = toFormField(property, required.includes(property));
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

function toFormField(property: SchemaField, isRequired: boolean): FormField | undefined {
  const { name, title = '', description = '', default: initial, types } = property;
  const label = revealInvisible(title === '' ? name : title);
  const common = { name, label, description: revealInvisible(description), isRequired };
  const options = optionsOf(property);
  if (options !== undefined) {
    const known = typeof initial === 'string' && options.some(({ value }) => value === initial);
    return { ...common, type: 'choice', options, ...(known ? { default: initial } : {}) };
  }
  switch (types.length === 1 ? types[0] : undefined) {
    case 'string':
      return {
        ...common,
        type: 'text',
        format: formatOf(property.format),
        ...limitsOf(property, 'minLength', 'maxLength'),
        ...(typeof initial === 'string' ? { default: initial } : {}),
        looksSecret: [name, common.label, common.description].some(asksForSecret),
      };
    case 'number':
    case 'integer':
      return {
        ...common,
        type: 'number',
        isInteger: types[0] === 'integer',
        ...limitsOf(property, 'minimum', 'maximum'),
        ...(typeof initial === 'number' ? { default: initial } : {}),
      };
    case 'boolean':
      return { ...common, type: 'boolean', ...(typeof initial === 'boolean' ? { default: initial } : {}) };
    case 'array':
      return toChoices(common, property);
    case undefined:
    default:
      return undefined;
  }
}

type Common = Pick<FormField, 'name' | 'label' | 'description' | 'isRequired'>;

function toChoices(common: Common, property: SchemaField): FormField | undefined {
  const { items, default: initial } = property;
  const options = items && optionsOf(items);
  if (options === undefined) {
    return undefined;
  }
  const chosen = Array.isArray(initial) ? new Set<unknown>(initial) : undefined;
  const known = chosen && options.map(({ value }) => value).filter((value) => chosen.has(value));
  const limits = limitsOf(property, 'minItems', 'maxItems');
  return { ...common, type: 'choices', options, ...limits, ...(known === undefined ? {} : { default: known }) };
}

/** `enum` (with the older `enumNames`), or `oneOf`/`anyOf` of titled constants. */
function optionsOf({ enum: values, enumNames, oneOf, anyOf }: SchemaField): { value: string; label: string }[] | undefined {
  if (values !== undefined) {
    return values.slice(0, maxOptions).flatMap((value, index) => (typeof value === 'string' ? [toOption(value, enumNames?.[index])] : []));
  }
  return (oneOf ?? anyOf)
    ?.slice(0, maxOptions)
    .flatMap(({ const: value, title }) => (typeof value === 'string' ? [toOption(value, title)] : []));
}

function toOption(value: string, label: unknown): { value: string; label: string } {
  return { value, label: revealInvisible(typeof label === 'string' && label !== '' ? label : value) };
}

function formatOf(format: string | undefined): 'plain' | 'email' | 'uri' | 'date' | 'dateTime' {
  return format === 'email' || format === 'uri' || format === 'date' ? format : format === 'date-time' ? 'dateTime' : 'plain';
}

function limitsOf<K extends LimitName>({ limits }: SchemaField, ...names: readonly K[]): { [name in K]?: number } {
  return Object.fromEntries(names.flatMap((name) => (limits[name] === undefined ? [] : [[name, limits[name]]]))) as {
    [name in K]?: number;
  };
}
