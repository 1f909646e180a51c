import { Emitter } from '../../base/events.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { ModelProvider } from '../modelProvider.ts';

/** Far off means that something else was counted than was sent. */
const [minRatio, maxRatio] = [0.4, 2.5];

/** What is known of each model: how much it takes, and how its provider counts. */
export class ContextLimits implements Disposable {
  readonly #limits = new WeakMap<ModelProvider, Map<string, number | undefined>>();
  readonly #asked = new WeakMap<ModelProvider, Set<string>>();
  readonly #ratios = new Map<string, number>();
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;

  limitOf(provider: ModelProvider, model: string | undefined): number | undefined {
    return model === undefined ? undefined : this.#limits.get(provider)?.get(model);
  }

  /** Asks the provider once for each model, and waits for nothing: a model that nobody describes has no known limit. */
  ask(provider: ModelProvider, model: string, signal: AbortSignal): void {
    const asked = this.#asked.get(provider) ?? new Set<string>();
    this.#asked.set(provider, asked);
    if (!provider.isAi || asked.has(model)) {
      return;
    }
    asked.add(model);
    provider
      .listModels(signal)
      .then((models) => {
        this.#limits.set(provider, new Map(models.map(({ id, contextTokens }) => [id, contextTokens])));
        this.#changed.fire();
      })
      .catch(() => asked.delete(model)); // stopped, or out of reach: asked again next time
  }

  /** How many tokens the provider counts where this machine estimates one. */
  ratioOf(model: string | undefined): number | undefined {
    return model === undefined ? undefined : this.#ratios.get(model);
  }

  learn(model: string, estimated: number, countedTokens: number): void {
    const ratio = countedTokens / estimated;
    if (estimated > 0 && ratio >= minRatio && ratio <= maxRatio) {
      this.#ratios.set(model, ratio);
    }
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
