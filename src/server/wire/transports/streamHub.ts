import type { ServerResponse } from 'node:http';
import type { Clock } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import type { ApprovalState } from '../../access/connectApproval.ts';
import type { CredentialStore } from '../../access/credentials.ts';
import type { ServerLimits } from '../../access/limits.ts';
import { SpreadWork } from '../../access/spreadWork.ts';
import { clientSentence } from '../../errors/serverErrors.ts';
import { rpcCode } from '../../protocol/rpc/rpc.ts';
import type { SessionDirectory } from '../../protocol/sessionDirectory.ts';
import type { WireCredential } from '../../seen/viewer.ts';
import type { HttpRefusal } from '../http/answers.ts';

/** A long-lived connection: a stream or a WebSocket. */
export interface HeldConnection {
  keepAlive(): void;
  end(): void;
  /** Ends the connection because its token has expired. */
  expire(): void;
  /** Ends the connection because another one needs its place. */
  giveWay(): void;
}

/** The owner of a connection. */
export interface StreamOwner {
  readonly credential: WireCredential;
  /** What may be one program: a session, a socket, or all stateless requests. */
  readonly client: object;
  readonly isApproved: () => boolean;
}

/** The most streams of one credential that nobody has approved: a program needs no permission to open them. */
export const maxUnapprovedStreams = 64;

export function streamOwner(client: { readonly approvalState: ApprovalState }, credential: WireCredential): StreamOwner {
  return { credential, client, isApproved: () => client.approvalState.kind === 'allowed' };
}

/** The owner of a connection that has no session yet. */
function newcomer(credential: WireCredential): StreamOwner {
  return { credential, client: {}, isApproved: () => false };
}

/**
 * All open streams and sockets of the listener. One timer keeps them alive, and they stay open no longer than their tokens are
 * valid. Their number is limited so that nobody crowds others out: approved connections go before unapproved ones, and credentials
 * with few connections before those with many.
 */
export class StreamHub implements Disposable {
  readonly #limit: number;
  readonly #clock: Clock;
  readonly #interval: number;
  readonly #credentials: CredentialStore;
  readonly #open = new Map<HeldConnection, StreamOwner>();
  readonly #lapses: Disposable;
  #timer: Disposable | undefined;
  readonly #keeping = new SpreadWork();
  #stillToKeep = 0;

  constructor(limit: number, clock: Clock, keepAliveMs: number, credentials: CredentialStore) {
    this.#limit = limit;
    this.#clock = clock;
    this.#interval = keepAliveMs;
    this.#credentials = credentials;
    this.#lapses = credentials.onDidLapse(() => this.#expire());
  }

  /** Whether a place is free, without ending another connection. */
  hasRoom(owner: StreamOwner): boolean {
    return this.#open.size < this.#limit && !this.#isAtItsAllowance(owner);
  }

  /**
   * Makes room for one more connection, if necessary by ending another one; returns whether there is room. A connection that is to be
   * `replaced` gives its own place to the new one.
   */
  makeRoom(owner: StreamOwner, replaced?: HeldConnection): boolean {
    if (replaced !== undefined && this.#open.delete(replaced)) {
      return true;
    }
    const place = this.#placeFor(owner);
    if (place !== undefined && place !== 'free') {
      this.#open.delete(place);
      place.giveWay();
    }
    return place !== undefined;
  }

  /** Whether `makeRoom` would succeed; nothing is ended. */
  mayMakeRoom(owner: StreamOwner): boolean {
    return this.#placeFor(owner) !== undefined;
  }

  open(response: ServerResponse, owner: StreamOwner, headers?: Readonly<Record<string, string>>): SseConnection {
    const connection = new SseConnection(response, headers);
    connection.onClose(this.hold(connection, owner));
    return connection;
  }

  /** Keeps a connection; call the returned function when it is closed. */
  hold(connection: HeldConnection, owner: StreamOwner): () => void {
    this.#open.set(connection, owner);
    this.#timer ??= this.#schedule();
    return () => this.#open.delete(connection);
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#lapses.dispose();
    for (const connection of [...this.#open.keys()]) {
      connection.end();
    }
  }

  #isAtItsAllowance(owner: StreamOwner): boolean {
    return !owner.isApproved() && this.#unapprovedOf(owner.credential).length >= maxUnapprovedStreams;
  }

