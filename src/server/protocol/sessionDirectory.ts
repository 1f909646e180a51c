// protocol/: MCP itself, whatever carries it. Messages come in as parsed JSON and go out as text; legacy/ has the revisions
// with sessions, modern/ the one without, and both stand on the same rpc/, requests/, methods/, clients/ and tasks/.
// This file holds every client there is.
import { randomUUID } from 'node:crypto';
import type { Disposable } from '../../base/lifecycle.ts';
import type { ClientRegistry, ClientRegistration } from './clientRegistry.ts';
import { serverError } from '../errors/serverErrors.ts';
import { statelessKey } from '../access/credentials.ts';
import type { ModernClient } from './modern/modernClient.ts';
import { ModernDispatcher } from './modern/modernDispatcher.ts';
import { Session } from './legacy/session.ts';
import type { ClientObserver, ProtocolServices } from './clients/protocolServices.ts';
import type { Credential, TransportKind, WireCredential } from '../seen/viewer.ts';

export interface SessionRequest {
  readonly outlet: (text: string) => void;
  /** Whether the client holds a stream open: then it is not idle, however quiet. */
  readonly isConnected: () => boolean;
  readonly onClose: (sessionId: string) => void;
}

interface Entry {
  readonly session: Session | ModernClient;
  readonly isConnected: () => boolean;
  usedAt: number;
}

const maxSweepMs = 60_000;
/** Of one credential, that nobody has approved: a program needs no permission to open them. */
export const maxUnapprovedSessions = 32;

/** Opens sessions, counts them, and closes those nobody uses; clients that speak without one have their place here too. */
export class SessionDirectory implements Disposable {
  readonly #services: ProtocolServices;
  readonly #registry: ClientRegistry;
  readonly #entries = new Map<string, Entry>();
  readonly #stateless = new Map<string, ModernClient>();
  readonly #modern: ModernDispatcher;
  #isDisposed = false;
  #sweep: Disposable | undefined;

  constructor(services: ProtocolServices, registry: ClientRegistry) {
    this.#services = services;
    this.#registry = registry;
    this.#modern = new ModernDispatcher(services);
  }

  get #idleMs(): number {
    return this.#services.limits.idleSessionMinutes * 60_000;
  }

  /**
   * Whether one more may be opened. The oldest idle one that nobody has approved gives way to another such of its credential.
   * Where all places are taken, one of the credential that holds most gives way to one that holds less, and an idle one to
   * any newcomer that holds no more than its owner: only sessions in use keep others out.
   */
  makeRoom(credential: WireCredential): boolean {
    const place = this.#placeFor(credential);
    if (place !== undefined && place !== 'free') {
      place.session.dispose();
    }
    return place !== undefined;
  }

  /** Whether `makeRoom` would make some; ends nothing. */
  mayMakeRoom(credential: WireCredential): boolean {
    return this.#placeFor(credential) !== undefined;
  }

  #placeFor({ id }: WireCredential): Entry | 'free' | undefined {
    const heldBy = (credentialId: string): Entry[] =>
      [...this.#entries.values()].filter(({ session }) => session.credential.id === credentialId);
    const own = heldBy(id);
    const unapproved = own.filter(isUnapproved);
    if (unapproved.length >= maxUnapprovedSessions) {
      return firstToGiveWay(unapproved);
    }
    if (this.#entries.size < this.#services.limits.sessions) {
      return 'free';
    }
    const holders = [...new Set([...this.#entries.values()].map(({ session }) => session.credential.id))].map(heldBy);
    const most = holders.reduce((one, other) => (other.length > one.length ? other : one), own);
    const tooMany = most.length > own.length + 1 ? firstToGiveWay(most) : undefined;
    return (
      tooMany ??
      firstToGiveWay(own.filter(isIdle)) ??
      firstToGiveWay(
        holders
          .filter((held) => held.length > own.length)
          .flat()
          .filter(isIdle),
      )
    );
  }

  openForClient(credential: WireCredential, transport: Exclude<TransportKind, 'memory'>, request: SessionRequest): Session {
    return this.#open(credential, transport, request);
  }

  openForChat(request: SessionRequest): Session {
    return this.#open({ id: 'chat', kind: 'chat' }, 'memory', request);
  }

  /** A connection that speaks the revision without sessions; it is approved, and ends, like a session. */
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
   * The one client that all requests of a credential without a session or connection belong to; tokens of a credential that
   * were made for different roles never lend each other theirs. Never idle: it holds nothing.
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

  /** Ends the sessions of outside clients, or of one credential; the chat's link stays. */
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
      didReceive: (method: string) => {
        this.#touch(id);
        registration?.didCall(method);
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

  #touch(id: string): void {
    const entry = this.#entries.get(id);
    if (entry !== undefined) {
      entry.usedAt = this.#services.clock.now();
    }
  }

  #scheduleSweep(): Disposable {
    return this.#services.clock.schedule(Math.min(this.#idleMs / 4, maxSweepMs), () => {
      const now = this.#services.clock.now();
      for (const entry of [...this.#entries.values()]) {
        if (now - entry.usedAt >= this.#idleMs && isIdle(entry)) {
          entry.session.dispose();
        }
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
 * One that nobody has approved rather than one that somebody has, idle rather than waiting to be asked about, without a stream
 * rather than with one, unused for longest. What works for an approved client, or has its question open, stays.
 */
function firstToGiveWay(entries: readonly Entry[]): Entry | undefined {
  const rank = (entry: Entry): number => (isUnapproved(entry) ? 0 : 4) + (entry.session.isBusy ? 2 : 0) + (entry.isConnected() ? 1 : 0);
  return entries
    .filter((entry) => (isUnapproved(entry) ? !entry.session.hasOpenQuestion : !entry.session.isBusy))
    .sort((one, other) => rank(one) - rank(other) || one.usedAt - other.usedAt)
    .at(0);
}
