import { randomUUID } from 'node:crypto';
import { AppError } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { ClientRegistry, Registration } from '../clientRegistry.ts';
import type { Credential, WireCredential } from '../credentials.ts';
import type { TransportKind } from '../catalog/callContext.ts';
import type { Session, SessionServices } from './session.ts';

export interface SessionRequest {
  readonly outlet: (text: string) => void;
  /** Whether the client holds a stream open: then it is not idle, however quiet. */
  readonly isConnected: () => boolean;
  readonly onClose: (sessionId: string) => void;
}

interface Entry {
  readonly session: Session;
  readonly isConnected: () => boolean;
  usedAt: number;
}

const longestSweepMs = 60_000;

/** Opens sessions, counts them, and closes those nobody uses. The SDK is loaded with the first one. */
export class SessionDirectory implements Disposable {
  readonly #services: SessionServices;
  readonly #registry: ClientRegistry;
  readonly #entries = new Map<string, Entry>();
  readonly #idleMs: number;
  #opening = 0;
  #isDisposed = false;
  #sweep: Disposable | undefined;

  constructor(services: SessionServices, registry: ClientRegistry) {
    this.#services = services;
    this.#registry = registry;
    this.#idleMs = services.limits.idleSessionMinutes * 60_000;
  }

  get isFull(): boolean {
    return this.#entries.size + this.#opening >= this.#services.limits.sessions;
  }

  openForClient(credential: WireCredential, transport: Exclude<TransportKind, 'memory'>, request: SessionRequest): Promise<Session> {
    return this.#open(credential, transport, request);
  }

  openForChat(request: SessionRequest): Promise<Session> {
    return this.#open({ id: 'chat', kind: 'chat' }, 'memory', request);
  }

  /** Ends the sessions of outside clients, or of one credential; the chat's link stays. */
  closeClients(credentialId?: string): void {
    for (const { session } of [...this.#entries.values()]) {
      const { credential } = session;
      if (credential.kind !== 'chat' && (credentialId === undefined || credential.id === credentialId)) {
        session.dispose();
      }
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#sweep?.dispose();
    for (const { session } of [...this.#entries.values()]) {
      session.dispose();
    }
  }

  async #open(credential: Credential, transport: TransportKind, { outlet, isConnected, onClose }: SessionRequest): Promise<Session> {
    const id = randomUUID();
    let registration: Registration | undefined;
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
    this.#opening += 1;
    try {
      const { Session } = await import('./session.ts');
      const session = await Session.open(this.#services, { id, credential, transport, outlet, observer });
      if (this.#isDisposed) {
        session.dispose();
        throw new AppError('server.stopped', 'The server has stopped.');
      }
      this.#entries.set(id, { session, isConnected, usedAt: this.#services.clock.now() });
      if (credential.kind !== 'chat') {
        registration = this.#registry.add(session, () => session.dispose());
      }
      this.#sweep ??= this.#scheduleSweep();
      return session;
    } finally {
      this.#opening -= 1;
    }
  }

  #touch(id: string): void {
    const entry = this.#entries.get(id);
    if (entry !== undefined) {
      entry.usedAt = this.#services.clock.now();
    }
  }

  #scheduleSweep(): Disposable {
    return this.#services.clock.schedule(Math.min(this.#idleMs / 4, longestSweepMs), () => {
      const now = this.#services.clock.now();
      for (const { session, isConnected, usedAt } of [...this.#entries.values()]) {
        if (now - usedAt >= this.#idleMs && !session.isBusy && !isConnected()) {
          session.dispose();
        }
      }
      this.#sweep = this.#entries.size > 0 && !this.#isDisposed ? this.#scheduleSweep() : undefined;
    });
  }
}
