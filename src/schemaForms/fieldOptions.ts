import type { JsonValue } from '../base/json.ts';
import { revealInvisible } from '../base/visibleText.ts';
import type { SchemaField } from './schemaField.ts';

interface Option {
  readonly value: string;
  readonly label: string;
}

const maxOptions = 200;

/** `enum` (with the older `enumNames`), a constant, or alternatives that are all titled constants. */
export function optionsOf(field: SchemaField): readonly Option[] | undefined {
  const { enum: values, enumNames, const: constant, anyOf, oneOf, isCut } = field;
  if (constant !== undefined) {
    return [toOption(constant, undefined)];
  }
  if (values !== undefined) {
    return values.length > maxOptions ? undefined : values.map((value, index) => toOption(value, enumNames?.[index]));
  }
  // Cut, there may be other values than those that were read.
  const alternatives = isCut ? undefined : (anyOf ?? oneOf);
  const known = alternatives?.flatMap(({ const: value, title }) => (value === undefined ? [] : [toOption(value, title)]));
  return known !== undefined && known.length > 0 && known.length === alternatives?.length && known.length <= maxOptions ? known : undefined;
}

function toOption(value: JsonValue, label: unknown): Option {
  const text = typeof value === 'string' && value.trim() !== '' && !isJson(value) ? value : JSON.stringify(value);
  const own = revealInvisible(text);
  const title = typeof label === 'string' && label.trim() !== '' && label !== text ? revealInvisible(label) : undefined;
  // What is sent is always seen, whatever it is called.
  return { value: JSON.stringify(value), label: title === undefined ? own : `${title} (${own})` };
}

/** Without its quotes it would look like something else than a text. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
