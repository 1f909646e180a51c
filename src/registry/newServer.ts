import type { JsonObject, JsonValue } from '../base/json.ts';
import type { InputDefinition } from '../contract/definitionSchemas.ts';
import type { FormValues } from '../contract/forms/formFields.ts';
import { type FilledDefinition, freeInputId } from '../definitions/pasted/newInputs.ts';
import { readDefinitions } from '../definitions/readDefinitions.ts';
import { piecesOf, type Slot, type SlotField, slotsOf, variableFields } from './installForm.ts';
import { checkRemoteAddress, type InstallWay, isAlready, runtimeOption } from './installWays.ts';
import { registryError } from './registryErrors.ts';
import type { RegistryEntry, RegistryInput } from './serverJson.ts';

export interface NewServerOptions {
  /** The name that the server gets in the settings. */
  readonly name: string;
  readonly way: InstallWay;
  /** What the person filled in, by the names of the form's fields. */
  readonly values: FormValues;
  /** The inputs that are configured already; none of them is changed. */
  readonly configured: readonly JsonValue[];
}

/**
 * Makes the definition of a server from an entry and what the person filled in: an exact version, each argument a word of its own,
 * no shell, secrets as inputs. Throws an AppError for what is missing or must not be installed.
 */
export function newServer({ name, way, values, configured }: NewServerOptions): FilledDefinition {
  if (way.refusal !== undefined) {
    throw way.refusal;
  }
  const answers = new FormAnswers(name, values, configured);
  if (way.kind === 'bundle') {
    throw registryError('registry.notFetched');
  }
  return usableDefinition(way.kind === 'remote' ? remoteDefinition(way, answers) : packageDefinition(way, answers), answers);
}

/** The definition with the inputs of its secrets. Throws an AppError if our own settings would not take it. */
export function usableDefinition(definition: JsonObject, { inputs, secrets }: FormAnswers): FilledDefinition {
  const { problems } = readDefinitions([{ scope: 'user', value: { server: definition }, inputs, location: '' }]);
  const problem = problems.find(({ severity }) => severity === 'error');
  if (problem !== undefined) {
    throw registryError('registry.unusable', { reason: problem.message });
  }
  return { definition, inputs, values: secrets };
}

/** Marks a program of others by the entry that it comes from: its first question then proposes to confine it. */
export function markedBy({ name }: Pick<RegistryEntry, 'name'>, filled: FilledDefinition): FilledDefinition {
  const { definition } = filled;
  return 'command' in definition ? { ...filled, definition: { ...definition, registry: name } } : filled;
}

type PackageWay = Extract<InstallWay, { kind: 'package' }>;

function packageDefinition(way: PackageWay, answers: FormAnswers): JsonObject {
  const slots = slotsOf(way);
  const startingWith = (prefix: string): readonly Slot[] => slots.filter(({ id }) => id.startsWith(prefix));
  const env = Object.fromEntries(
    startingWith('variable:').flatMap((slot) => answers.textsOf(slot).map((text) => [slot.label, text] as const)),
  );
  const runtimeArgs = startingWith('runtime:').flatMap((slot) => runtimeWords(way, slot, answers));
  const packageArgs = startingWith('argument:').flatMap((slot) => argumentWords(slot, answers));
  const args = commandLine(way, { runtimeArgs, packageArgs, variables: Object.keys(env) });
  return { command: way.runtime, args, ...(Object.keys(env).length === 0 ? {} : { env }) };
}

interface Words {
  readonly runtimeArgs: readonly string[];
  readonly packageArgs: readonly string[];
  readonly variables: readonly string[];
}

function commandLine({ runtime, target }: PackageWay, { runtimeArgs, packageArgs, variables }: Words): readonly string[] {
  switch (runtime) {
    case 'docker':
      // A container sees of the variables of its program only those that are named.
      return ['run', '-i', '--rm', ...variables.flatMap((name) => ['-e', name]), ...runtimeArgs, target, ...packageArgs];
    case 'dnx':
      return [target, '--yes', ...(packageArgs.length === 0 ? [] : ['--', ...packageArgs])];
    case 'npx':
      return ['-y', target, ...packageArgs];
    case 'uvx':
    case undefined:
      return [target, ...packageArgs];
  }
}

function runtimeWords(way: PackageWay, slot: Slot, answers: FormAnswers): readonly string[] {
  const argument = slot.input;
  if (!('type' in argument) || way.runtime === undefined || isAlready(argument, way.runtime)) {
    return [];
  }
  const option = runtimeOption(argument, way.runtime);
  return option === undefined ? [] : answers.textsOf(slot).map((text) => `${option}=${text}`);
}

function argumentWords(slot: Slot, answers: FormAnswers): readonly string[] {
  const { input } = slot;
  if (!('type' in input) || input.type === 'positional') {
    return answers.textsOf(slot);
  }
  const [field] = slot.fields;
  if (input.value === '') {
    return [input.name];
  }
  if (field?.variable === undefined && input.value === undefined && input.format === 'boolean') {
    const isOn = answers.isTicked(slot.id);
    return isOn ? [input.name] : input.default?.trim().toLowerCase() === 'true' ? [`${input.name}=false`] : [];
  }
  // Joined, so that a value that begins with a dash is no option of its own.
  return answers.textsOf(slot).flatMap((text) => (input.name.startsWith('--') ? [`${input.name}=${text}`] : [input.name, text]));
}

