import { revealInvisible } from '../base/visibleText.ts';
import type { FormField } from '../contract/forms/formFields.ts';
import { isPlainSecret } from '../secrets/secretNames.ts';
import { type InstallWay, isAlready } from './installWays.ts';
import type { RegistryInput, VariableInput } from './serverJson.ts';

/** Something that a person fills in before a server is installed. */
export interface InstallField {
  readonly field: FormField;
  /** Goes into the secret storage. Left empty, it is asked for at the start if the server needs it. */
  readonly isSecret: boolean;
  readonly isNeeded: boolean;
  /** Shown once the field of this name has a value: the next of those that can be given several times. */
  readonly after?: string | undefined;
}

/** A place of a command line, of variables or of headers, with the fields that decide what stands there. */
export interface Slot {
  readonly id: string;
  readonly label: string;
  readonly input: VariableInput;
  readonly fields: readonly SlotField[];
}

export interface SlotField {
  /** The name of the variable in the fixed value; undefined where the field is the value itself. */
  readonly variable: string | undefined;
  readonly input: RegistryInput;
  /** The names of its fields in the form; several where it can be repeated. */
  readonly names: readonly string[];
  readonly label: string;
  readonly isSecret: boolean;
  /** What stands in the fields at first, where several do. */
  readonly defaults?: readonly string[] | undefined;
  /** Between which numbers the value has to be. */
  readonly range?: { readonly minimum?: number | undefined; readonly maximum?: number | undefined } | undefined;
}

/** The most values that the person can give to an argument that may be repeated. */
const maxRepeats = 8;

/** The `{variables}` in a text. What has no entry in the map is no variable, and stays as it is. */
const variablePattern = /\{([^{}\s]{1,200})\}/g;

function slotOf(id: string, label: string, input: VariableInput): Slot {
  if (input.value === undefined) {
    const count = 'isRepeated' in input && input.isRepeated ? maxRepeats : 1;
    const names = Array.from({ length: count }, (_, index) => (index === 0 ? id : `${id}#${index}`));
    return { id, label, input, fields: [{ variable: undefined, input, names, label, isSecret: isSecret(label, input) }] };
  }
  return { id, label, input, fields: variableFields(id, input.value, input.variables ?? {}) };
}

/** The fields of the variables that a fixed text has in it. */
export function variableFields(id: string, text: string, variables: Readonly<Record<string, RegistryInput>>): readonly SlotField[] {
  const used = [...new Set([...text.matchAll(variablePattern)].map(([, name = '']) => name))];
  return used
    .filter((name) => Object.hasOwn(variables, name) && variables[name]?.value === undefined)
    .flatMap((name) => {
      const input = variables[name];
      return input === undefined ? [] : [{ variable: name, input, names: [`${id}.${name}`], label: name, isSecret: isSecret(name, input) }];
    });
}

/** A fixed text in pieces: each is the text of the entry itself, or the name of a variable. */
export function piecesOf(
  text: string,
  variables: Readonly<Record<string, RegistryInput>>,
): readonly ({ readonly text: string } | { readonly variable: string })[] {
  const pieces: ({ readonly text: string } | { readonly variable: string })[] = [];
  let end = 0;
  for (const match of text.matchAll(variablePattern)) {
    const name = match[1] ?? '';
    if (Object.hasOwn(variables, name)) {
      pieces.push({ text: text.slice(end, match.index) }, { variable: name });
      end = match.index + match[0].length;
    }
  }
  return [...pieces, { text: text.slice(end) }];
}

function isSecret(name: string, input: RegistryInput): boolean {
  return input.isSecret || isPlainSecret(name, 'value');
}

