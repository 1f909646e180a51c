import type { KeptRun, KeptRuns, Preset, ToolKey } from './keptRuns.ts';

/** What was taken away last, and can be put back. */
export type RemovedKept =
  | { readonly kind: 'preset'; readonly preset: Preset }
  | { readonly kind: 'runs'; readonly runs: readonly KeptRun[] };

/** What a person takes away from what is kept of a tool. The last of it can be put back, for as long as nothing else was taken away. */
export class KeptUndo {
  readonly #kept: Pick<KeptRuns, 'of' | 'removePreset' | 'forgetRuns' | 'putBack'>;
  readonly #key: ToolKey;
  #removed: RemovedKept | undefined;

  constructor(kept: Pick<KeptRuns, 'of' | 'removePreset' | 'forgetRuns' | 'putBack'>, key: ToolKey) {
    this.#kept = kept;
    this.#key = key;
  }

  get removed(): RemovedKept | undefined {
    return this.#removed;
  }

  async removePreset(id: string): Promise<void> {
    const preset = this.#kept.of(this.#key).presets.find((each) => each.id === id);
    this.#removed = preset === undefined ? this.#removed : { kind: 'preset', preset };
    await this.#kept.removePreset(this.#key, id);
  }

  async forgetRuns(): Promise<void> {
    const { runs } = this.#kept.of(this.#key);
    this.#removed = runs.length === 0 ? this.#removed : { kind: 'runs', runs };
    await this.#kept.forgetRuns(this.#key);
  }

  async undo(): Promise<void> {
    const removed = this.#removed;
    this.#removed = undefined;
    if (removed !== undefined) {
      await this.#kept.putBack(this.#key, removed.kind === 'runs' ? { runs: removed.runs } : { presets: [removed.preset] });
    }
  }
}
