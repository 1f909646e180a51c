import { setTimeout as sleep } from 'node:timers/promises';
import { hasCode } from '../../base/errors.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { Slices } from '../../base/slices.ts';
import { hostError } from '../shared/hostErrors.ts';
import { intakeLimits } from './intakeLimits.ts';

const { pages: maxPages, items: maxItems, total: maxLength } = intakeLimits.list;

export interface Page {
  readonly items: readonly unknown[];
  readonly nextCursor: string | undefined;
}

/** Reads all pages of a list. A list that is too long, too large over all its pages or never ends is refused. */
export async function readAllPages(what: string, readPage: (cursor: string | undefined) => Promise<Page>): Promise<readonly JsonObject[]> {
  const items: JsonObject[] = [];
  const slices = new Slices();
  let length = 0;
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const { items: more, nextCursor } = await readPage(cursor);
    const usable = more.filter(isJsonObject);
    items.push(...usable);
    if (items.length > maxItems) {
      throw hostError('host.listTooLong', { limit: maxItems, what });
    }
    for (const item of usable) {
      length += JSON.stringify(item).length;
      if (length > maxLength) {
        throw hostError('host.listTooLarge', { limit: maxLength / 1024 / 1024, what });
      }
      if (slices.isUsedUp) {
        await slices.pauseIfUsedUp();
      }
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

/** Numbers the readings of one list. Answers may overtake each other: what an earlier reading found never replaces what a later one found. */
export class ReadingOrder {
  #begun = 0;
  #counted = 0;

  /** Begins a reading. What it returns is called when that has succeeded, and says whether it counts. */
  begin(): () => boolean {
    this.#begun += 1;
    const number = this.#begun;
    return () => {
      const counts = number > this.#counted;
      this.#counted = Math.max(number, this.#counted);
      return counts;
    };
  }
}

/** The pause before a list that changed is read again. It doubles each time, as long as the list keeps changing. */
const minGapMs = 100;
/** The longest pause, in ms, before a list that keeps changing is read again. */
const maxGapMs = 60_000;
/** A list that did not change for so long, or for twice the last pause, is read soon again. */
const quietMs = 2_000;

export interface RefresherOptions {
  readonly sleep?: ((ms: number, signal: AbortSignal) => Promise<unknown>) | undefined;
  readonly now?: (() => number) | undefined;
  /** After how long without a reading the pauses are short again; never less than twice the last pause. */
  readonly restMs?: number | undefined;
}

/**
 * Reads a list again after notices of its change. Many notices within a moment cause one reading; a notice during a reading
 * causes another one, after a longer pause each time: a server that announces a change after every reading must not keep us reading.
 */
export class Refresher {
  readonly #read: () => Promise<void>;
  readonly #signal: AbortSignal;
  readonly #sleep: NonNullable<RefresherOptions['sleep']>;
  readonly #now: () => number;
  readonly #restMs: number;
  #isStale = false;
  #isRunning = false;
  #gapMs = minGapMs;
  #readAt = -Infinity;

  /** `read` must report its own failures: nobody else does. */
  constructor(read: () => Promise<void>, signal: AbortSignal, { sleep: pause, now, restMs }: RefresherOptions = {}) {
    this.#read = read;
    this.#signal = signal;
    this.#sleep = pause ?? ((ms, until) => sleep(ms, undefined, { signal: until, ref: false }));
    this.#now = now ?? (() => performance.now());
    this.#restMs = restMs ?? quietMs;
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
      if (this.#now() - this.#readAt > Math.max(this.#restMs, 2 * this.#gapMs)) {
        this.#gapMs = minGapMs;
      }
      while (this.#isStale && !this.#signal.aborted) {
        await this.#sleep(this.#gapMs, this.#signal);
        this.#isStale = false;
        await this.#read();
        this.#readAt = this.#now();
        this.#gapMs = Math.min(maxGapMs, 2 * this.#gapMs);
      }
    } catch {
      // Only the sleep rejects, and only when the connection is gone: nothing is left to read then.
    } finally {
      this.#isRunning = false;
    }
  }
}
