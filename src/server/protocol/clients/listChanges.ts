import type { Event } from '../../../base/events.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import type { ClientAccess } from '../../access/clientAccess.ts';
import type { Catalog, CatalogPart } from '../../offer/catalog/catalog.ts';
import type { Clock } from '../../../base/clock.ts';
import { Throttle } from './throttle.ts';
import type { Viewer } from '../../seen/viewer.ts';

export const catalogParts: readonly CatalogPart[] = ['tools', 'resources', 'prompts'];

/** Tells one client which lists to read again, because the catalog changed or because it may see more or less of it. */
export class ListChanges implements Disposable {
  readonly #throttles: ReadonlyMap<CatalogPart, Throttle>;
  readonly #listener: Disposable;

  constructor(changes: Event<CatalogPart>, clock: Clock, interval: number, tell: (part: CatalogPart) => void) {
    this.#throttles = new Map(catalogParts.map((part) => [part, new Throttle(clock, interval, () => tell(part))]));
    this.#listener = changes((part) => this.#throttles.get(part)?.fire());
  }

  fireAll(): void {
    for (const throttle of this.#throttles.values()) {
      throttle.fire();
    }
  }

  dispose(): void {
    this.#listener.dispose();
    for (const throttle of this.#throttles.values()) {
      throttle.dispose();
    }
  }
}

/** What changes in the lists of one client: nothing before it was let in, and nothing of what is withheld from it. */
export function changesSeenBy(viewer: Viewer, catalog: Catalog, access: Pick<ClientAccess, 'state'>): Event<CatalogPart> {
  const changes = catalog.changesFor?.(viewer) ?? catalog.onDidChange;
  return (listener) =>
    changes((part) => {
      if (access.state.kind === 'allowed') {
        listener(part);
      }
    });
}
