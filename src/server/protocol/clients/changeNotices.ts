import type { Clock } from '../../../base/clock.ts';
import type { Event } from '../../../base/events.ts';
import { type Disposable, toDisposable } from '../../../base/lifecycle.ts';
import type { ClientAccess } from '../../access/clientAccess.ts';
import { telling } from '../../access/spreadWork.ts';
import type { Catalog, CatalogPart, Resource } from '../../offer/catalog/catalog.ts';
import type { Viewer } from '../../seen/viewer.ts';
import { listState, type ListViewer } from '../methods/lists.ts';

const catalogParts: readonly CatalogPart[] = ['tools', 'resources', 'prompts'];

export interface ListChangesOptions {
  /** The changes of the catalog that this client may know of. */
  readonly changes: Event<CatalogPart>;
  /** Returns a text that changes when the list that this client sees changes. */
  readonly stateOf: (part: CatalogPart) => string;
  readonly clock: Clock;
  readonly interval: number;
  readonly tell: (part: CatalogPart) => void;
}

/** Tells one client which lists to read again, because the catalog has changed or because the client now sees more or less of it. */
export class ListChanges implements Disposable {
  readonly #stateOf: (part: CatalogPart) => string;
  readonly #seen: Map<CatalogPart, string>;
  readonly #throttles: ReadonlyMap<CatalogPart, Throttle>;
  readonly #listener: Disposable;
  /** How often `reconsider` was called since it last looked. */
  #reconsiderations = 0;
  #isOver = false;

  constructor({ changes, stateOf, clock, interval, tell }: ListChangesOptions) {
    this.#stateOf = stateOf;
    this.#seen = new Map(catalogParts.map((part) => [part, stateOf(part)]));
    this.#throttles = new Map(catalogParts.map((part) => [part, new Throttle(clock, interval, () => tell(part))]));
    this.#listener = changes((part) => {
      this.#seen.set(part, stateOf(part));
      this.#throttles.get(part)?.fire();
      if (part === 'tools') {
        this.#look(); // a skill comes and goes with the tools that it names
      }
    });
  }

  /**
   * Call it when the client may see more or less than before; it is told of the lists that have changed by that, and of no others. That
   * may concern many clients at once, so each looks when its turn comes.
   */
  reconsider(): void {
    this.#reconsiderations += 1;
    if (this.#reconsiderations === 1) {
      telling.run(() => this.#look());
    }
  }

  #look(): void {
    // In between it may have read what nobody has looked at.
    const mayHaveMissed = this.#reconsiderations > 1;
    this.#reconsiderations = 0;
    for (const [part, throttle] of this.#isOver ? [] : this.#throttles) {
      const state = this.#stateOf(part);
      if (mayHaveMissed || state !== this.#seen.get(part)) {
        this.#seen.set(part, state);
        throttle.fire();
      }
    }
  }

  dispose(): void {
    this.#isOver = true;
    this.#listener.dispose();
    for (const throttle of this.#throttles.values()) {
      throttle.dispose();
    }
  }
}

/** The lists of the catalog as one client sees them, and their changes. */
export function listsSeenBy(by: ListViewer, catalog: Catalog): Pick<ListChangesOptions, 'changes' | 'stateOf'> {
  return { changes: changesSeenBy(by.viewer, catalog, by.access), stateOf: (part) => listState(part, by, catalog) };
}

/** The changes of the catalog for one client: none before the client is approved, and none of what is withheld from it. */
function changesSeenBy(viewer: Viewer, catalog: Catalog, access: Pick<ClientAccess, 'state'>): Event<CatalogPart> {
  const changes = catalog.changesFor?.(viewer) ?? catalog.onDidChange;
  return (listener) =>
    changes((part) => {
      if (access.state.kind === 'allowed') {
        listener(part);
      }
    });
}

/** The most subscriptions of a client: more than any client reads. Each is a listener in the editor. */
export const maxSubscriptions = 1_000;

/** Tells one client of changes to the resources it subscribed to: at once, then at most once per interval. */
export class Subscriptions implements Disposable {
  readonly #clock: Clock;
  readonly #interval: number;
  readonly #tell: (uri: string, resource: Resource) => void;
  readonly #open = new Map<string, Disposable>();

  constructor(clock: Clock, interval: number, tell: (uri: string, resource: Resource) => void) {
    this.#clock = clock;
    this.#interval = interval;
    this.#tell = tell;
  }

  get isFull(): boolean {
    return this.#open.size >= maxSubscriptions;
  }

  add(resource: Resource): void {
    if (!this.#open.has(resource.uri)) {
      this.#open.set(resource.uri, this.#watch(resource));
    }
  }

  remove(uri: string): void {
    this.#open.get(uri)?.dispose();
    this.#open.delete(uri);
  }

  dispose(): void {
    for (const uri of [...this.#open.keys()]) {
      this.remove(uri);
    }
  }

  #watch(resource: Resource): Disposable {
    const throttle = new Throttle(this.#clock, this.#interval, () => this.#tell(resource.uri, resource));
    const listener = resource.changes(() => throttle.fire());
    return toDisposable(() => {
      listener.dispose();
      throttle.dispose();
    });
  }
}

/** Turns a burst of events into two: the first is passed on at once (or after those of others, if they are many), and one more when the interval is over. */
class Throttle implements Disposable {
  readonly #clock: Clock;
  readonly #interval: number;
  readonly #tell: () => void;
  #quietUntil = -Infinity;
  #later: Disposable | undefined;
  #isOver = false;

  constructor(clock: Clock, interval: number, tell: () => void) {
    this.#clock = clock;
    this.#interval = interval;
    this.#tell = tell;
  }

  fire(): void {
    if (this.#later !== undefined) {
      return;
    }
    const wait = this.#quietUntil - this.#clock.now();
    if (wait <= 0) {
      this.#pass();
    } else {
      this.#later = this.#clock.schedule(wait, () => this.#pass());
    }
  }

  dispose(): void {
    this.#isOver = true;
    this.#later?.dispose();
  }

  #pass(): void {
    this.#later = undefined;
    this.#quietUntil = this.#clock.now() + this.#interval;
    telling.run(() => {
      if (!this.#isOver) {
        this.#tell();
      }
    });
  }
}
