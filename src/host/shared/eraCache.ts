/** `legacy` opens with `initialize` (2024-11-05 … 2025-11-25), `modern` with `server/discover` (2026-07-28). */
export type Era = 'legacy' | 'modern';

/**
 * Which era a server spoke last, so that the question is not asked at every start. Only a memory: a wrong or lost entry
 * costs one round trip.
 */
export interface EraCache {
  get(key: string): Era | undefined;
  /** Undefined forgets. */
  set(key: string, era: Era | undefined): void;
}

/** Where the verdicts outlive the window. */
export interface EraStorage {
  read(): unknown;
  write(entries: Readonly<Record<string, StoredEra>>): void;
}

interface StoredEra {
  readonly era: Era;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A small store of the editor's, such as its `Memento`. */
export interface EraMemento {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const mementoKey = 'duplex.serverEras';

export function eraStorageIn(memento: EraMemento): EraStorage {
  return {
    read: () => memento.get(mementoKey),
    // Only a memory: what could not be kept is asked again.
    write: (entries) => void memento.update(mementoKey, entries).then(undefined, () => undefined),
  };
}

const maxEntries = 500;
/** Programs are updated under an unchanged definition; after a while it is worth asking again. */
const maxAgeMs = 7 * 24 * 60 * 60 * 1_000;

export class RememberedEras implements EraCache {
  readonly #entries = new Map<string, StoredEra>();
  readonly #storage: EraStorage | undefined;
  readonly #now: () => number;

  constructor(storage?: EraStorage, now: () => number = Date.now) {
    this.#storage = storage;
    this.#now = now;
    for (const [key, entry] of Object.entries(storage?.read() ?? {})) {
      if (isStoredEra(entry)) {
        this.#entries.set(key, entry);
      }
    }
  }

  get(key: string): Era | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && this.#now() - entry.at < maxAgeMs ? entry.era : undefined;
  }

  set(key: string, era: Era | undefined): void {
    if (this.get(key) === era) {
      return;
    }
    this.#entries.delete(key);
    if (era !== undefined) {
      this.#entries.set(key, { era, at: this.#now() });
    }
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > maxEntries && oldest !== undefined) {
      this.#entries.delete(oldest);
    }
    this.#storage?.write(Object.fromEntries(this.#entries));
  }
}

function isStoredEra(value: unknown): value is StoredEra {
  return (
    typeof value === 'object' &&
    value !== null &&
    'era' in value &&
    (value.era === 'legacy' || value.era === 'modern') &&
    'at' in value &&
    typeof value.at === 'number'
  );
}
