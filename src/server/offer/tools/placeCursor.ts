import { invalidCursor, markOf } from '../catalog/cursor.ts';

/**
 * A place in an ordered answer, not a count: entries that come or go before it shift nothing. It carries a mark of the query it
 * belongs to, so that it fails with another one.
 */
export function placeCursor(place: readonly (string | number)[], query: readonly unknown[]): string {
  return Buffer.from(JSON.stringify([markOf(query), ...place])).toString('base64url');
}

/** The members of the place, as `placeCursor` was given them. */
export function placeOf(cursor: string, query: readonly unknown[]): readonly (string | number)[] {
  const [mark, ...place] = parse(cursor);
  if (mark !== markOf(query) || !place.every((member) => typeof member === 'string' || typeof member === 'number')) {
    throw invalidCursor();
  }
  return place;
}

function parse(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
