import { revealInvisible } from '../../base/visibleText.ts';
import type { Asker } from '../../contract/questions/callKnowledge.ts';
import { isVscodeModelName } from './knownModels.ts';
import { modelError } from './modelErrors.ts';
import type { ModelInfo, ModelProvider, ProviderAndModel } from './modelProvider.ts';

export interface AnsweringModelOptions {
  readonly anthropic: ModelProvider;
  readonly guide: ModelProvider;
  readonly vscode?: ModelProvider;
  /** As far as they are known without asking anybody. */
  readonly vscodeModels?: () => readonly ModelInfo[];
  /** Whether there is a key for the address of now. Asked by `loadKey` only: a choice waits for nothing. */
  readonly readKey: () => Promise<unknown>;
  readonly wishes: () => Pick<ProviderFacts, 'setting' | 'isTrusted'> & {
    /** `duplex.chat.model`. */
    readonly model: string;
  };
  /** What people know a model by. */
  readonly labelOf?: (provider: ModelProvider, model: string) => string | undefined;
}

/** What the provider's own choice of a model is called. */
const firstModelName = 'Claude';

/** Who answers now: by the person's wish, by whether there is a key or a model of VS Code's, and in trusted windows only. */
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

  get kind(): ModelProvider['kind'] {
    const { setting, isTrusted } = this.#options.wishes();
    const { kind } = chooseProvider({ setting, isTrusted, hasKey: this.#hasKey, hasVscodeModels: this.#vscodeModels.length > 0 });
    return kind;
  }

  get hasKey(): boolean {
    return this.#hasKey;
  }

  /** Nobody has chosen, and nobody but the guide is there. */
  get isFirstRun(): boolean {
    const { setting, isTrusted } = this.#options.wishes();
    return isTrusted && setting === 'auto' && this.kind === 'offline';
  }

  /** As questions name it. */
  get asker(): Asker {
    switch (this.kind) {
      case 'anthropic':
        return { kind: 'model', name: this.#wish('anthropic') || firstModelName };
      case 'vscode':
        return { kind: 'model', name: this.label };
      case 'offline':
        return { kind: 'guide' };
    }
  }

  /** As the choice of the model shows it; the guide has no model. */
  get label(): string {
    const { kind } = this;
    const { provider, model } = this.#of(kind);
    return this.#options.labelOf?.(provider, model) ?? (revealInvisible(model) || (kind === 'anthropic' ? firstModelName : ''));
  }

  /** The model of the settings is one of the provider's own: the guide has none. */
  choose(): ProviderAndModel {
    const { kind } = this;
    if (kind === 'offline' && this.#options.wishes().setting === 'vscode' && this.#options.wishes().isTrusted) {
      throw modelError('model.noVscodeModels'); // the guide is no stand-in for a model that somebody chose
    }
    return this.#of(kind);
  }

  #of(kind: ModelProvider['kind']): ProviderAndModel {
    const { anthropic, guide, vscode = guide } = this.#options;
    switch (kind) {
      case 'anthropic':
        return { provider: anthropic, model: this.#wish('anthropic') };
      case 'vscode':
        return { provider: vscode, model: this.#wish('vscode') };
      case 'offline':
        return { provider: guide, model: '' };
    }
  }

  get #vscodeModels(): readonly ModelInfo[] {
    return this.#options.vscodeModels?.() ?? [];
  }

  /** One setting for both: a choice among one's models means nothing to the other. */
  #wish(kind: 'anthropic' | 'vscode'): string {
    const { model } = this.#options.wishes();
    if (kind === 'anthropic') {
      return isVscodeModelName(model) ? '' : model;
    }
    return isVscodeModelName(model) ? model : (this.#vscodeModels[0]?.id ?? '');
  }
}

interface ProviderFacts {
  /** `duplex.chat.provider`. */
  readonly setting: 'auto' | 'anthropic' | 'vscode' | 'offline';
  /** A stored Anthropic key, or `ANTHROPIC_API_KEY`. */
  readonly hasKey: boolean;
  readonly hasVscodeModels: boolean;
  /** Restricted Mode: no request to any model. */
  readonly isTrusted: boolean;
}

export interface ProviderChoice {
  readonly kind: ModelProvider['kind'];
  /** Why not what the setting names. */
  readonly fallback?: 'untrusted' | 'noVscodeModels';
}

/**
 * An explicit `anthropic` without a key stays `anthropic`: the first message then offers to set the key, instead of a
 * quiet answer from something else.
 */
export function chooseProvider(facts: ProviderFacts): ProviderChoice {
  if (!facts.isTrusted) {
    return facts.setting === 'offline' ? { kind: 'offline' } : { kind: 'offline', fallback: 'untrusted' };
  }
  switch (facts.setting) {
    case 'offline':
    case 'anthropic':
      return { kind: facts.setting };
    case 'vscode':
      return facts.hasVscodeModels ? { kind: 'vscode' } : { kind: 'offline', fallback: 'noVscodeModels' };
    case 'auto':
      return { kind: facts.hasKey ? 'anthropic' : facts.hasVscodeModels ? 'vscode' : 'offline' };
  }
}
