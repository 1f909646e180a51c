import { createHmac } from 'node:crypto';

/** In lower case, as Node gives headers. */
export const challengeHeader = 'duplex-challenge';
export const proofHeader = 'duplex-proof';

/**
 * Shows that a listener knows the token of its discovery file without sending it. With the port in it, a program that took one
 * window's port cannot pass a challenge on to another listener and answer with what that one says.
 */
export function windowProof(token: string, nonce: string, port: number): string {
  return createHmac('sha256', token).update(`${nonce}:${port}`).digest('base64url');
}
