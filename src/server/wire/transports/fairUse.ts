import type { Clock } from '../../../base/clock.ts';
import { isJsonObject } from '../../../base/json.ts';
import { Bucket, RateLimiter } from '../../access/limits.ts';
import type { WireCredential } from '../../seen/viewer.ts';

export type FairUseVerdict = 'ok' | 'limited' | 'flood';

export interface Peer {
  readonly credential: WireCredential;
  /** The socket, or an object that represents it. */
  readonly connection: object;
}

interface Allowance {
  /** Everything that comes over the connection, counted before it is looked at. */
  readonly all: Bucket;
  readonly unreadable: Bucket;
  readonly messages: Bucket;
  readonly urgent: Bucket;
  /** What the connection may still use when others have used up the allowance of its credential. */
  readonly share: Bucket;
}

/** A body of so many characters costs as much as a message more. */
const charactersPerMessage = 4_096;

/** A connection that sends so many times its allowance is closed: even to refuse a message is work. */
const floodFactor = 2;
const minFlood = 1_000;
/** The most texts in a second that are no JSON: to find that out is much more work than it is to write them. */
const maxUnreadable = 100;

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

  /** Counts a text that came over a connection which stays open, whatever it is; false when that is a flood. */
  isBearable(connection: object): boolean {
    return this.#of(connection).all.take(1);
  }

  /**
   * Counts the messages of a body (undefined for one that is no JSON), and its length: reading a long one is work, too. Messages that must never be dropped have an allowance of their own; beyond it the verdict is
   * `flood`, and the connection is closed.
   */
  count(peer: Peer, body: unknown, length: number): FairUseVerdict {
    if (body === undefined && !this.#of(peer.connection).unreadable.take(1)) {
      return 'flood';
    }
    const messages = Array.isArray(body) && body.length > 0 ? (body as readonly unknown[]) : [body];
    const droppable = messages.reduce<number>((count, message) => count + (mustPass(message) ? 0 : 1), 0);
    const urgent = messages.length - droppable;
    const weight = Math.floor(length / charactersPerMessage);
    if (urgent > 0 && !this.#of(peer.connection).urgent.take(urgent + (droppable === 0 ? weight : 0))) {
      return 'flood';
    }
    return droppable === 0 || this.#take(peer, droppable + weight) ? 'ok' : 'limited';
  }

  #take({ credential, connection }: Peer, cost: number): boolean {
    const { messages, share } = this.#of(connection);
    return messages.take(cost) && (this.#credentials.take(credential.id, cost) || (credential.kind === 'windowToken' && share.take(cost)));
  }

  #of(connection: object): Allowance {
    let known = this.#connections.get(connection);
    if (known === undefined) {
      const bucket = (limit: () => number): Bucket => new Bucket(limit, this.#clock);
      const share = bucket(() => Math.max(1, this.#limit() * shareOfConnection));
      const all = bucket(() => Math.max(minFlood, this.#limit() * floodFactor));
      const unreadable = bucket(() => maxUnreadable);
      known = { all, unreadable, messages: bucket(this.#limit), urgent: bucket(this.#limit), share };
      this.#connections.set(connection, known);
    }
    return known;
  }
}

/** Whether a message must never be dropped: cancellations, responses and pings. */
export function mustPass(message: unknown): boolean {
  if (!isJsonObject(message)) {
    return false;
  }
  const { method } = message;
  return method === 'notifications/cancelled' || method === 'ping' || (method === undefined && message.id !== undefined);
}
