import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export function newSecret(bytes = 32): string {
  return randomBytes(bytes).toString('base64url');
}

export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** In constant time, whatever the lengths. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(digestOf(one)), Buffer.from(digestOf(other)));
}

/** In lower case, as Node gives headers. */
export const challengeHeader = 'duplex-challenge';
export const proofHeader = 'duplex-proof';
export const workbenchHeader = 'duplex-workbench';

/** Whether the page of a window does what its extensions ask of it. */
export type WorkbenchState = 'answers' | 'silent';

/**
 * Shows that a listener knows the token of its discovery file without sending it. With the port in it, a program that took one
 * window's port cannot pass a challenge on to another listener and answer with what that one says.
 */
export function windowProof(token: string, nonce: string, port: number): string {
  return createHmac('sha256', token).update(`${nonce}:${port}`).digest('base64url');
}

/** The state in a form that only those can read who know the token: it is nobody else's business. */
export function workbenchProof(token: string, nonce: string, port: number, state: WorkbenchState): string {
  return createHmac('sha256', token).update(`${nonce}:${port}:${state}`).digest('base64url');
}
