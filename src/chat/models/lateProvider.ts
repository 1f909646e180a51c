import { Late } from '../../base/late.ts';
import type { ModelEvent, ModelInfo, ModelProvider, ModelRequest } from './modelProvider.ts';

export interface LateProviderOptions<T extends ModelProvider> extends Pick<ModelProvider, 'kind' | 'isAi' | 'destination'> {
  /** Loads the provider when it is first asked something, and again if that failed. */
  readonly load: () => Promise<T>;
}

/** A provider that is known from the start and loaded when it is first asked something. */
export class LateProvider<T extends ModelProvider = ModelProvider> implements ModelProvider {
  readonly kind: ModelProvider['kind'];
  readonly isAi: boolean;
  readonly #options: LateProviderOptions<T>;
  readonly #provider: Late<T>;

  constructor(options: LateProviderOptions<T>) {
    this.kind = options.kind;
    this.isAi = options.isAi;
    this.#options = options;
    this.#provider = new Late(() => options.load());
  }

  destination(model?: string): string | undefined {
    return this.#options.destination(model);
  }

  async listModels(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    return (await this.load()).listModels(signal);
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    yield* (await this.load()).stream(request, signal);
  }

  protected load(): Promise<T> {
    return this.#provider.get();
  }
}

/** A late provider that can also count tokens. */
export class LateCountingProvider extends LateProvider<Required<ModelProvider>> {
  async countTokens(request: ModelRequest, signal: AbortSignal): Promise<number> {
    return (await this.load()).countTokens(request, signal);
  }
}
