import { revealInvisible } from '../../base/visibleText.ts';
import { modelError } from './modelErrors.ts';
import type { ModelInfo, ModelProvider } from './modelProvider.ts';

/** The most endpoints whose models are remembered. */
const maxLists = 16;

/** Under this the id of an endpoint's first model is remembered; no model has it as its own. */
const firstOfAll = '';

/** Remembers the names of models over a reload of the window. */
export interface ModelNameMemory {
  /** The name of a model. `from` is its endpoint, because another endpoint may have another model with the same id. */
  get(from: string, id: string): string | undefined;
  remember(from: string, names: ReadonlyMap<string, string>): void;
}

/**
 * What providers list as their models. Each provider is asked once for each of its addresses; an empty model setting stands for the
 * first model.
 */
export class KnownModels {
  readonly #known = new Map<string, readonly ModelInfo[]>();
  readonly #names: ModelNameMemory | undefined;

  constructor(names?: ModelNameMemory) {
    this.#names = names;
  }

  /** The provider's first model, if it is known without asking: from its list, or from the one before the window was reloaded. */
  knownFirst(provider: ModelProvider): string | undefined {
    const remembered = provider.kind === 'anthropic' ? this.#names?.get(namesKeyOf(provider), firstOfAll) : undefined;
    return this.all(provider)[0] ?? remembered;
  }

  /** The ids of every model that the provider has listed; none before it was asked. */
  all(provider: ModelProvider): readonly string[] {
    return this.infos(provider).map(({ id }) => id);
  }

  infos(provider: ModelProvider): readonly ModelInfo[] {
    return this.#known.get(keyOf(provider)) ?? [];
  }

  /** The name that people know a model by; '' stands for the first. Undefined while it is not known. */
  label(provider: ModelProvider, model: string): string | undefined {
    const id = model === '' ? this.knownFirst(provider) : model;
    const info = this.infos(provider).find((each) => each.id === id);
    return info?.label ?? (id === undefined ? undefined : this.#names?.get(namesKeyOf(provider), id));
  }

  /** The provider's first model; the provider is asked if it is not known yet. */
  async first(provider: ModelProvider, signal: AbortSignal): Promise<string> {
    // What was first before a reload may be gone: a request goes only to one that is listed now.
    const first = this.all(provider)[0] ?? (await this.load(provider, signal))[0]?.id;
    if (first === undefined) {
      throw modelError('model.noModel');
    }
    return first;
  }

  /** Asks the provider again; a failure leaves what was known. */
  async load(provider: ModelProvider, signal: AbortSignal): Promise<readonly ModelInfo[]> {
    const key = keyOf(provider);
    const models = await provider.listModels(signal);
    if (models.length > 0) {
      this.#known.delete(key);
      this.#known.set(key, models);
      const names = models.map(({ id, label }) => [id, label] as const);
      this.#names?.remember(namesKeyOf(provider), new Map([...names, [firstOfAll, models[0]?.id ?? '']]));
      const [oldest] = this.#known.keys();
      if (this.#known.size > maxLists && oldest !== undefined) {
        this.#known.delete(oldest);
      }
    }
    return models;
  }
}

function keyOf(provider: ModelProvider): string {
  try {
    return `${provider.kind} ${provider.destination() ?? ''}`;
  } catch {
    return provider.kind; // an invalid address has no models
  }
}

/** The key for names. Names of VS Code's models say whose they are, and their address may not be known yet. */
function namesKeyOf(provider: ModelProvider): string {
  return provider.kind === 'vscode' ? provider.kind : keyOf(provider);
}

/** The prefix of VS Code's models in the setting, which may also name a model of an endpoint. */
const prefix = 'vscode:';

/** The name of a VS Code model in the setting. */
export function vscodeModelName({ vendor, id }: { readonly vendor: string; readonly id: string }): string {
  return `${prefix}${vendor}/${id}`;
}

export function isVscodeModelName(name: string): boolean {
  return name.startsWith(prefix);
}

/** The longest name of a model. */
export const maxModelName = 200;

/**
 * The name of a model as it is shown. An endpoint or another extension chose it, so it is put on one line, cut, and invisible
 * characters are written out.
 */
export function modelLabel(name: string): string {
  return revealInvisible(name.slice(0, maxModelName).replace(/\s+/g, ' ')).slice(0, maxModelName);
}
