// protocol/: MCP itself, over any transport. Messages come in as parsed JSON and go out as text. legacy/ has the revisions with
// sessions, modern/ the one without; both stand on rpc/, requests/, methods/, clients/ and tasks/. This file knows all clients.
import { randomUUID } from 'node:crypto';
import type { ReceivedName } from './methods/methodDispatch.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { ClientRegistry, ClientRegistration } from './clientRegistry.ts';
import { serverError } from '../errors/serverErrors.ts';
import { statelessKey } from '../access/credentials.ts';
import { SpreadWork } from '../access/spreadWork.ts';
import type { ModernClient } from './modern/modernClient.ts';
import { ModernDispatcher } from './modern/modernDispatcher.ts';
import { Session } from './legacy/session.ts';
import type { ClientObserver, ProtocolServices } from './clients/protocolServices.ts';
import type { Credential, TransportKind, WireCredential } from '../seen/viewer.ts';

export interface SessionRequest {
  readonly outlet: (text: string) => void;
  /** Whether the client has an open stream; then it is not idle, even if it sends nothing. */
  readonly isConnected: () => boolean;
  readonly onClose: (sessionId: string) => void;
}

interface Entry {
  readonly session: Session | ModernClient;
  readonly isConnected: () => boolean;
  usedAt: number;
}

/** The longest time between two searches for idle sessions. */
const maxSweepMs = 60_000;
/** The most sessions of one credential that nobody has approved: a program needs no permission to open them. */
export const maxUnapprovedSessions = 32;

/** Opens sessions, limits their number and closes unused ones. It also keeps the clients that have no session. */
export class SessionDirectory implements Disposable {
  readonly #services: ProtocolServices;
  readonly #registry: ClientRegistry;
  readonly #entries = new Map<string, Entry>();
  readonly #stateless = new Map<string, ModernClient>();
  readonly #modern: ModernDispatcher;
  #isDisposed = false;
  #sweep: Disposable | undefined;
  readonly #ending = new SpreadWork();

  constructor(services: ProtocolServices, registry: ClientRegistry) {
    this.#services = services;
    this.#registry = registry;
    this.#modern = new ModernDispatcher(services);
  }

