import type * as z from 'zod';
import type { AppError } from '../base/errors.ts';
import { isJsonObject } from '../base/json.ts';
import { revealInvisible } from '../base/visibleText.ts';
import { type DefinitionScope, inputDefinition, type InputDefinition, type RawServerDefinition } from '../contract/definitionSchemas.ts';
import { pathOf } from '../contract/settings/schemaIssue.ts';
import { definitionProblem, type Report } from './definitionProblems.ts';
import type { DefinitionSource, ServerDefinition } from './serverDefinition.ts';
import { inputsIn, textsOf } from './variables.ts';

/** The inputs of one source, by id. A problem with one is reported and harms no other. */
export function readInputs(
  { scope, inputs: value }: Pick<DefinitionSource, 'scope' | 'inputs'>,
  report: Report,
): ReadonlyMap<string, InputDefinition> {
  const inputs = new Map<string, InputDefinition>();
  if (value === undefined || value === null) {
    return inputs;
  }
  if (!Array.isArray(value)) {
    report('error', definitionProblem('definitions.inputsNotAList'), { path: ['inputs'] });
    return inputs;
  }
  value.forEach((raw: unknown, index) => {
    const parsed = inputDefinition().safeParse(raw);
    if (parsed.success && !inputs.has(parsed.data.id)) {
      inputs.set(parsed.data.id, scope === 'user' ? parsed.data : withoutPassword(parsed.data, index, report));
      return;
    }
    const id = isJsonObject(raw) && typeof raw['id'] === 'string' ? revealInvisible(raw['id']) : String(index);
    const problem = parsed.success ? definitionProblem('definitions.repeatedInput', { id }) : problemOfInput(id, parsed.error.issues[0]);
    report('warning', problem, { path: ['inputs', index] });
  });
  return inputs;
}

/**
 * Drops the default of a password. Nobody sees a password behind its dots, so a repository's default could sign the person
 * in as somebody else.
 */
function withoutPassword(input: InputDefinition, index: number, report: Report): InputDefinition {
  if (input.type !== 'promptString' || input.password !== true || input.default === undefined) {
    return input;
  }
  report('warning', definitionProblem('definitions.passwordDefault', { id: revealInvisible(input.id) }), { path: ['inputs', index] });
  return { ...input, default: undefined };
}

function problemOfInput(id: string, issue: z.core.$ZodIssue | undefined): AppError {
  const field = issue === undefined ? '' : pathOf(issue).join('.');
  if (field === 'type') {
    const values = inputDefinition()
      .options.map(({ shape }) => JSON.stringify(shape.type.value))
      .join(', ');
    return definitionProblem('definitions.inputType', { id, values });
  }
  return field === ''
    ? definitionProblem('definitions.inputNotAnObject', { id })
    : definitionProblem('definitions.badInput', { id, field });
}

/** The inputs that a definition uses, from its own source only. Undefined, and reported, when it uses one that it cannot have. */
export function usedInputs(
  raw: RawServerDefinition,
  known: ReadonlyMap<string, InputDefinition>,
  name: string,
  report: Report,
): readonly InputDefinition[] | undefined {
  const texts = textsOf(raw);
  const used = [...new Set(texts.filter((each) => each.mayHaveInput).flatMap((each) => inputsIn(each.text)))];
  const misplaced = texts.find((each) => !each.mayHaveInput && inputsIn(each.text).length > 0);
  if (misplaced !== undefined) {
    const field = misplaced.path.join('.');
    report('error', definitionProblem('definitions.inputNotHere', { name, field }), { server: name, path: misplaced.path });
    return undefined;
  }
  const missing = used.filter((id) => !known.has(id));
  for (const id of missing.map(revealInvisible)) {
    report('error', definitionProblem('definitions.unknownInput', { name, input: id }), { server: name });
  }
  return missing.length > 0 ? undefined : used.flatMap((id) => known.get(id) ?? []);
}

/** The definition that a value belongs to. The value is never given to another definition, not even to one of the same name. */
export interface InputOwner {
  readonly id: string;
  readonly scope: DefinitionScope;
  /** Shown to the person who is asked. */
  readonly label: string;
}

/** The person's answers to `${input:id}`, kept in the secret storage. */
export interface InputValues {
  get(owner: InputOwner, input: InputDefinition): Promise<string | undefined>;
  /** Asks the person and keeps the answer; undefined when they cancel. The question is withdrawn when `signal` fires. */
  ask(owner: InputOwner, input: InputDefinition, signal: AbortSignal): Promise<string | undefined>;
  /** Keeps a value that the person has given already, so that they are not asked for it. */
  keep(owner: InputOwner, input: InputDefinition, value: string): Promise<void>;
  /** Deletes the values of these inputs; the next start asks again. */
  forget(owner: InputOwner, inputs: readonly InputDefinition[]): Promise<void>;
}

export type InputAnswers =
  | { readonly kind: 'complete'; readonly values: ReadonlyMap<string, string> }
  /** A value is missing, and nobody may be asked now. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'cancelled' };

/** Gets the values of all inputs of a definition, with one question after the other. It must be called only after its start is allowed. */
export async function answerInputs(
  definition: ServerDefinition,
  port: InputValues | undefined,
  { mayAsk, signal }: { readonly mayAsk: boolean; readonly signal: AbortSignal },
): Promise<InputAnswers> {
  const values = new Map<string, string>();
  for (const input of definition.inputs) {
    const kept = await port?.get(definition, input);
    const isUsable = kept !== undefined && isPossible(input, kept);
    if (!isUsable && !mayAsk) {
      return { kind: 'missing' };
    }
    signal.throwIfAborted();
    const value = isUsable ? kept : await port?.ask(definition, input, signal);
    signal.throwIfAborted();
    if (value === undefined) {
      return { kind: 'cancelled' };
    }
    values.set(input.id, value);
  }
  return { kind: 'complete', values };
}

/** Whether a stored value is still one of the options, which may have changed since. */
export function isPossible(input: InputDefinition, value: string): boolean {
  return input.type !== 'pickString' || input.options.some((option) => (typeof option === 'string' ? option : option.value) === value);
}
