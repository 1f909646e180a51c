import type { ServerResponse } from 'node:http';
import type { Clock } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import type { ApprovalState } from '../../access/connectApproval.ts';
import type { CredentialStore } from '../../access/credentials.ts';
import type { ServerLimits } from '../../access/limits.ts';
import { clientSentence } from '../../errors/serverErrors.ts';
import { rpcCode } from '../../protocol/rpc/rpc.ts';
import type { SessionDirectory } from '../../protocol/sessionDirectory.ts';
import type { WireCredential } from '../../seen/viewer.ts';
import type { Refusal } from '../http/answers.ts';

/** A long-lived connection of any kind. */
export interface HeldConnection {
  keepAlive(): void;
  end(): void;
  /** Its token's time is over. */
  expire(): void;
  /** Another one needs its place. */
  giveWay(): void;
}

/** Whose a connection is. */
export interface StreamOwner {
  readonly credential: WireCredential;
  /** The session, the socket, or all requests without one: what may be one program. */
  readonly client: object;
  readonly isApproved: () => boolean;
}

/** Of one credential, that nobody has approved: a program needs no permission to open them. */
export const maxUnapprovedStreams = 64;

export function ownerOf(client: { readonly approvalState: ApprovalState }, credential: WireCredential): StreamOwner {
  return { credential, client, isApproved: () => client.approvalState.kind === 'allowed' };
}

/** For what has no session yet. */
function newcomer(credential: WireCredential): StreamOwner {
  return { credential, client: {}, isApproved: () => false };
}

/**
 * All open streams and sockets of the listener, kept alive by one timer, and open no longer than their tokens are valid. They
 * are bounded in all, and so that none takes another's place: what was approved goes before what was not, and who has less
 * before who has more.
 */
export class StreamHub implements Disposable {
  readonly #limit: number;
  readonly #clock: Clock;
  readonly #interval: number;
  readonly #credentials: CredentialStore;
  readonly #open = new Map<HeldConnection, StreamOwner>();
  readonly #lapses: Disposable;
  #timer: Disposable | undefined;

  constructor(limit: number, clock: Clock, keepAliveMs: number, credentials: CredentialStore) {
    this.#limit = limit;
    this.#clock = clock;
    this.#interval = keepAliveMs;
    this.#credentials = credentials;
    this.#lapses = credentials.onDidLapse(() => this.#expire());
  }

  /** Whether there is a place without taking anybody's. */
  hasRoom(owner: StreamOwner): boolean {
    return this.#open.size < this.#limit && !this.#isAtItsAllowance(owner);
  }

  /** Whether one more may be opened; another one may have to give way to it. */
  makeRoom(owner: StreamOwner): boolean {
    const place = this.#placeFor(owner);
    if (place !== undefined && place !== 'free') {
      this.#open.delete(place);
      place.giveWay();
    }
    return place !== undefined;
  }

  /** Whether `makeRoom` would make some; ends nothing. */
  mayMakeRoom(owner: StreamOwner): boolean {
    return this.#placeFor(owner) !== undefined;
  }

  open(response: ServerResponse, owner: StreamOwner, headers?: Readonly<Record<string, string>>): SseConnection {
    const connection = new SseConnection(response, headers);
    connection.onClose(this.hold(connection, owner));
    return connection;
  }

  /** Returns what lets go of it. */
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
    return [...this.#open].filter(([, { credential, isApproved }]) => credential.id === id && !isApproved());
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
      // The timers of tokens stand still while the machine sleeps.
      this.#expire();
      for (const connection of this.#open.keys()) {
        connection.keepAlive();
      }
      this.#timer = this.#open.size > 0 ? this.#schedule() : undefined;
    });
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

/** The oldest of the client that has most of them, one that nobody has approved if there is any. */
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

/** Of which kind a connection that is a session of its own finds no place: it takes one of each. Ends nothing. */
export function missingPlace({ hub, directory }: Places, credential: WireCredential): PlaceKind | undefined {
  if (!hub.mayMakeRoom(newcomer(credential))) {
    return 'streams';
  }
  return directory.mayMakeRoom(credential) ? undefined : 'sessions';
}

/** Makes room for one, or ends nothing at all: nobody loses a place to a connection that is refused. */
export function takePlaces(places: Places, credential: WireCredential): PlaceKind | undefined {
  const missing = missingPlace(places, credential);
  if (missing === undefined) {
    places.hub.makeRoom(newcomer(credential));
    places.directory.makeRoom(credential);
  }
  return missing;
}

/** Says which limit it is, and what can be done about it. */
export function noPlace(kind: PlaceKind, limits: ServerLimits): Refusal {
  const message = clientSentence(kind === 'sessions' ? 'server.sessionsInUse' : 'server.streamsInUse', { limit: limits[kind] });
  return { status: 429, retryAfterSeconds: 10, rpc: { code: rpcCode.internalError, message } };
}

/** The same for a session that ended, one that never was and one of another client. */
export function noSession(transport: 'http' | 'sse'): Refusal {
  const message = clientSentence(transport === 'sse' ? 'server.noSseSession' : 'server.noSession');
  return { status: 404, rpc: { code: rpcCode.invalidRequest, message } };
}

/** What a reader may leave unread before it is cut off. */
export const maxUnreadBytes = 8 * 1024 * 1024;

const sseHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** One open `text/event-stream` answer. */
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

  /** An event without content: it gives the client an id to come back with. */
  prime(id: string): void {
    this.#write(`id: ${id}\ndata: \n\n`);
  }

  keepAlive(): void {
    this.#write(': \n\n');
  }

  end(): void {
    this.#response.end();
  }

  /** A client comes back with a new token, and where the stream allows it, to where it was. */
  expire(): void {
    this.giveWay();
  }

  giveWay(): void {
    this.end();
    if (this.#response.writableLength > 0) {
      this.#response.destroy(); // who does not read would keep it
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
