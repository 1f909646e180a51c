import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

/** No vowels and nothing that looks like something else: a person reads it off one screen and compares it with another. */
const pairingAlphabet = 'BCDFGHJKLMNPQRSTVWXZ23456789';

export function newSecret(bytes = 32): string {
  return randomBytes(bytes).toString('base64url');
}

export function newPairingCode(): string {
  const letters = Array.from({ length: 8 }, () => pairingAlphabet.charAt(randomInt(pairingAlphabet.length))).join('');
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

export function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
