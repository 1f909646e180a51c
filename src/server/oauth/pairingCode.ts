import { randomInt } from 'node:crypto';

/** No vowels and nothing that looks like something else: a person reads it off one screen and compares it with another. */
const pairingAlphabet = 'BCDFGHJKLMNPQRSTVWXZ23456789';

export function newPairingCode(): string {
  const letters = Array.from({ length: 8 }, () => pairingAlphabet.charAt(randomInt(pairingAlphabet.length))).join('');
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}
