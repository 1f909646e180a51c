import type { Clock } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/events.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Role } from '../../contract/questions/rolesAndClaims.ts';
import type { ApprovalState } from '../access/connectApproval.ts';
import type { ReceivedName } from './methods/methodDispatch.ts';
import type { Credential, TransportKind } from '../seen/viewer.ts';

/** One connected client, as the person sees it. `callsItself` is the client's own claim. */
export interface ClientEntry {
  /** The id of the session or connection; for stateless requests an id that clients cannot use. */
  readonly sessionId: string;
  readonly isStateless: boolean;
  readonly credentialId: string;
  readonly credentialKind: Credential['kind'];
  /** What the person knows the credential by. */
  readonly label: string | undefined;
  readonly callsItself: string;
  readonly transport: TransportKind;
  /** When it connected, in milliseconds since 1970, like `lastCall.at`. */
  readonly since: number;
  readonly lastCall: { readonly name: string; readonly at: number } | undefined;
  readonly calls: number;
  /** The offered servers that it used, with the number of its calls and the last of them; left out when there are none. */
  readonly servers?: readonly UsedServer[] | undefined;
  readonly callsPerMinute: number;
  readonly approval: ApprovalState['kind'];
  readonly role: Role | undefined;
}

export interface UsedServer {
  readonly server: string;
  readonly calls: number;
  readonly last: string;
}

/** What the registry needs of a session. */
export interface RegisteredClient {
  readonly id: string;
  readonly credential: Credential;
  readonly transport: TransportKind;
  readonly callsItself: string;
  readonly approvalState: ApprovalState;
  /** Whether it represents all stateless requests of a credential. */
  readonly isStateless?: boolean | undefined;
}

export interface ClientRegistration extends Disposable {
  didChange(): void;
  didCall(received: ReceivedName): void;
}

interface Row {
  readonly client: RegisteredClient;
  readonly since: number;
  readonly disconnect: () => void;
  readonly rate: CallRate;
  calls: number;
  lastName: string;
  lastAt: number;
  readonly servers: Map<string, UsedServer>;
}

/** The most servers that are counted for one client. */
const maxServers = 100;
/** How often the registry fires after the calls have stopped, until their rate is zero. */
const slowRefreshMs = 15_000;

/** Knows all connected clients, for the view `duplex.clients`. */
export class ClientRegistry implements Disposable {
  readonly #rows = new Map<string, Row>();
  readonly #emitter = new Emitter<void>();
  readonly #clock: Clock;
  readonly #refreshMs: number;
  #refresh: Disposable | undefined;
  #isHurrying = false;

  constructor(clock: Clock, refreshMs: number) {
    this.#clock = clock;
    this.#refreshMs = refreshMs;
  }

  /** Fires at once when a client connects, disconnects or is answered, and now and then while it only makes calls. */
  get onDidChange(): Event<void> {
    return this.#emitter.event;
  }

  snapshot(): readonly ClientEntry[] {
    const now = this.#clock.now();
    return [...this.#rows.values()].map((row) => toEntry(row, now));
  }

  /** Disconnects clients whose approval was taken back: one session, or all connections that share the approval of a credential. */
  endRevoked({ credentialId, sessionId }: { readonly credentialId: string; readonly sessionId: string | undefined }): void {
    for (const { client, disconnect } of [...this.#rows.values()]) {
      const sharesApproval = client.credential.kind !== 'windowToken' || client.isStateless === true;
      if (sessionId === undefined ? client.credential.id === credentialId && sharesApproval : client.id === sessionId) {
        disconnect();
      }
    }
  }

  add(client: RegisteredClient, disconnect: () => void): ClientRegistration {
    const rate = new CallRate();
    const row: Row = { client, since: Date.now(), disconnect, rate, calls: 0, lastName: '', lastAt: 0, servers: new Map() };
    this.#rows.set(client.id, row);
    this.#emitter.fire();
    return {
      didChange: () => this.#emitter.fire(),
      didCall: ({ name, server }) => {
        row.calls += 1;
        if (server !== undefined && (row.servers.has(server) || row.servers.size < maxServers)) {
          row.servers.set(server, { server, calls: (row.servers.get(server)?.calls ?? 0) + 1, last: name });
        }
        row.lastName = name;
        row.lastAt = Date.now();
        rate.count(this.#clock.now());
        this.#hurry();
      },
      dispose: () => {
        if (this.#rows.delete(client.id)) {
          this.#emitter.fire();
        }
      },
    };
  }

  /** Fires soon after a call, and then now and then until the rate of calls is zero again. */
  #hurry(): void {
    if (!this.#isHurrying) {
      this.#isHurrying = true;
      this.#refreshIn(this.#refreshMs);
    }
  }

  #refreshIn(delayMs: number): void {
    this.#refresh?.dispose();
    this.#refresh = this.#clock.schedule(delayMs, () => {
      this.#refresh = undefined;
      this.#isHurrying = false;
      if (this.snapshot().some(({ callsPerMinute }) => callsPerMinute > 0)) {
        this.#refreshIn(Math.max(slowRefreshMs, this.#refreshMs));
      }
      this.#emitter.fire();
    });
  }

  dispose(): void {
    this.#refresh?.dispose();
    this.#emitter.dispose();
  }
}

function toEntry({ client, since, rate, calls, lastName, lastAt, servers }: Row, now: number): ClientEntry {
  const { approvalState, credential } = client;
  return {
    sessionId: client.id,
    isStateless: client.isStateless ?? false,
    credentialId: credential.id,
    credentialKind: credential.kind,
    label: credential.kind === 'chat' ? undefined : credential.label,
    callsItself: client.callsItself,
    transport: client.transport,
    since,
    lastCall: calls === 0 ? undefined : { name: lastName, at: lastAt },
    calls,
    ...(servers.size > 0 && { servers: [...servers.values()] }),
    callsPerMinute: rate.perMinute(now),
    approval: approvalState.kind,
    role: approvalState.kind === 'allowed' ? approvalState.role : undefined,
  };
}

/** The precision with which calls are counted. */
const bucketMs = 5_000;
const bucketsPerMinute = 12;

/** Counts the calls of the last minute, with a precision of five seconds. It keeps counts only, no calls. */
class CallRate {
  readonly #counts = new Array<number>(bucketsPerMinute).fill(0);
  #newest = 0;

  count(now: number): void {
    this.#moveTo(now);
    const slot = this.#newest % bucketsPerMinute;
    this.#counts[slot] = (this.#counts[slot] ?? 0) + 1;
  }

  perMinute(now: number): number {
    this.#moveTo(now);
    return this.#counts.reduce((sum, count) => sum + count, 0);
  }

  #moveTo(now: number): void {
    const bucket = Math.floor(now / bucketMs);
    for (let next = Math.max(this.#newest + 1, bucket - bucketsPerMinute + 1); next <= bucket; next += 1) {
      this.#counts[next % bucketsPerMinute] = 0;
    }
    this.#newest = Math.max(this.#newest, bucket);
  }
}
