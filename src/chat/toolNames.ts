/** What a provider takes as the name of a tool. */
const taken = /^[a-zA-Z0-9_-]{1,64}$/;

/** Servers name tools more freely than providers do: names of our own where theirs does not fit, and back. */
export class ToolNames {
  readonly #toModel = new Map<string, string>();
  readonly #toServer = new Map<string, string>();

  constructor(names: readonly string[]) {
    const fitting = new Set(names.filter((name) => taken.test(name)));
    names.forEach((name, index) => {
      const other = `${name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 50)}_${index}`;
      const given = fitting.has(name) ? name : fitting.has(other) ? `tool_${index}_of_${names.length}` : other;
      this.#toModel.set(name, given);
      this.#toServer.set(given, name);
    });
  }

  /** Also for a tool that is in the history and no longer offered. */
  toModel(name: string): string {
    return this.#toModel.get(name) ?? (name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'tool');
  }

  toServer(name: string): string {
    return this.#toServer.get(name) ?? name;
  }
}
