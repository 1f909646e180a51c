import type { JsonObject } from '../../base/json.ts';
import { depthExceeds } from '../../base/jsonDepth.ts';
import { hostError } from './hostErrors.ts';

const maxItemLength = 256 * 1024;
const maxItemDepth = 64;
const maxListMiB = 8;

/** What a server's list may weigh, all pages together: many items within measure are still too much. */
export class ListWeight {
  readonly #what: string;
  #length = 0;

  constructor(what: string) {
    this.#what = what;
  }

  /** Counts an item; a list that is too large as a whole is refused. */
  add(item: JsonObject): void {
    this.#length += JSON.stringify(item).length;
    if (this.#length > maxListMiB * 1024 * 1024) {
      throw hostError('host.listTooLarge', { limit: maxListMiB, what: this.#what });
    }
  }
}

/** Whether one item is neither too deep nor too large. */
export function isWithinMeasure(item: JsonObject): boolean {
  return !depthExceeds(item, maxItemDepth) && JSON.stringify(item).length <= maxItemLength;
}