/** All places of a way that are filled in, in the order of the form. */
export function slotsOf(way: InstallWay): readonly Slot[] {
  if (way.kind === 'remote') {
    return way.remote.headers.map((header, index) => slotOf(`header:${index}`, header.name, header));
  }
  if (way.kind === 'bundle') {
    // What can be configured stands in its manifest.
    return [];
  }
  const { runtimeArguments, packageArguments, environmentVariables } = way.package;
  const runtime = way.runtime ?? 'npx';
  return [
    ...runtimeArguments.flatMap((each, index) =>
      isAlready(each, runtime) ? [] : [slotOf(`runtime:${index}`, argumentLabel(each, index), each)],
    ),
    ...packageArguments.map((each, index) => slotOf(`argument:${index}`, argumentLabel(each, index), each)),
    ...environmentVariables.map((each, index) => slotOf(`variable:${index}`, each.name, each)),
  ];
}

function argumentLabel(argument: VariableInput, index: number): string {
  if ('valueHint' in argument) {
    return argument.valueHint === '' ? `#${index + 1}` : argument.valueHint;
  }
  return argument.name;
}

/** The form of a way: what is required first asks for it, fixed values are not in it. */
export function installFields(way: InstallWay): readonly InstallField[] {
  const ofUrl = way.kind === 'remote' ? variableFields('url', way.remote.url, way.remote.variables ?? {}) : [];
  const ofSlots = slotsOf(way).flatMap((slot) => slot.fields.map((field) => ({ field, isNeeded: isNeededIn(slot, field) })));
  return [...ofUrl.map((field) => ({ field, isNeeded: true })), ...ofSlots].flatMap(({ field, isNeeded }) => fieldsOf(field, isNeeded));
}

/** A variable is needed where its slot is: half a header is none. */
function isNeededIn({ input }: Slot, field: SlotField): boolean {
  return field.input.isRequired || (field.variable !== undefined && input.isRequired);
}

/** The fields of the form for one value: several where it can be repeated. */
export function fieldsOf(
  { input, names, label, isSecret: isKept, defaults, range }: SlotField,
  isNeeded: boolean,
): readonly InstallField[] {
  return names.map((name, index) => {
    const initial = defaults?.[index] ?? (index === 0 ? input.default : undefined);
    const isRequired = isNeeded && index === 0 && !isKept;
    const common = { name, label: revealInvisible(label), description: revealInvisible(helpOf(input)), isRequired, isNullable: false };
    return {
      field: controlOf(input, common, initial, { isKept, range }),
      isSecret: isKept,
      isNeeded: isNeeded && index === 0,
      ...(index === 0 ? {} : { after: names[index - 1] }),
    };
  });
}

function helpOf({ description, placeholder }: RegistryInput): string {
  return placeholder === '' || description.includes(placeholder)
    ? description
    : description === ''
      ? placeholder
      : `${description} (${placeholder})`;
}

type CommonField = Pick<FormField, 'name' | 'label' | 'description' | 'isRequired' | 'isNullable'>;

function controlOf(
  { choices, format }: RegistryInput,
  common: CommonField,
  initial: string | undefined,
  { isKept, range }: { readonly isKept: boolean; readonly range: SlotField['range'] },
): FormField {
  const preset = initial === undefined || initial === '' ? {} : { default: JSON.stringify(initial) };
  if (choices !== undefined && choices.length > 0) {
    const options = choices.map((choice) => ({ value: JSON.stringify(choice), label: revealInvisible(choice) }));
    return { ...common, type: 'choice', options, ...(choices.includes(initial ?? '') ? preset : {}) };
  }
  if (format === 'boolean' && !isKept) {
    return {
      ...common,
      type: 'boolean',
      ...(initial === undefined ? {} : { default: JSON.stringify(initial.trim().toLowerCase() === 'true') }),
    };
  }
  if (format === 'number' && !isKept) {
    const value = Number(initial);
    const hasPreset = initial !== undefined && initial.trim() !== '' && Number.isFinite(value);
    return { ...common, type: 'number', isInteger: false, ...range, ...(hasPreset ? { default: JSON.stringify(value) } : {}) };
  }
  return { ...common, type: 'text', format: 'plain', ...preset, ...(isKept ? { isPassword: true } : {}) };
}
