import { hasCode } from '../../base/errors.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { hostError } from '../shared/hostErrors.ts';
import { isWithinMeasure, ListWeight } from '../shared/listWeight.ts';

const maxPages = 100;
const maxItems = 2_000;

export interface Page {
  readonly items: readonly unknown[];
  readonly nextCursor: string | undefined;
}

/** All pages, with an end: a list that never ends is refused, not followed. */
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
      break; // the same page again and again
    }
    seen.add(nextCursor);
    cursor = nextCursor;
  }
  throw hostError('host.endlessList', { what });
}

/** A server may declare resources and know no templates: that is an empty list, not a mistake. */
export function isUnknownMethod(error: unknown): boolean {
  return hasCode(error, 'METHOD_NOT_FOUND') || (typeof error === 'object' && error !== null && 'code' in error && error.code === -32601);
}
