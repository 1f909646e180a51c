import type { ServerLimits } from '../../access/limits.ts';
import type { InFlight } from './inFlight.ts';
import type { RequestId } from '../rpc/rpc.ts';

/** Whether a request can begin, and if not, why. */
export type Admission = 'free' | 'duplicate' | 'full';

/** The requests of one client that have no answer yet, in either era. What is taken in ends once: finished or cancelled. */
export class InFlightTable {
  readonly #limits: Pick<ServerLimits, 'requestsInFlight'>;
  readonly #hasOwnIds: boolean;
  /** By id where ids are the client's own, by themselves otherwise. */
  readonly #requests = new Map<RequestId | InFlight, InFlight>();

  /** `hasOwnIds`: one client chooses all ids, so that none is there twice and each names a request. */
  constructor(limits: Pick<ServerLimits, 'requestsInFlight'>, hasOwnIds: boolean) {
    this.#limits = limits;
    this.#hasOwnIds = hasOwnIds;
  }

  get size(): number {
    return this.#requests.size;
  }

  /** `exempt` is how many of those in flight do not count for the limit. */
  admissionOf(id: RequestId, exempt = 0): Admission {
    if (this.#requests.has(id)) {
      return 'duplicate';
    }
    return this.#requests.size - exempt >= this.#limits.requestsInFlight ? 'full' : 'free';
  }

  /** For a request that is free to begin. */
  add(request: InFlight): void {
    this.#requests.set(this.#keyOf(request), request);
  }

  /** What a cancellation means by its `requestId`, which may be anything. */
  find(requestId: unknown): InFlight | undefined {
    return typeof requestId === 'string' || typeof requestId === 'number' ? this.#requests.get(requestId) : undefined;
  }

  /** False when it had ended before: then this answer is nobody's. */
  finish(request: InFlight, text: string, status?: number): boolean {
    const isOurs = this.#remove(request);
    if (isOurs) {
      request.finish(text, status);
    }
    return isOurs;
  }

  /** False when it had ended before. */
  cancel(request: InFlight): boolean {
    const isOurs = this.#remove(request);
    if (isOurs) {
      request.cancel();
    }
    return isOurs;
  }

  cancelAll(): void {
    const all = [...this.#requests.values()];
    this.#requests.clear();
    for (const request of all) {
      request.cancel();
    }
  }

  /** Once cancelled, its id may be another request's. */
  #remove(request: InFlight): boolean {
    const key = this.#keyOf(request);
    return this.#requests.get(key) === request && this.#requests.delete(key);
  }

  #keyOf(request: InFlight): RequestId | InFlight {
    return this.#hasOwnIds ? request.id : request;
  }
}
