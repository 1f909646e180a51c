import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../base/errors.ts';

export function newState(): string {
  return randomBytes(32).toString('base64url');
}

/** In constant time, whatever the lengths. */
export function isSameState(received: string | null, expected: string): boolean {
  return received !== null && timingSafeEqual(digest(received), digest(expected));
}

export function stateMismatch(): AppError {
  return new AppError('auth.stateMismatch', 'The browser came back with an answer to another sign-in.');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
