import type { JsonObject } from '../base/json.ts';
import { fingerprintOf } from '../consent/fingerprint.ts';
import type { InputDefinition } from '../contract/definitionSchemas.ts';

const hiddenDefault = 'set, not shown: it is a password';

/** Everything that decides what an input can put into the definition; of the person's answer nothing. */
export function inputMaterial(inputs: readonly InputDefinition[]): JsonObject | undefined {
  const parts = inputs.map((input): readonly [string, JsonObject] => [
    input.id,
    {
      type: typeOf(input),
      description: input.description,
      // What was approved is kept in a file: of a password only what tells another one.
      default: isPassword(input) && input.default !== undefined ? fingerprintOf({ default: input.default }) : input.default,
      options: input.type === 'pickString' ? input.options : undefined,
    },
  ]);
  return parts.length === 0 ? undefined : Object.fromEntries(parts);
}

interface InputField {
  readonly name: string;
  readonly value: string;
}

/** A label says what is picked, its value is what the server gets: one field each, so that neither stands for the other. */
export function inputFields(inputs: readonly InputDefinition[]): readonly InputField[] {
  return inputs.flatMap((input) => {
    const name = `inputs.${input.id}`;
    const options = input.type === 'pickString' ? input.options : [];
    return [
      { name, value: input.description === undefined ? typeOf(input) : `${typeOf(input)}: ${input.description}` },
      ...(input.default === undefined ? [] : [{ name: `${name}.default`, value: isPassword(input) ? hiddenDefault : input.default }]),
      ...options.flatMap((option, index) => optionFields(`${name}.options[${index}]`, option)),
    ];
  });
}

function optionFields(name: string, option: string | { readonly label: string; readonly value: string }): readonly InputField[] {
  return typeof option === 'string'
    ? [{ name, value: option }]
    : [
        { name: `${name}.label`, value: option.label },
        { name: `${name}.value`, value: option.value },
      ];
}

function typeOf(input: InputDefinition): string {
  return isPassword(input) ? 'password' : input.type;
}

function isPassword(input: InputDefinition): boolean {
  return input.type === 'promptString' && input.password === true;
}
