import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json.ts';
import type { FormField, FormGroup } from '../../src/contract/forms/formFields.ts';
import { startingValue } from '../../src/schemaForms/argumentValues.ts';

export type Random = (below: number) => number;

export function generator(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Arguments as somebody could leave them who only uses the controls of a form: what is needed, and some of the rest. */
export function filledForm(form: FormGroup, random: Random): JsonObject {
  const value = filled(form, random, 5);
  return isJsonObject(value) ? value : {};
}

const texts: readonly string[] = ['a', 'word', 'two words', 'name@example.com', 'https://example.com', '2026-01-31', '12345'];

function filled(field: FormField, random: Random, depth: number): JsonValue {
  if (field.isNullable && random(4) === 0) {
    return null;
  }
  switch (field.type) {
    case 'text':
      return texts[random(texts.length)] ?? '';
    case 'number':
      return (field.minimum ?? field.exclusiveMinimum ?? 0) + (field.multipleOf ?? 1) * random(4);
    case 'boolean':
      return random(2) === 0;
    case 'choice':
      return JSON.parse(field.options[random(field.options.length)]?.value ?? 'null') as JsonValue;
    case 'list': {
      const length = depth <= 0 ? (field.minItems ?? 0) : (field.minItems ?? 0) + random(3);
      return Array.from({ length }, () => filled(field.item, random, depth - 1));
    }
    case 'variants':
      return filledVariant(field.variants, random, depth);
    case 'group':
      return field.variants === undefined ? filledMembers(field, random, depth) : filledVariant(field.variants, random, depth);
    case 'json':
      return startingValue(field) ?? (field.types.includes('array') ? [] : field.types.includes('object') ? {} : 1);
  }
}

function filledVariant(variants: readonly { readonly field: FormField }[], random: Random, depth: number): JsonValue {
  const variant = variants[depth <= 0 ? variants.length - 1 : random(variants.length)];
  return variant === undefined ? null : filled(variant.field, random, depth);
}

function filledMembers({ fields, rest }: FormGroup, random: Random, depth: number): JsonObject {
  const given = fields.filter(({ isRequired }) => isRequired || (depth > 0 && random(2) === 0));
  const members = given.map((field) => [field.name, filled(field, random, depth - 1)] as const);
  const others = rest === undefined || depth <= 0 || random(2) === 0 ? [] : [['extra', filled(rest, random, depth - 1)] as const];
  return Object.fromEntries([...members, ...others]);
}
