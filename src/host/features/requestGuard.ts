import { isAbort } from '../../base/errors.ts';
import type { Client } from '../shared/sdk.ts';

/** What one server may ask of the person at once and per minute: more is refused without a question. */
export interface RequestLimits {
  readonly atOnce: number;
  readonly perMinute: number;
}

export class RequestGuard {
  readonly #limits: RequestLimits;
  readonly #now: () => number;
  #open = 0;
  #recent: number[] = [];

  constructor(limits: RequestLimits, now: () => number = Date.now) {
    this.#limits = limits;
    this.#now = now;
  }

  /** How many questions of this server wait for the person. */
  get open(): number {
    return this.#open;
  }

  /** Throws when it is too early or too much. */
  async run<T>(what: string, client: Client, work: () => Promise<T>): Promise<T> {
    requireGreeting(client);
    const now = this.#now();
    this.#recent = this.#recent.filter((time) => now - time < 60_000);
    if (this.#open >= this.#limits.atOnce || this.#recent.length >= this.#limits.perMinute) {
      throw rpcError(internalError, `Too many requests for ${what}; try again later.`);
    }
    this.#recent.push(now);
    this.#open += 1;
    try {
      return await work();
    } catch (error) {
      // An abort has a code of its own, which is none of the protocol's.
      throw isAbort(error) ? rpcError(internalError, `The request for ${what} was cancelled.`) : error;
    } finally {
      this.#open -= 1;
    }
  }
}

/** Until the greeting is answered nobody knows who is asking: only a ping may come before. */
export function requireGreeting(client: Client): void {
  if (client.getServerCapabilities() === undefined) {
    throw rpcError(invalidRequest, 'The connection is not initialized yet.');
  }
}

/** For the server's log: nobody was asked, so nobody would know. */
export function storedRefusal(what: string): string {
  return `${what} was refused by a stored answer (“Always deny”); “Duplex: Manage Permissions” takes it back.`;
}

export const invalidRequest = -32_600;
export const invalidParams = -32_602;
export const internalError = -32_603;

/** The SDK sends an error's whole-number code and message to the peer. */
export function rpcError(code: number, message: string): Error {
  return Object.assign(new Error(message), { code });
}
