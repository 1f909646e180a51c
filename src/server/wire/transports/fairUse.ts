import type { Clock } from '../../../base/clock.ts';
import { isJsonObject } from '../../../base/json.ts';
import { Bucket, RateLimiter } from '../../access/limits.ts';
import { type ReplySink, rpcErrorText, tooManyRequests } from '../../protocol/rpc/rpc.ts';
import type { WireCredential } from '../../seen/viewer.ts';

export type FairUseVerdict = 'ok' | 'limited' | 'flood';

export interface Peer {
  readonly credential: WireCredential;
  /** The socket, or an object that represents it. */
  readonly connection: object;
}

interface Allowance {
  readonly messages: Bucket;
  readonly urgent: Bucket;
  /** What the connection may still use when others have used up the allowance of its credential. */
  readonly share: Bucket;
}

/** The share of a credential's allowance that each connection keeps for itself. */
const shareOfConnection = 1 / 50;

/**
 * Counts messages by connection and by credential. Many programs share the window token, so each of its connections keeps a share
 * of its own; otherwise one program could use up everything.
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

  /**
   * Counts the messages of a body. Messages that must never be dropped have an allowance of their own; beyond it the verdict is
   * `flood`, and the connection is closed.
   */
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

/** Whether a message must never be dropped: cancellations, responses and pings. */
function mustPass(message: unknown): boolean {
  if (!isJsonObject(message)) {
    return false;
  }
  const { method } = message;
  return method === 'notifications/cancelled' || method === 'ping' || (method === undefined && message.id !== undefined);
}

/**
 * Handles messages beyond the rate limit: requests are answered with an error and notifications dropped. Returns the messages that
 * must never be dropped.
 */
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
