import { createHash } from 'node:crypto';
import { parsedJson } from '../../../base/json.ts';
import type { AppError } from '../../../base/errors.ts';
import { clientError } from '../../errors/serverErrors.ts';

/** Makes a cursor from an offset. It contains a hash of the query, so that it fails with another query instead of skipping entries. */
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

/** The error for a bad cursor; it becomes JSON-RPC error -32602, also if a tool throws it. */
export function invalidCursor(): AppError {
  return clientError('server.invalidCursor', { parameter: 'cursor', reason: 'not a cursor of this list' });
}

/** A short hash that differs for different queries. */
function markOf(query: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(query)).digest('hex').slice(0, 12);
}

/**
 * Makes a cursor from a place in an ordered list. Unlike an offset it stays right when entries before it come or go. It contains a
 * hash of the query, so that it fails with another query.
 */
export function placeCursor(place: readonly (string | number)[], query: readonly unknown[]): string {
  return Buffer.from(JSON.stringify([markOf(query), ...place])).toString('base64url');
}

/** Returns the members of the place that `placeCursor` was given. */
export function placeInCursor(cursor: string, query: readonly unknown[]): readonly (string | number)[] {
  const [mark, ...place] = parse(cursor);
  if (mark !== markOf(query) || !place.every((member) => typeof member === 'string' || typeof member === 'number')) {
    throw invalidCursor();
  }
  return place;
}

/** Whether `placeCursor` may have made it; for what query does not matter here. */
export function isPlaceCursor(cursor: string | undefined): boolean {
  return cursor !== undefined && parse(cursor).length > 1;
}

function parse(cursor: string): unknown[] {
  const value = parsedJson(Buffer.from(cursor, 'base64url').toString());
  return Array.isArray(value) ? value : [];
}
