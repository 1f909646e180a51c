import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import type { FormField } from '../../contract/formFields.ts';
import { invalidParams, rpcError } from './requestGuard.ts';

const mostFields = 50;
const mostOptions = 500;
const longestText = 10_000;
const secretWords = /pass(word|phrase|code|wd)|secret|token|api[\s_-]?key|credential|private[\s_-]?key|\bpin\b|\bcvv?\b|credit[\s_-]?card/i;

/** Pure. The fields of a server's schema, in its order; throws what the server is told when a form cannot be made of it. */
export function readFields(schema: unknown): readonly FormField[] {
  const properties = isJsonObject(schema) && isJsonObject(schema['properties']) ? schema['properties'] : {};
  const required: unknown = isJsonObject(schema) ? schema['required'] : undefined;
  const names = Object.keys(properties);
  if (names.length > mostFields || JSON.stringify(properties).length > mostFields * longestText) {
    throw rpcError(invalidParams, `A form has at most ${mostFields} fields.`);
  }
  return names.map((name) => {
    const definition = properties[name];
    const field = isJsonObject(definition) ? readField(name, definition, Array.isArray(required) && required.includes(name)) : undefined;
    if (field === undefined) {
      throw rpcError(invalidParams, `This client cannot show the field “${name.slice(0, 100)}”.`);
    }
    return field;
  });
}

function readField(name: string, definition: JsonObject, isRequired: boolean): FormField | undefined {
  const { title, description, type, default: initial } = definition;
  const common = {
    name,
    label: revealInvisible(typeof title === 'string' && title !== '' ? title : name),
    description: typeof description === 'string' ? revealInvisible(description) : '',
    isRequired,
  };
  const options = readOptions(definition);
  if (options !== undefined) {
    const known = typeof initial === 'string' && options.some(({ value }) => value === initial);
    return { ...common, type: 'choice', options, ...(known ? { default: initial } : {}) };
  }
  switch (typeof type === 'string' ? type : '') {
    case 'string':
      return {
        ...common,
        type: 'text',
        format: formatOf(definition['format']),
        ...numbers(definition, 'minLength', 'maxLength'),
        ...(typeof initial === 'string' ? { default: initial } : {}),
        looksSecret: [name, common.label, common.description].some((text) => secretWords.test(text)),
      };
    case 'number':
    case 'integer':
      return {
        ...common,
        type: 'number',
        isInteger: type === 'integer',
        ...numbers(definition, 'minimum', 'maximum'),
        ...(typeof initial === 'number' ? { default: initial } : {}),
      };
    case 'boolean':
      return { ...common, type: 'boolean', ...(typeof initial === 'boolean' ? { default: initial } : {}) };
    case 'array':
      return readChoices(common, definition);
    default:
      return undefined;
  }
}

type Common = Pick<FormField, 'name' | 'label' | 'description' | 'isRequired'>;

function readChoices(common: Common, definition: JsonObject): FormField | undefined {
  const { items, default: initial } = definition;
  const options = isJsonObject(items) ? readOptions(items) : undefined;
  if (options === undefined) {
    return undefined;
  }
  const known = Array.isArray(initial) ? options.map(({ value }) => value).filter((value) => initial.includes(value)) : undefined;
  const limits = numbers(definition, 'minItems', 'maxItems');
  return { ...common, type: 'choices', options, ...limits, ...(known === undefined ? {} : { default: known }) };
}

/** `enum` (with the older `enumNames`), or `oneOf`/`anyOf` of titled constants. */
function readOptions(definition: JsonObject): { value: string; label: string }[] | undefined {
  const values: unknown = definition['enum'];
  if (Array.isArray(values)) {
    const names: unknown = definition['enumNames'];
    return values.slice(0, mostOptions).flatMap((value: unknown, index) => {
      const label: unknown = Array.isArray(names) ? names[index] : value;
      return typeof value === 'string' ? [toOption(value, label)] : [];
    });
  }
  const titled: unknown = definition['oneOf'] ?? definition['anyOf'];
  return Array.isArray(titled)
    ? titled
        .slice(0, mostOptions)
        .flatMap((each: unknown) =>
          isJsonObject(each) && typeof each['const'] === 'string' ? [toOption(each['const'], each['title'])] : [],
        )
    : undefined;
}

function toOption(value: string, label: unknown): { value: string; label: string } {
  return { value, label: revealInvisible(typeof label === 'string' && label !== '' ? label : value) };
}

function formatOf(format: unknown): 'plain' | 'email' | 'uri' | 'date' | 'dateTime' {
  return format === 'email' || format === 'uri' || format === 'date' ? format : format === 'date-time' ? 'dateTime' : 'plain';
}

function numbers<K extends string>(definition: JsonObject, ...keys: readonly K[]): { [key in K]?: number } {
  const found: { [key in K]?: number } = {};
  for (const key of keys) {
    const value = definition[key];
    if (typeof value === 'number' && Number.isFinite(value)) {
      found[key] = value;
    }
  }
  return found;
}
