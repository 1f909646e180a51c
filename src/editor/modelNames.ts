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

  get(from: string, id: string): string | undefined {
    const name = this.#all()[keyOf(from, id)];
    return typeof name === 'string' ? name : undefined;
  }

  remember(from: string, names: ReadonlyMap<string, string>): void {
    const added = new Map([...names].map(([id, name]) => [keyOf(from, id), name]));
    const others = Object.entries(this.#all()).filter(([key]) => !added.has(key));
    const all = [...others, ...added].slice(-maxNames);
    void this.#memory.update(stateName, Object.fromEntries(all));
  }

  #all(): Readonly<Record<string, unknown>> {
    const stored = this.#memory.get<unknown>(stateName);
    return isJsonObject(stored) ? stored : {};
  }
}

/** An address has no line break. */
function keyOf(from: string, id: string): string {
  return `${from}\n${id}`;
}
