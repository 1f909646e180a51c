import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { inputDefinition, type InputDefinition } from '../../contract/definitionSchemas.ts';
import { isPlainSecret } from '../../secrets/secretNames.ts';
import { inputsIn, textsOf } from '../variables.ts';
import { type Blank, fillBlanks } from './blanks.ts';

/** A definition that is ready to be written. */
export interface FilledDefinition {
  readonly definition: JsonObject;
  /** The inputs that the definition uses and that are to be written with it. */
  readonly inputs: readonly InputDefinition[];
  /** The values of inputs, by id, that are known already: they go into the secret storage and nowhere else. */
  readonly values: ReadonlyMap<string, string>;
}

export interface InputSources {
  /** The name of the server, from which the ids of new inputs are made. */
  readonly name: string;
  /** The inputs that were pasted with the definition. */
  readonly given: readonly JsonValue[];
  /** The inputs that are configured already; none of them is changed. */
  readonly configured: readonly JsonValue[];
}

/**
 * Fills in what the person answered. Secrets, and what they leave for later, become inputs; everything else stands in the
 * definition itself.
 */
export function fillDefinition(
  definition: JsonObject,
  blanks: readonly Blank[],
  answers: ReadonlyMap<Blank, string>,
  sources: InputSources,
): FilledDefinition {
  const pasted = givenInputs(definition, sources);
  const inputs = new Map<string, InputDefinition>();
  const values = new Map<string, string>();
  const texts = new Map<Blank, string>();
  const known = new Map<string, string>();
  const taken = [...idsOf(sources.configured), ...pasted.inputs.map(({ id }) => id)];
  for (const blank of blanks) {
    const answer = blank.kind === 'secret' ? blank.text : (answers.get(blank) ?? '');
    const isLeft = answer === '' && blank.text === '';
    if (isLeft || (!blank.mayHaveInput && answer === '')) {
      continue;
    }
    if (!blank.mayHaveInput || (answer !== '' && !blank.isSecret && !isPlainSecret(blank.label, answer))) {
      texts.set(blank, answer);
      continue;
    }
    const id = known.get(keyOf(blank, answer)) ?? freeInputId(`${sources.name}-${blank.label}`, [...taken, ...inputs.keys()]);
    known.set(keyOf(blank, answer), id);
    inputs.set(id, { id, type: 'promptString', description: blank.label, ...(blank.isSecret ? { password: true } : {}) });
    texts.set(blank, `\${input:${id}}`);
    if (answer !== '') {
      values.set(id, answer);
    }
  }
  return { definition: withNewIds(fillBlanks(definition, texts), pasted.newIds), inputs: [...pasted.inputs, ...inputs.values()], values };
}

/** A text that tells inputs apart: the same secret in two places is one input. */
function keyOf({ label, text }: Blank, answer: string): string {
  return JSON.stringify([answer === '' ? label : '', answer === '' ? text : answer]);
}

function idsOf(inputs: readonly JsonValue[]): readonly string[] {
  return inputs.flatMap((each) => inputDefinition().safeParse(each).data?.id ?? []);
}

/** The most characters that the id of a new input takes from the text it is made of. */
const maxIdLength = 80;

/** The id of a new input, made of a text for people; with a number behind it where that is taken. */
export function freeInputId(wanted: string, taken: readonly string[]): string {
  const base = wanted.replace(/[^\p{L}\p{N}_.-]+/gu, '-').slice(0, maxIdLength);
  let id = base;
  for (let count = 2; taken.includes(id); count += 1) {
    id = `${base}-${count}`;
  }
  return id;
}

/**
 * The inputs that a definition names: as they were pasted with it, or new ones where none was. One whose id is taken by another
 * input gets another id.
 */
function givenInputs(
  definition: JsonObject,
  { given, configured }: InputSources,
): { readonly inputs: readonly InputDefinition[]; readonly newIds: ReadonlyMap<string, string> } {
  const used = [...new Set(textsOf(definition).flatMap(({ text }) => inputsIn(text)))];
  const newIds = new Map<string, string>();
  const inputs = used.map((id): InputDefinition => {
    const pasted = given.map((each) => inputDefinition().safeParse(each).data).find((each) => each?.id === id);
    const input = pasted ?? { id, type: 'promptString', ...(isPlainSecret(id, 'value') ? { password: true } : {}) };
    const isTaken = configured.some((each) => {
      const other = inputDefinition().safeParse(each).data;
      return other?.id === id && canonicalJson(other) !== canonicalJson(input);
    });
    if (isTaken) {
      newIds.set(id, freeInputId(id, [...idsOf(configured), ...used]));
    }
    return { ...input, id: newIds.get(id) ?? id };
  });
  return { inputs, newIds };
}

function withNewIds(definition: JsonObject, newIds: ReadonlyMap<string, string>): JsonObject {
  const rename = (value: JsonValue | undefined): JsonValue | undefined => {
    if (typeof value === 'string') {
      return value.replace(/\$\{input:([^}]+)\}/g, (whole, id: string) => (newIds.has(id) ? `\${input:${newIds.get(id)}}` : whole));
    }
    if (Array.isArray(value)) {
      return (value as readonly JsonValue[]).map((each) => rename(each) ?? null);
    }
    return isJsonObject(value) ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, rename(each)])) : value;
  };
  return newIds.size === 0 ? definition : (rename(definition) as JsonObject);
}
