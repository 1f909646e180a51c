import type { Clock } from '../../../base/clock.ts';
import { isJsonObject } from '../../../base/json.ts';
import { Bucket, RateLimiter } from '../../access/limits.ts';
import { type ReplySink, rpcErrorText, tooManyRequests } from '../../protocol/rpc/rpc.ts';
import type { WireCredential } from '../../seen/viewer.ts';

export type FairUseVerdict = 'ok' | 'limited' | 'flood';

export interface Peer {
  readonly credential: WireCredential;
  /** The socket, or what stands for it. */
  readonly connection: object;
}

interface Allowance {
  readonly messages: Bucket;
  readonly urgent: Bucket;
  /** What is left to it when others have used up what its credential has. */
  readonly share: Bucket;
}

/** Of what a credential has. */
const shareOfConnection = 1 / 50;

/**
 * Counts messages by connection and by credential. The window's token is many programs' at once: there a connection keeps a
 * share of its own, or one of them could use up what the others have.
 */
export class FairUse {
  readonly #limit: () => number;
  readonly #clock: Clock;
  readonly #credentials: RateLimiter;
  readonly #connections = new WeakMap<object, Allowance>();

  constructor(perSecond: number, clock: Clock) {
    this.#limit = () => perSecond;
    this.#clock = clock;
    this.#credentials = new RateLimiter(perSecond, clock);
  }

  /** A body's messages one by one; what must never be dropped has an allowance of its own, and past that the connection goes. */
  count(peer: Peer, body: unknown): FairUseVerdict {
    const messages = Array.isArray(body) ? (body as readonly unknown[]) : [body];
    const droppable = messages.reduce<number>((count, message) => count + (mustPass(message) ? 0 : 1), 0);
    const urgent = messages.length - droppable;
    if (urgent > 0 && !this.#of(peer.connection).urgent.take(urgent)) {
      return 'flood';
    }
    return this.#take(peer, droppable) ? 'ok' : 'limited';
  }

  #take({ credential, connection }: Peer, cost: number): boolean {
    if (cost === 0) {
      return true;
    }
    const { messages, share } = this.#of(connection);
    return messages.take(cost) && (this.#credentials.take(credential.id, cost) || (credential.kind === 'windowToken' && share.take(cost)));
  }

  #of(connection: object): Allowance {
    let known = this.#connections.get(connection);
    if (known === undefined) {
      const bucket = (limit: () => number): Bucket => new Bucket(limit, this.#clock);
      const share = bucket(() => Math.max(1, this.#limit() * shareOfConnection));
      known = { messages: bucket(this.#limit), urgent: bucket(this.#limit), share };
      this.#connections.set(connection, known);
    }
    return known;
  }
}

/** Cancellations, responses and pings. */
function mustPass(message: unknown): boolean {
  if (!isJsonObject(message)) {
    return false;
  }
  const { method } = message;
  return method === 'notifications/cancelled' || method === 'ping' || (method === undefined && message.id !== undefined);
}

/** For messages past the rate limit: requests are told, notifications dropped; what must never be dropped is returned. */
export function refuseLimited(body: unknown, sink: ReplySink): readonly unknown[] {
  const messages = Array.isArray(body) ? (body as readonly unknown[]) : [body];
  return messages.filter((message) => {
    if (mustPass(message)) {
      return true;
    }
    if (isJsonObject(message) && (typeof message.id === 'string' || typeof message.id === 'number')) {
      sink.respond(rpcErrorText(message.id, tooManyRequests()));
    }
    return false;
  });
}