  get #idleMs(): number {
    return this.#services.limits.idleSessionMinutes * 60_000;
  }

  /**
   * Makes room for one more session and returns whether there is room. If a credential has too many unapproved sessions, one of
   * them gives way. If all places are taken, one of the credential with the most sessions gives way to a credential with fewer, and
   * an idle one gives way to any newcomer with no more sessions than its owner: only sessions in use keep others out.
   */
  makeRoom(credential: WireCredential): boolean {
    const place = this.#placeFor(credential);
    if (place !== undefined && place !== 'free') {
      place.session.dispose();
    }
    return place !== undefined;
  }

  /** Whether `makeRoom` would succeed; nothing is ended. */
  mayMakeRoom(credential: WireCredential): boolean {
    return this.#placeFor(credential) !== undefined;
  }

  #placeFor({ id }: WireCredential): Entry | 'free' | undefined {
    const own = [...this.#entries.values()].filter(({ session }) => session.credential.id === id);
    const unapproved = own.filter(isUnapproved);
    if (unapproved.length >= maxUnapprovedSessions) {
      return firstToGiveWay(unapproved);
    }
    if (this.#entries.size < this.#services.limits.sessions) {
      return 'free';
    }
    const holders = [...this.#byCredential().values()];
    const most = holders.reduce((one, other) => (other.length > one.length ? other : one), own);
    const tooMany = most.length > own.length + 1 ? firstToGiveWay(most) : undefined;
    return (
      tooMany ??
      firstToGiveWay(own.filter(isIdle)) ??
      firstToGiveWay(
        holders
          .filter((each) => each.length > own.length)
          .flat()
          .filter(isIdle),
      )
    );
  }

  /** Groups the sessions by credential, in one pass and only when all places are taken: many clients may come at once. */
  #byCredential(): ReadonlyMap<string, readonly Entry[]> {
    const held = new Map<string, Entry[]>();
    for (const entry of this.#entries.values()) {
      const { id } = entry.session.credential;
      const known = held.get(id);
      if (known === undefined) {
        held.set(id, [entry]);
      } else {
        known.push(entry);
      }
    }
    return held;
  }

  openForClient(credential: WireCredential, transport: Exclude<TransportKind, 'memory'>, request: SessionRequest): Session {
    return this.#open(credential, transport, request);
  }

  openForChat(request: SessionRequest): Session {
    return this.#open({ id: 'chat', kind: 'chat' }, 'memory', request);
  }

  /** Opens a connection that speaks the revision without sessions; it is approved and ends like a session. */
  openModern(
    credential: WireCredential,
    transport: Exclude<TransportKind, 'memory'>,
    { isConnected, onClose }: Omit<SessionRequest, 'outlet'>,
  ): ModernClient {
    const id = randomUUID();
    const { observer, register } = this.#watch(id, onClose);
    const client = this.#modern.open({ id, credential, transport, isConnection: true, observer });
    this.#keep(client, isConnected);
    register(client);
    return client;
  }

  /**
   * Returns the one client to which all stateless requests of a credential belong. Tokens with different roles have different
   * clients, so that they never lend each other their roles. It is never idle, because it holds nothing.
   */
  stateless(credential: WireCredential): ModernClient {
    const key = statelessKey(credential);
    const known = this.#stateless.get(key);
    if (known !== undefined) {
      return known;
    }
    const id = randomUUID();
    const { observer, register } = this.#watch(id, () => this.#stateless.delete(key));
    const client = this.#modern.open({ id, credential, transport: 'http', isConnection: false, observer });
    this.#stateless.set(key, client);
    register(client);
    return client;
  }

  /** Ends the sessions of all outside clients, or of one credential; the chat's link stays. */
  closeClients(credentialId?: string): void {
    const stateless = [...this.#stateless.values()].map((session) => ({ session }));
    for (const { session } of [...this.#entries.values(), ...stateless]) {
      const { credential } = session;
      if (credential.kind !== 'chat' && (credentialId === undefined || credential.id === credentialId)) {
        session.dispose();
      }
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#sweep?.dispose();
    for (const session of [...[...this.#entries.values()].map((entry) => entry.session), ...this.#stateless.values()]) {
      session.dispose();
    }
  }

  #open(credential: Credential, transport: TransportKind, { outlet, isConnected, onClose }: SessionRequest): Session {
    if (this.#isDisposed) {
      throw serverError('server.stopped');
    }
    const id = randomUUID();
    const { observer, register } = this.#watch(id, onClose);
    const session = new Session(this.#services, { id, credential, transport, outlet, observer });
    this.#keep(session, isConnected);
    if (credential.kind !== 'chat') {
      register(session);
    }
    return session;
  }

  #watch(
    id: string,
    onClose: (sessionId: string) => void,
  ): { readonly observer: ClientObserver; readonly register: (client: Session | ModernClient) => void } {
    let registration: ClientRegistration | undefined;
    const observer = {
      didChange: () => registration?.didChange(),
      didReceive: (received: ReceivedName) => {
        this.touch(id);
        registration?.didCall(received);
      },
      didClose: () => {
        this.#entries.delete(id);
        registration?.dispose();
        onClose(id);
      },
    };
    const register = (client: Session | ModernClient): void => {
      registration = this.#registry.add(client, () => client.dispose());
    };
    return { observer, register };
  }

  #keep(session: Session | ModernClient, isConnected: () => boolean): void {
    this.#entries.set(session.id, { session, isConnected, usedAt: this.#services.clock.now() });
    this.#sweep ??= this.#scheduleSweep();
  }

  /** Notes that a session is used; one that is unused for long ends. */
  touch(id: string): void {
    const entry = this.#entries.get(id);
    if (entry !== undefined) {
      entry.usedAt = this.#services.clock.now();
    }
  }

  #isUnused(entry: Entry): boolean {
    return this.#services.clock.now() - entry.usedAt >= this.#idleMs && isIdle(entry);
  }

  #scheduleSweep(): Disposable {
    return this.#services.clock.schedule(Math.min(this.#idleMs / 4, maxSweepMs), () => {
      const all = [...this.#entries.values()];
      for (const entry of all.filter((each) => !isIdle(each))) {
        entry.usedAt = this.#services.clock.now(); // what counts is the end of its last stream or call
      }
      for (const entry of all.filter((each) => this.#isUnused(each))) {
        // It may be used again before its turn comes.
        this.#ending.run(() => (this.#isUnused(entry) ? entry.session.dispose() : undefined));
      }
      this.#sweep = this.#entries.size > 0 && !this.#isDisposed ? this.#scheduleSweep() : undefined;
    });
  }
}

function isIdle({ session, isConnected }: Entry): boolean {
  return !session.isBusy && !isConnected();
}

function isUnapproved({ session }: Entry): boolean {
  return session.approvalState.kind !== 'allowed';
}

/**
 * Chooses the session that gives way: an unapproved one before an approved one, an idle one before a busy one, one without a stream
 * before one with a stream, and then the longest unused. An approved session that is busy, and one whose question is open, never
 * give way.
 */
function firstToGiveWay(entries: readonly Entry[]): Entry | undefined {
  const rank = (entry: Entry): number => (isUnapproved(entry) ? 0 : 4) + (entry.session.isBusy ? 2 : 0) + (entry.isConnected() ? 1 : 0);
  return entries
    .filter((entry) => (isUnapproved(entry) ? !entry.session.hasOpenQuestion : !entry.session.isBusy))
    .sort((one, other) => rank(one) - rank(other) || one.usedAt - other.usedAt)
    .at(0);
}