  #unapprovedOf({ id }: WireCredential): Held[] {
    const unapproved: Held[] = [];
    for (const held of this.#open) {
      const { credential, isApproved } = held[1];
      if (credential.id === id && !isApproved()) {
        unapproved.push(held);
      }
    }
    return unapproved;
  }

  #placeFor(owner: StreamOwner): HeldConnection | 'free' | undefined {
    if (this.#isAtItsAllowance(owner)) {
      return firstToGiveWay(this.#unapprovedOf(owner.credential));
    }
    if (this.#open.size < this.#limit) {
      return 'free';
    }
    const held = [...this.#open];
    const own = held.filter(([, { credential }]) => credential.id === owner.credential.id);
    const most = largestGroup(held, ({ credential }) => credential.id);
    return most.length > own.length + 1 ? firstToGiveWay(most) : undefined;
  }

  #schedule(): Disposable {
    return this.#clock.schedule(this.#interval, () => {
      // The timers of tokens stand still while the machine sleeps, so expiry is checked here, too.
      this.#expire();
      if (this.#stillToKeep === 0) {
        this.#keepAlive();
      }
      this.#timer = this.#open.size > 0 ? this.#schedule() : undefined;
    });
  }

  #keepAlive(): void {
    const all = [...this.#open.keys()];
    this.#stillToKeep = all.length;
    for (const connection of all) {
      this.#keeping.run(() => {
        this.#stillToKeep -= 1;
        if (this.#open.has(connection)) {
          connection.keepAlive();
        }
      });
    }
  }

  #expire(): void {
    for (const [connection, { credential }] of [...this.#open]) {
      if (!this.#credentials.holds(credential)) {
        connection.expire();
      }
    }
  }
}

type Held = [HeldConnection, StreamOwner];

/** Chooses the connection that gives way: the oldest of the client with the most connections, among unapproved ones if there are any. */
function firstToGiveWay(held: readonly Held[]): HeldConnection | undefined {
  const unapproved = held.filter(([, { isApproved }]) => !isApproved());
  const [oldest] = largestGroup(unapproved.length > 0 ? unapproved : held, ({ client }) => client);
  return oldest?.[0];
}

function largestGroup(all: readonly Held[], keyOf: (owner: StreamOwner) => unknown): readonly Held[] {
  const groups = new Map<unknown, Held[]>();
  for (const held of all) {
    const key = keyOf(held[1]);
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, [held]);
    } else {
      group.push(held);
    }
  }
  return [...groups.values()].reduce((one, other) => (other.length > one.length ? other : one), []);
}

interface Places {
  readonly hub: StreamHub;
  readonly directory: SessionDirectory;
}

type PlaceKind = 'sessions' | 'streams';

/** Says of what there is no place for a connection that is also a session, and so needs one of each. Nothing is ended. */
export function missingPlace({ hub, directory }: Places, credential: WireCredential): PlaceKind | undefined {
  if (!hub.mayMakeRoom(newcomer(credential))) {
    return 'streams';
  }
  return directory.mayMakeRoom(credential) ? undefined : 'sessions';
}

/** Makes room for a connection that is also a session, or ends nothing: nobody loses a place to a connection that is refused. */
export function takePlaces(places: Places, credential: WireCredential): PlaceKind | undefined {
  const missing = missingPlace(places, credential);
  if (missing === undefined) {
    places.hub.makeRoom(newcomer(credential));
    places.directory.makeRoom(credential);
  }
  return missing;
}

/** The refusal when all places are taken; it names the limit and what can be done about it. */
export function noPlace(kind: PlaceKind, limits: ServerLimits): HttpRefusal {
  const message = clientSentence(kind === 'sessions' ? 'server.sessionsInUse' : 'server.streamsInUse', { limit: limits[kind] });
  return { status: 429, retryAfterSeconds: 10, rpc: { code: rpcCode.internalError, message } };
}

/** The refusal for an unknown session; it is the same whether the session has ended, never existed or belongs to another client. */
export function noSession(transport: 'http' | 'sse'): HttpRefusal {
  const message = clientSentence(transport === 'sse' ? 'server.noSseSession' : 'server.noSession');
  return { status: 404, rpc: { code: rpcCode.invalidRequest, message } };
}

/** How many bytes a client may leave unread before it is disconnected. */
export const maxUnreadBytes = 8 * 1024 * 1024;

const sseHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** One open `text/event-stream` response. */
export class SseConnection implements HeldConnection {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse, headers: Readonly<Record<string, string>> = {}) {
    this.#response = response;
    response.writeHead(200, { ...sseHeaders, ...headers });
    response.flushHeaders();
  }

  get isOpen(): boolean {
    return !this.#response.writableEnded && !this.#response.destroyed;
  }

  message(text: string, id?: string): void {
    this.#write(id === undefined ? `event: message\ndata: ${text}\n\n` : `id: ${id}\nevent: message\ndata: ${text}\n\n`);
  }

  endpoint(url: string): void {
    this.#write(`event: endpoint\ndata: ${url}\n\n`);
  }

  /** Sends an event without content, which gives the client an id with which it can resume. */
  prime(id: string): void {
    this.#write(`id: ${id}\ndata: \n\n`);
  }

  keepAlive(): void {
    this.#write(': \n\n');
  }

  end(): void {
    this.#response.end();
  }

  /** Ends the stream; the client can come back with a new token and may resume. */
  expire(): void {
    this.giveWay();
  }

  giveWay(): void {
    this.end();
    if (this.#response.writableLength > 0) {
      this.#response.destroy(); // a client that does not read would keep it open
    }
  }

  onClose(listener: () => void): void {
    this.#response.once('close', listener);
  }

  #write(text: string): void {
    if (!this.isOpen) {
      return;
    }
    this.#response.write(text);
    if (this.#response.writableLength > maxUnreadBytes) {
      this.#response.destroy();
    }
  }
}
