import type { ModelProvider } from './modelProvider.ts';
import { chatError } from './chatSentences.ts';

/** What an empty model setting stands for: the first that the provider lists. Each provider is asked once. */
export class FirstModels {
  readonly #known = new WeakMap<ModelProvider, string>();

  /** As far as it is known without asking. */
  known(provider: ModelProvider): string | undefined {
    return this.#known.get(provider);
  }

  async get(provider: ModelProvider, signal: AbortSignal): Promise<string> {
    const before = this.#known.get(provider);
    if (before !== undefined) {
      return before;
    }
    const [first] = await provider.listModels(signal);
    if (first === undefined) {
      throw chatError('model.noModel');
    }
    this.#known.set(provider, first.id);
    return first.id;
  }
}