function remoteDefinition(way: Extract<InstallWay, { kind: 'remote' }>, answers: FormAnswers): JsonObject {
  const { remote } = way;
  const headers = Object.fromEntries(slotsOf(way).flatMap((slot) => answers.textsOf(slot).map((text) => [slot.label, text] as const)));
  const fields = variableFields('url', remote.url, remote.variables ?? {});
  const url = answers.fill(remote.url, remote.variables ?? {}, fields, true) ?? remote.url;
  const withoutSecrets = url.replace(/\$\{input:[^}]*\}/g, 'secret');
  checkRemoteAddress(withoutSecrets);
  if (/^https?:\/\/[^/?#]*\$\{/i.test(url)) {
    throw registryError('registry.secretInHost');
  }
  const type = remote.type === 'sse' ? 'sse' : 'http';
  return { type, url, ...(Object.keys(headers).length === 0 ? {} : { headers }) };
}

/** What the person filled in, and the inputs that their secrets become. */
export class FormAnswers {
  readonly #name: string;
  readonly #values: FormValues;
  readonly #taken: string[];
  readonly #inputs = new Map<string, InputDefinition>();
  /** The values of inputs, by id: they go into the secret storage and nowhere else. */
  readonly secrets = new Map<string, string>();

  constructor(name: string, values: FormValues, configured: readonly JsonValue[]) {
    this.#name = name;
    this.#values = values;
    this.#taken = configured.flatMap((each) =>
      typeof each === 'object' && each !== null && 'id' in each && typeof each['id'] === 'string' ? [each['id']] : [],
    );
  }

  get inputs(): readonly InputDefinition[] {
    return [...this.#inputs.values()];
  }

  isTicked(name: string): boolean {
    return this.#valueOf(name) === 'true';
  }

  /** What stands in a slot: nothing where it is left out, several texts where it is repeated. */
  textsOf({ label, input, fields }: Slot): readonly string[] {
    const [first] = fields;
    if (input.value !== undefined) {
      const text = this.fill(input.value, input.variables ?? {}, fields, input.isRequired);
      return text === undefined ? [] : [text];
    }
    const texts =
      first === undefined ? [] : first.names.flatMap((name) => this.answer(first, name, input.isRequired && name === first.names[0]) ?? []);
    if (texts.length === 0 && input.isRequired) {
      throw registryError('registry.missing', { field: label });
    }
    return texts;
  }

  /** A fixed text with its variables filled in; undefined where one that is not needed was left out. */
  fill(
    text: string,
    variables: Readonly<Record<string, RegistryInput>>,
    fields: readonly SlotField[],
    isNeeded: boolean,
  ): string | undefined {
    const parts: string[] = [];
    for (const piece of piecesOf(text, variables)) {
      if ('text' in piece) {
        parts.push(piece.text);
        continue;
      }
      const field = fields.find(({ variable }) => variable === piece.variable);
      const isWanted = isNeeded || field?.input.isRequired === true;
      const part = field === undefined ? variables[piece.variable]?.value : this.answer(field, field.names[0] ?? '', isWanted);
      if (part === undefined && isWanted) {
        throw registryError('registry.missing', { field: piece.variable });
      }
      if (part === undefined) {
        return undefined;
      }
      parts.push(part);
    }
    const whole = parts.join('');
    // Pieces that are harmless each could make a variable of this machine together.
    const count = (each: string): number => each.split('${').length - 1;
    if (count(whole) !== parts.reduce((sum, part) => sum + count(part), 0)) {
      throw registryError('registry.hiddenVariable', { text: whole.slice(0, 200) });
    }
    return whole;
  }

  #valueOf(name: string): string {
    const value = Object.hasOwn(this.#values, name) ? this.#values[name] : undefined;
    return value === undefined || Array.isArray(value) ? '' : String(value);
  }

  /** What stands for a field: the answer, or the input that a secret becomes; undefined where it was left out. */
  answer(field: SlotField, name: string, isNeeded: boolean): string | undefined {
    const answer = this.#valueOf(name);
    if (!field.isSecret) {
      return answer === '' ? undefined : answer;
    }
    return answer === '' && !isNeeded ? undefined : this.#input(field, answer);
  }

  #input({ label, input }: SlotField, answer: string): string {
    const wanted = `${this.#name}-${label}`;
    const id = freeInputId(wanted, [...this.#taken, ...this.#inputs.keys()]);
    const description = input.description === '' ? label : input.description.slice(0, 200);
    this.#inputs.set(id, { id, type: 'promptString', description, password: true });
    if (answer !== '') {
      this.secrets.set(id, answer);
    }
    return `\${input:${id}}`;
  }
}
