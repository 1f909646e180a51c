import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export function newSecret(bytes = 32): string {
  return randomBytes(bytes).toString('base64url');
}

export function digestOfSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Compares two secrets in constant time, whatever their lengths. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(digestOfSecret(one)), Buffer.from(digestOfSecret(other)));
}

/** Names of HTTP headers, in lower case as Node gives them. */
export const challengeHeader = 'duplex-challenge';
export const proofHeader = 'duplex-proof';
export const workbenchHeader = 'duplex-workbench';

/** Whether the page of a VS Code window answers its extensions. */
export type WorkbenchState = 'answers' | 'silent';

/**
 * Shows that a listener knows the token of its discovery file without sending it. The port is part of the proof, so that a program
 * that took one window's port cannot pass a challenge on to another listener and give its answer as its own.
 */
export function windowProof(token: string, nonce: string, port: number): string {
  return createHmac('sha256', token).update(`${nonce}:${port}`).digest('base64url');
}

/** Tells the state of the page in a form that only those can read who know the token. */
export function workbenchProof(token: string, nonce: string, port: number, state: WorkbenchState): string {
  return createHmac('sha256', token).update(`${nonce}:${port}:${state}`).digest('base64url');
}
