import type { ModelProvider } from './modelProvider.ts';
import { chatError } from './chatSentences.ts';

/** What an empty model setting stands for: the first that the provider lists. Each provider is asked once. */
export class FirstModels {
  readonly #known = new WeakMap<ModelProvider, readonly string[]>();

  /** As far as it is known without asking. */
  known(provider: ModelProvider): string | undefined {
    return this.all(provider)[0];
  }

  /** Every model that the provider listed when it was asked; none before. */
  all(provider: ModelProvider): readonly string[] {
    return this.#known.get(provider) ?? [];
  }

  async get(provider: ModelProvider, signal: AbortSignal): Promise<string> {
    const before = this.known(provider);
    if (before !== undefined) {
      return before;
    }
    const models = (await provider.listModels(signal)).map(({ id }) => id);
    const [first] = models;
    if (first === undefined) {
      throw chatError('model.noModel');
    }
    this.#known.set(provider, models);
    return first;
  }
}
