import { secretMark } from '../base/secretMark.ts';
import { redactSecrets } from '../server/seen/withheld/redactSecrets.ts';

/** Short text of a server for a page that is copied to others: without what looks like a secret, and without those that are `known`. */
export function withoutSecrets(text: string, known: readonly string[]): string {
  const sorted = [...known].sort((one, other) => other.length - one.length);
  return redactSecrets(sorted.reduce((rest, secret) => rest.replaceAll(secret, secretMark), text));
}
