import type { JsonObject } from '../base/json.ts';
import type { InputDefinition } from '../contract/definitionSchemas.ts';
import { hiddenMark } from '../definitions/hideSecrets.ts';

/** Everything that decides what an input can put into the definition; of the person's answer nothing. A password is still in it. */
export function inputMaterial(inputs: readonly InputDefinition[]): JsonObject | undefined {
  const parts = inputs.map((input): readonly [string, JsonObject] => [
    input.id,
    {
      type: typeOf(input),
      description: input.description,
      default: input.default,
      options: input.type === 'pickString' ? input.options : undefined,
    },
  ]);
  return parts.length === 0 ? undefined : Object.fromEntries(parts);
}

interface InputField {
  readonly name: string;
  readonly value: string;
  readonly isHidden?: boolean;
}

/** A label says what is picked, its value is what the server gets: one field each, so that neither stands for the other. */
export function inputFields(inputs: readonly InputDefinition[]): readonly InputField[] {
  return inputs.flatMap((input) => {
    const name = `inputs.${input.id}`;
    const options = input.type === 'pickString' ? input.options : [];
    return [
      { name, value: input.description === undefined ? typeOf(input) : `${typeOf(input)}: ${input.description}` },
      ...defaultFields(`${name}.default`, input),
      ...options.flatMap((option, index) => optionFields(`${name}.options[${index}]`, option)),
    ];
  });
}

function defaultFields(name: string, input: InputDefinition): readonly InputField[] {
  if (input.default === undefined) {
    return [];
  }
  return [isPassword(input) ? { name, value: hiddenMark, isHidden: true } : { name, value: input.default }];
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
