import { createHash } from 'node:crypto';
import type { AppError } from '../../../base/errors.ts';
import { clientError } from '../../errors/serverErrors.ts';

/** A place in a list. It carries a mark of the query it belongs to, so that it fails with another one instead of skipping entries. */
export function cursorFor(offset: number, query: readonly unknown[]): string {
  return Buffer.from(`${offset}.${markOf(query)}`).toString('base64url');
}

export function offsetOf(cursor: string, query: readonly unknown[]): number {
  const offset = Number(Buffer.from(cursor, 'base64url').toString().split('.', 1)[0]);
  if (!Number.isSafeInteger(offset) || offset < 0 || cursorFor(offset, query) !== cursor) {
    throw invalidCursor();
  }
  return offset;
}

/** -32602 for the client, also from within a tool. */
export function invalidCursor(): AppError {
  return clientError('server.invalidCursor', { parameter: 'cursor', reason: 'not a cursor of this list' });
}

/** The same for the same query only. */
function markOf(query: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(query)).digest('hex').slice(0, 12);
}

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
