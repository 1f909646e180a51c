import type { ConsentRequest } from './consentModel.ts';

const maxRemembered = 2_000;

/**
 * What the person has read to its end and allowed in this window, by its fingerprint: only then may a question fold the
 * description away. Another definition, or one that changed, is read whole again.
 */
export class ReadSubjects {
  readonly #read = new Set<string>();

  has(request: ConsentRequest): boolean {
    return this.#read.has(keyOf(request));
  }

  add(request: ConsentRequest): void {
    const [oldest] = this.#read;
    if (this.#read.size >= maxRemembered && oldest !== undefined) {
      this.#read.delete(oldest);
    }
    this.#read.add(keyOf(request));
  }
}

/** Whoever asks: it is the same person who has read it. */
function keyOf({ action, subject, fingerprint }: ConsentRequest): string {
  return JSON.stringify([action, subject, fingerprint]);
}
