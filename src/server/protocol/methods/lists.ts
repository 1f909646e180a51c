import type { JsonObject } from '../../../base/json.ts';
import { cursorFor, invalidCursor, offsetOf } from '../../offer/catalog/cursor.ts';
import type { RequestContext } from '../requests/inFlight.ts';
import { shapeResult } from '../requests/revisions.ts';

/** A promise only where something has to be waited for. */
export type Method = (params: JsonObject, request: RequestContext) => Promise<string> | string;

const pageSize = 200;

/** A list in pages. A cursor belongs to its list: with another one it is invalid. */
export function listMethod(method: string, member: string, items: (request: RequestContext) => readonly JsonObject[]): Method {
  return async ({ cursor }, request) => {
    const all = items(request);
    const { page, nextCursor } = pageOf(all, cursor, method);
    const result = { [member]: page, ...(nextCursor !== undefined && { nextCursor }) };
    return JSON.stringify(shapeResult(method, result, request.revision));
  };
}

export function pageOf<T>(
  all: readonly T[],
  cursor: unknown,
  list: string,
): { readonly page: readonly T[]; readonly nextCursor: string | undefined } {
  if (cursor === undefined && all.length <= pageSize) {
    return { page: all, nextCursor: undefined };
  }
  const start = cursor === undefined ? 0 : startOf(cursor, list);
  const end = start + pageSize;
  return { page: all.slice(start, end), nextCursor: end < all.length ? cursorFor(end, [list]) : undefined };
}

/** A list may have become shorter since; a cursor that was never given out has no place in it. */
function startOf(cursor: unknown, list: string): number {
  if (typeof cursor !== 'string') {
    throw invalidCursor();
  }
  const start = offsetOf(cursor, [list]);
  if (start === 0 || start % pageSize !== 0) {
    throw invalidCursor();
  }
  return start;
}
