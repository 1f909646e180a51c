import type * as vscode from 'vscode';
import { isJsonObject } from '../base/json.ts';
import type { ModelNameMemory } from '../chat/firstModels.ts';

const stateName = 'duplex.chat.modelNames';
/** Of every endpoint together. */
const maxNames = 400;

/** What people know models by, over a reload: a window that has asked nobody yet shows the name and not the id. */
export class ModelNames implements ModelNameMemory {
  readonly #memory: vscode.Memento;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  get(id: string): string | undefined {
    const name = this.#all()[id];
    return typeof name === 'string' ? name : undefined;
  }

  remember(names: Readonly<Record<string, string>>): void {
    const all = Object.entries({ ...this.#all(), ...names }).slice(-maxNames);
    void this.#memory.update(stateName, Object.fromEntries(all));
  }

  #all(): Readonly<Record<string, unknown>> {
    const stored = this.#memory.get<unknown>(stateName);
    return isJsonObject(stored) ? stored : {};
  }
}
