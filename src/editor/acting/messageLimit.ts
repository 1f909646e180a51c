import { editorError } from '../shared/editorErrors.ts';

const burst = 3;
const refillMs = 5_000;
const maxClients = 1_000;

/** Three notifications at once from each client, then one every five seconds: a person must be able to read them. */
export class MessageLimit {
  readonly #clients = new Map<string, { left: number; at: number }>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  demand(credentialId: string): void {
    const at = this.#now();
    const known = this.#clients.get(credentialId) ?? { left: burst, at };
    const left = Math.min(burst, known.left + (at - known.at) / refillMs);
    if (left < 1) {
      throw editorError('editor.tooManyMessages');
    }
    this.#clients.delete(credentialId);
    this.#clients.set(credentialId, { left: left - 1, at });
    const [oldest] = this.#clients.keys();
    if (this.#clients.size > maxClients && oldest !== undefined) {
      this.#clients.delete(oldest);
    }
  }
}
