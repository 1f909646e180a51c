import type * as vscode from 'vscode';
import type { InputDefinition } from '../contract/definitionSchemas.ts';
import type { InputOwner, InputValues } from '../definitions/inputValues.ts';

/** Asks the person for one value; undefined when they cancel. */
export type PromptForInput = (owner: InputOwner, input: InputDefinition, signal: AbortSignal) => Promise<string | undefined>;

type Secrets = Pick<vscode.SecretStorage, 'get' | 'store' | 'delete'>;

/** The values of `${input:id}`: in VS Code's secret store, one for each definition and id. Never in a file or a log. */
export class StoredInputValues implements InputValues {
  readonly #secrets: Secrets;
  readonly #prompt: PromptForInput;

  constructor(secrets: Secrets, prompt: PromptForInput) {
    this.#secrets = secrets;
    this.#prompt = prompt;
  }

  async get(owner: InputOwner, input: InputDefinition): Promise<string | undefined> {
    return this.#secrets.get(keyOf(owner, input));
  }

  async ask(owner: InputOwner, input: InputDefinition, signal: AbortSignal): Promise<string | undefined> {
    const value = await this.#prompt(owner, input, signal);
    if (value !== undefined && !signal.aborted) {
      await this.#secrets.store(keyOf(owner, input), value);
    }
    return value;
  }

  async forget(owner: InputOwner, inputs: readonly InputDefinition[]): Promise<void> {
    await Promise.all(inputs.map((input) => this.#secrets.delete(keyOf(owner, input))));
  }
}

/** As JSON, so that no two owners share one: an id may hold any separator. */
function keyOf(owner: InputOwner, input: InputDefinition): string {
  return `duplex.input ${JSON.stringify([owner.scope, input.id, owner.id])}`;
}
