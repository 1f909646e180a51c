import { Emitter, type Event } from '../base/events.ts';
import type { Disposable } from '../base/lifecycle.ts';
import type { Role } from '../contract/questions.ts';
import type { Clock } from './clock.ts';
import type { Credential } from './credentials.ts';
import type { ApprovalState } from './access/connectApproval.ts';
import type { TransportKind } from './catalog/callContext.ts';

/** One connected client as a person may see it. `callsItself` is the client's own claim. */
export interface ClientEntry {
  readonly sessionId: string;
  readonly credentialId: string;
  readonly credentialKind: Credential['kind'];
  readonly callsItself: string;
  readonly transport: TransportKind;
  /** Milliseconds since 1970, like `lastCall.at`. */
  readonly since: number;
  readonly lastCall: { readonly name: string; readonly at: number } | undefined;
  readonly calls: number;
  readonly approval: ApprovalState['kind'];
  readonly role: Role | undefined;
}

/** What the registry reads off a session. */
export interface RegisteredClient {
  readonly id: string;
  readonly credential: Credential;
  readonly transport: TransportKind;
  readonly callsItself: string;
  readonly approvalState: ApprovalState;
}

export interface Registration extends Disposable {
  didChange(): void;
  didCall(name: string): void;
}

interface Row {
  readonly client: RegisteredClient;
  readonly since: number;
  readonly disconnect: () => void;
  calls: number;
  lastName: string;
  lastAt: number;
}

/** Who is connected, for `duplex.clients`. */
export class ClientRegistry implements Disposable {
  readonly #rows = new Map<string, Row>();
  readonly #emitter = new Emitter<void>();
  readonly #clock: Clock;
  readonly #refreshMs: number;
  #refresh: Disposable | undefined;

  constructor(clock: Clock, refreshMs: number) {
    this.#clock = clock;
    this.#refreshMs = refreshMs;
  }

  /** At once when a client comes, goes or is answered; now and then while it only calls. */
  get onDidChange(): Event<void> {
    return this.#emitter.event;
  }

  snapshot(): readonly ClientEntry[] {
    return [...this.#rows.values()].map(toEntry);
  }

  /** Ends a session; the client has to connect, and be asked about, anew. */
  revoke(sessionId: string): boolean {
    const row = this.#rows.get(sessionId);
    row?.disconnect();
    return row !== undefined;
  }

  add(client: RegisteredClient, disconnect: () => void): Registration {
    const row: Row = { client, since: Date.now(), disconnect, calls: 0, lastName: '', lastAt: 0 };
    this.#rows.set(client.id, row);
    this.#emitter.fire();
    return {
      didChange: () => this.#emitter.fire(),
      didCall: (name) => {
        row.calls += 1;
        row.lastName = name;
        row.lastAt = Date.now();
        this.#refresh ??= this.#clock.schedule(this.#refreshMs, () => {
          this.#refresh = undefined;
          this.#emitter.fire();
        });
      },
      dispose: () => {
        if (this.#rows.delete(client.id)) {
          this.#emitter.fire();
        }
      },
    };
  }

  dispose(): void {
    this.#refresh?.dispose();
    this.#emitter.dispose();
  }
}

function toEntry({ client, since, calls, lastName, lastAt }: Row): ClientEntry {
  const { approvalState } = client;
  return {
    sessionId: client.id,
    credentialId: client.credential.id,
    credentialKind: client.credential.kind,
    callsItself: client.callsItself,
    transport: client.transport,
    since,
    lastCall: calls === 0 ? undefined : { name: lastName, at: lastAt },
    calls,
    approval: approvalState.kind,
    role: approvalState.kind === 'allowed' ? approvalState.role : undefined,
  };
}
