import { atMost } from '../../base/abort.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import type { Asker } from '../../contract/questions/callKnowledge.ts';
import { isVscodeModelName } from './knownModels.ts';
import { modelError } from './modelErrors.ts';
import type { ModelInfo, ModelProvider, ProviderAndModel } from './modelProvider.ts';

export interface AnsweringModelOptions {
  readonly anthropic: ModelProvider;
  readonly guide: ModelProvider;
  readonly vscode?: ModelProvider;
  /** VS Code's models that are known without asking. */
  readonly vscodeModels?: () => readonly ModelInfo[];
  /** Reads the key for the present address. Only `loadKey` calls it, so that a choice never waits. */
  readonly readKey: () => Promise<unknown>;
  readonly wishes: () => Pick<ProviderFacts, 'setting' | 'isTrusted'> & {
    /** The value of the setting `duplex.chat.model`. */
    readonly model: string;
  };
  /** The name that people know a model by. */
  readonly labelOf?: (provider: ModelProvider, model: string) => string | undefined;
}

/** How long, in ms, VS Code's list of models is waited for: VS Code may wait for an extension that offers some. */
const modelsMs = 3_000;

/** The name shown for Anthropic's first model while its list is not known. */
const firstModelName = 'Claude';

/**
 * Decides which model answers now: by the person's settings, by whether there is a key or a model of VS Code, and in trusted windows
 * only.
 */
export class AnsweringModel {
  readonly #options: AnsweringModelOptions;
  #hasKey = false;
  /** VS Code's list of models, while it is waited for or was given up, and afterwards. */
  #listed: Promise<void> = Promise.resolve();
  #isListing = false;

  constructor(options: AnsweringModelOptions) {
    this.#options = options;
  }

  /** Looks whether there is a key; before the first call there is none. */
  async loadKey(): Promise<void> {
    this.#hasKey = (await this.#options.readKey()) !== undefined;
  }

  /** Takes note that VS Code lists its models. Resolves when it has, or when nobody waits for it any more. */
  async expectModels(listed: Promise<void>): Promise<void> {
    this.#listed = listed;
    this.#isListing = true;
    await atMost(listed, modelsMs);
    this.#isListing &&= this.#listed !== listed;
  }

  /** Waits for a while for VS Code's models, where one of them would be the one that answers. */
  async whenKnown(signal: AbortSignal): Promise<void> {
    const { setting, isTrusted } = this.#options.wishes();
    const wantsVscode = setting === 'vscode' || (setting === 'auto' && !this.#hasKey);
    if (isTrusted && wantsVscode && this.#vscodeModels.length === 0) {
      await atMost(this.#listed, modelsMs, signal);
    }
  }

  get kind(): ModelProvider['kind'] {
    const { setting, isTrusted } = this.#options.wishes();
    const { kind } = chooseProvider({ setting, isTrusted, hasKey: this.#hasKey, hasVscodeModels: this.#vscodeModels.length > 0 });
    return kind;
  }

  get hasKey(): boolean {
    return this.#hasKey;
  }

  /** Whether the person has chosen no model and only the guide is there, as far as VS Code has listed its models. */
  get isFirstRun(): boolean {
    const { setting, isTrusted } = this.#options.wishes();
    return isTrusted && setting === 'auto' && this.kind === 'offline' && !this.#isListing;
  }

  /** The model as questions name it. */
  get asker(): Asker {
    switch (this.kind) {
      case 'anthropic':
        return { kind: 'model', name: this.#wish('anthropic') || this.label };
      case 'vscode':
        return { kind: 'model', name: this.label };
      case 'offline':
        return { kind: 'guide' };
    }
  }

  /** The model's name in the view; empty for the guide, which has no model. */
  get label(): string {
    const { kind } = this;
    const { provider, model } = this.#of(kind);
    return this.#options.labelOf?.(provider, model) ?? (revealInvisible(model) || (kind === 'anthropic' ? firstModelName : ''));
  }

  /** The provider and model that answer now. Throws when the person chose VS Code's models and there are none. */
  choose(): ProviderAndModel {
    const { kind } = this;
    if (kind === 'offline' && this.#options.wishes().setting === 'vscode' && this.#options.wishes().isTrusted) {
      throw modelError('model.noVscodeModels'); // the guide must not stand in for a model that the person chose
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

  /** The model in the settings, if it is one of this provider. One setting serves both providers. */
  #wish(kind: 'anthropic' | 'vscode'): string {
    const { model } = this.#options.wishes();
    if (kind === 'anthropic') {
      return isVscodeModelName(model) ? '' : model;
    }
    return isVscodeModelName(model) ? model : (this.#vscodeModels[0]?.id ?? '');
  }
}

interface ProviderFacts {
  /** The value of the setting `duplex.chat.provider`. */
  readonly setting: 'auto' | 'anthropic' | 'vscode' | 'offline';
  /** A stored Anthropic key, or `ANTHROPIC_API_KEY`. */
  readonly hasKey: boolean;
  readonly hasVscodeModels: boolean;
  /** Whether the workspace is trusted; in Restricted Mode no request goes to any model. */
  readonly isTrusted: boolean;
}

export interface ProviderChoice {
  readonly kind: ModelProvider['kind'];
  /** Why it is not the provider that the setting names. */
  readonly fallback?: 'untrusted' | 'noVscodeModels';
}

/**
 * Chooses the provider. An explicit `anthropic` without a key stays `anthropic`, so that the first message offers to set the key
 * instead of being answered by another provider without a word.
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
