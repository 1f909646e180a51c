import type * as vscode from 'vscode';
import type { InputDefinition } from '../../contract/definitionSchemas.ts';
import type { InputOwner, InputValues } from '../../definitions/inputs.ts';

/** Asks the person for one value; undefined when they cancel. */
export type PromptForInput = (owner: InputOwner, input: InputDefinition, signal: AbortSignal) => Promise<string | undefined>;

type Secrets = Pick<vscode.SecretStorage, 'get' | 'store' | 'delete'>;

/**
 * Keeps the values of `${input:id}` in VS Code's secret store, one for each definition and id, and never in a file or a log. That
 * store is the same for all machines and containers that the person works on, so definitions that are not the person's own are
 * told apart by the machine.
 */
export class StoredInputValues implements InputValues {
  readonly #secrets: Secrets;
  readonly #machine: string;
  readonly #prompt: PromptForInput;

  /** `machine` names this machine or container. */
  constructor(secrets: Secrets, machine: string, prompt: PromptForInput) {
    this.#secrets = secrets;
    this.#machine = machine;
    this.#prompt = prompt;
  }

  async get(owner: InputOwner, input: InputDefinition): Promise<string | undefined> {
    return this.#secrets.get(this.#keyOf(owner, input));
  }

  async ask(owner: InputOwner, input: InputDefinition, signal: AbortSignal): Promise<string | undefined> {
    const value = await this.#prompt(owner, input, signal);
    if (value !== undefined && !signal.aborted) {
      await this.keep(owner, input, value);
    }
    return value;
  }

  async keep(owner: InputOwner, input: InputDefinition, value: string): Promise<void> {
    await this.#secrets.store(this.#keyOf(owner, input), value);
  }

  async forget(owner: InputOwner, inputs: readonly InputDefinition[]): Promise<void> {
    await Promise.all(inputs.map((input) => this.#secrets.delete(this.#keyOf(owner, input))));
  }

  /** The name of a secret is JSON, so that no two owners share one: an id may hold any separator. */
  #keyOf(owner: InputOwner, input: InputDefinition): string {
    const machine = owner.scope === 'user' ? [] : [this.#machine];
    return `duplex.input ${JSON.stringify([owner.scope, input.id, owner.id, ...machine])}`;
  }
}
