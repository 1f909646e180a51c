import { revealInvisible } from '../../base/visibleText.ts';
import { modelError } from './modelErrors.ts';
import type { ModelInfo, ModelProvider } from './modelProvider.ts';

/** More endpoints than anybody uses in one window. */
const maxLists = 16;

/** What people know models by, kept longer than a window. */
export interface ModelNameMemory {
  /** `from`: whose model it is. Another endpoint may call another one by the same id. */
  get(from: string, id: string): string | undefined;
  remember(from: string, names: ReadonlyMap<string, string>): void;
}

/** What providers say of their models. Each is asked once, at each of its addresses; an empty model setting stands for the first. */
export class FirstModels {
  readonly #known = new Map<string, readonly ModelInfo[]>();
  readonly #names: ModelNameMemory | undefined;

  constructor(names?: ModelNameMemory) {
    this.#names = names;
  }

  /** As far as it is known without asking. */
  known(provider: ModelProvider): string | undefined {
    return this.all(provider)[0];
  }

  /** Every model that the provider listed when it was asked; none before. */
  all(provider: ModelProvider): readonly string[] {
    return this.infos(provider).map(({ id }) => id);
  }

  infos(provider: ModelProvider): readonly ModelInfo[] {
    return this.#known.get(keyOf(provider)) ?? [];
  }

  /** What people know this model by; '' stands for the first. Undefined where nobody has said it yet. */
  label(provider: ModelProvider, model: string): string | undefined {
    const infos = this.infos(provider);
    const info = model === '' ? infos[0] : infos.find(({ id }) => id === model);
    return info?.label ?? (model === '' ? undefined : this.#names?.get(namesKeyOf(provider), model));
  }

  async get(provider: ModelProvider, signal: AbortSignal): Promise<string> {
    const first = this.known(provider) ?? (await this.load(provider, signal))[0]?.id;
    if (first === undefined) {
      throw modelError('model.noModel');
    }
    return first;
  }

  /** Asks again; a failure leaves what was known. */
  async load(provider: ModelProvider, signal: AbortSignal): Promise<readonly ModelInfo[]> {
    const key = keyOf(provider);
    const models = await provider.listModels(signal);
    if (models.length > 0) {
      this.#known.delete(key);
      this.#known.set(key, models);
      this.#names?.remember(namesKeyOf(provider), new Map(models.map(({ id, label }) => [id, label])));
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
    return provider.kind; // an address that cannot be one has no models
  }
}

/** VS Code's own names say whose a model is, and the list of them may not be there yet. */
function namesKeyOf(provider: ModelProvider): string {
  return provider.kind === 'vscode' ? provider.kind : keyOf(provider);
}

/** What tells a model of VS Code's from one of an endpoint, in a setting that may name either. */
const prefix = 'vscode:';

/** The setting's name of such a model. */
export function vscodeModelName({ vendor, id }: { readonly vendor: string; readonly id: string }): string {
  return `${prefix}${vendor}/${id}`;
}

export function isVscodeModelName(name: string): boolean {
  return name.startsWith(prefix);
}

/** More than anybody calls a model by. */
export const maxModelName = 200;

/** A name that an endpoint or another extension gave a model, as it is shown: on one line, with nothing hidden, and not endless. */
export function modelLabel(name: string): string {
  return revealInvisible(name.slice(0, maxModelName).replace(/\s+/g, ' ')).slice(0, maxModelName);
}
