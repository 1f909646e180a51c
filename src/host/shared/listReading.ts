import { setTimeout as sleep } from 'node:timers/promises';
import { hasCode } from '../../base/errors.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { depthExceeds } from '../../base/jsonText.ts';
import { hostError } from './hostErrors.ts';

const maxPages = 100;
const maxItems = 2_000;

export interface Page {
  readonly items: readonly unknown[];
  readonly nextCursor: string | undefined;
}

/** Reads all pages of a list. A list that is too long or never ends is refused. */
export async function readAllPages(what: string, readPage: (cursor: string | undefined) => Promise<Page>): Promise<readonly JsonObject[]> {
  const items: JsonObject[] = [];
  const weight = new ListWeight(what);
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const { items: more, nextCursor } = await readPage(cursor);
    const usable = more.filter(isJsonObject).filter(isWithinMeasure);
    usable.forEach((item) => weight.add(item));
    items.push(...usable);
    if (items.length > maxItems) {
      throw hostError('host.listTooLong', { limit: maxItems, what });
    }
    if (nextCursor === undefined) {
      return items;
    }
    if (seen.has(nextCursor)) {
      break; // the server sends the same page again and again
    }
    seen.add(nextCursor);
    cursor = nextCursor;
  }
  throw hostError('host.endlessList', { what });
}

/**
 * Whether the server does not know the method. A server may declare resources and know no templates: that is an empty list,
 * not a mistake.
 */
export function isUnknownMethod(error: unknown): boolean {
  return hasCode(error, 'METHOD_NOT_FOUND') || (typeof error === 'object' && error !== null && 'code' in error && error.code === -32601);
}

const maxItemLength = 256 * 1024;
const maxItemDepth = 64;
const maxListMiB = 8;

/** Limits the size of a server's list over all its pages, because many items of a permitted size can still be too much. */
export class ListWeight {
  readonly #what: string;
  #length = 0;

  constructor(what: string) {
    this.#what = what;
  }

  /** Counts an item, and throws when the list as a whole is too large. */
  add(item: JsonObject): void {
    this.#length += JSON.stringify(item).length;
    if (this.#length > maxListMiB * 1024 * 1024) {
      throw hostError('host.listTooLarge', { limit: maxListMiB, what: this.#what });
    }
  }
}

/** Whether one item of a list is neither too deep nor too large. */
export function isWithinMeasure(item: JsonObject): boolean {
  return !depthExceeds(item, maxItemDepth) && JSON.stringify(item).length <= maxItemLength;
}

/** The pause before a list that keeps changing is read again. */
const gapMs = 100;

/**
 * Reads a list again after notices of its change. Many notices within a moment cause one reading; a notice during a reading
 * causes another one.
 */
export class Refresher {
  readonly #read: () => Promise<void>;
  readonly #signal: AbortSignal;
  #isStale = false;
  #isRunning = false;

  /** `read` must report its own failures: nobody else does. */
  constructor(read: () => Promise<void>, signal: AbortSignal) {
    this.#read = read;
    this.#signal = signal;
  }

  request(): void {
    this.#isStale = true;
    if (!this.#isRunning) {
      this.#isRunning = true;
      void this.#run();
    }
  }

  async #run(): Promise<void> {
    try {
      while (this.#isStale && !this.#signal.aborted) {
        await sleep(gapMs, undefined, { signal: this.#signal, ref: false });
        this.#isStale = false;
        await this.#read();
      }
    } catch {
      // Only the sleep rejects, and only when the connection is gone: nothing is left to read then.
    } finally {
      this.#isRunning = false;
    }
  }
}
