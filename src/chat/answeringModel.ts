import type { Asker } from '../contract/questions/asker.ts';
import type { ChatSettings } from './chatSessionOptions.ts';
import type { ModelProvider } from './modelProvider.ts';
import { chooseProvider, type ProviderFacts } from './providerChoice.ts';

export interface AnsweringModelOptions {
  readonly anthropic: ModelProvider;
  readonly guide: ModelProvider;
  /** Asked by `loadKey` only: a choice waits for nothing. */
  readonly readKey: () => Promise<string | undefined>;
  readonly wishes: () => Pick<ProviderFacts, 'setting' | 'isTrusted'> & {
    /** `duplex.chat.model`. */
    readonly model: string;
  };
}

/** What the provider's own choice of a model is called. */
export const firstModelName = 'Claude';

/** Who answers now: by the person's wish, by whether there is a key, and in trusted windows only. */
export class AnsweringModel {
  readonly #options: AnsweringModelOptions;
  #hasKey = false;

  constructor(options: AnsweringModelOptions) {
    this.#options = options;
  }

  /** Before the first load there is no key. */
  async loadKey(): Promise<void> {
    this.#hasKey = (await this.#options.readKey()) !== undefined;
  }

  get kind(): 'anthropic' | 'offline' {
    const { setting, isTrusted } = this.#options.wishes();
    const { kind } = chooseProvider({ setting, isTrusted, hasKey: this.#hasKey, hasVscodeModels: false });
    return kind === 'anthropic' ? 'anthropic' : 'offline';
  }

  /** As questions name it: what the line below the composer shows. */
  get asker(): Asker {
    return this.kind === 'anthropic' ? { kind: 'model', name: this.#options.wishes().model || firstModelName } : { kind: 'guide' };
  }

  /** The model of the settings is one of Anthropic's: the guide has its own. */
  choose(): Pick<ChatSettings, 'provider' | 'model'> {
    const { anthropic, guide, wishes } = this.#options;
    return this.kind === 'anthropic' ? { provider: anthropic, model: wishes().model } : { provider: guide, model: '' };
  }
}
