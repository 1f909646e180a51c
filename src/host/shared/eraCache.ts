/**
 * The two generations of the protocol: `legacy` opens with `initialize` (2024-11-05 … 2025-11-25), `modern` with
 * `server/discover` (2026-07-28).
 */
export type Era = 'legacy' | 'modern';

/**
 * Remembers which era a server spoke last, so that it is not probed at every start. A wrong or lost entry costs one round
 * trip, nothing more.
 */
export interface EraCache {
  get(key: string): Era | undefined;
  /** An undefined era removes the entry. */
  set(key: string, era: Era | undefined): void;
}

/** Keeps the remembered eras beyond the life of the window. */
export interface EraStorage {
  read(): unknown;
  write(entries: Readonly<Record<string, StoredEra>>): void;
}

interface StoredEra {
  readonly era: Era;
  /** The time at which the era was learned, in milliseconds since 1970. */
  readonly at: number;
}

/** The part of the editor's `Memento` that is needed here. */
export interface EraMemento {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const mementoKey = 'duplex.serverEras';

export function eraStorageIn(memento: EraMemento): EraStorage {
  return {
    read: () => memento.get(mementoKey),
    // A write that fails is ignored: the era is then probed again.
    write: (entries) => void memento.update(mementoKey, entries).then(undefined, () => undefined),
  };
}

/** The most servers of which it is remembered which generation of the protocol they speak. */
const maxEntries = 500;
/** A program can be updated under an unchanged definition, so an entry is trusted for a week only. */
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
