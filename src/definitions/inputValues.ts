import type { DefinitionScope, InputDefinition } from '../contract/definitionSchemas.ts';
import type { ServerDefinition } from './serverDefinition.ts';

/** Whose value it is. A value given to one definition is never delivered to another, not even to one of the same name. */
export interface InputOwner {
  readonly id: string;
  readonly scope: DefinitionScope;
  /** For the person who is asked. */
  readonly label: string;
}

/** The person's answers to `${input:id}`, kept where secrets are kept. */
export interface InputValues {
  get(owner: InputOwner, input: InputDefinition): Promise<string | undefined>;
  /** Asks the person and keeps the answer; undefined when they cancel. Withdraws the question when `signal` fires. */
  ask(owner: InputOwner, input: InputDefinition, signal: AbortSignal): Promise<string | undefined>;
  /** Those the definition uses now; the next start asks again. */
  forget(owner: InputOwner, inputs: readonly InputDefinition[]): Promise<void>;
}

export type InputAnswers =
  | { readonly kind: 'complete'; readonly values: ReadonlyMap<string, string> }
  /** Nobody may be asked now. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'cancelled' };

/** All inputs of a definition, one question after the other. Only to be called once its start is allowed. */
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

/** A list may have changed since the answer was given. */
export function isPossible(input: InputDefinition, value: string): boolean {
  return input.type !== 'pickString' || input.options.some((option) => (typeof option === 'string' ? option : option.value) === value);
}
