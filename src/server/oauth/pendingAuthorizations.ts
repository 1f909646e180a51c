import { randomInt } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { isAbort, isAppError } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import { newSecret } from '../../platform/randomSecrets.ts';
import type { ClientApproval, ConnectAnswer } from '../access/clientApproval.ts';
import { rolesUpTo } from '../access/roles.ts';
import { asToldToClients } from '../errors/serverErrors.ts';
import { type AuthorizationRequest, errorLocation } from './authorizationRequest.ts';
import { type Registrations, withoutLoopbackPort } from './registrations.ts';
import type { SignInPause } from './signInPause.ts';

/** A question to the person, with the browser page that waits for its answer. */
export interface Visit {
  readonly id: string;
  readonly pairingCode: string;
  readonly request: AuthorizationRequest;
  /** Where the browser goes next; `undefined` until the person has answered. */
  readonly location: string | undefined;
}

interface OpenVisit extends Visit {
  location: string | undefined;
  readonly withdraw: AbortController;
  readonly wakes: Set<() => void>;
  watching: number;
  abandoned: Disposable | undefined;
}

interface Denials {
  readonly count: number;
  readonly at: number;
}

export interface PendingAuthorizationsOptions {
  readonly approval: Pick<ClientApproval, 'ask'>;
  readonly registrations: Registrations;
  readonly pause: SignInPause;
  readonly clock: Clock;
  readonly now: () => number;
  readonly log: Log;
  /** Makes the code after the person has allowed it, and returns where the browser goes with it. */
  readonly accept: (request: AuthorizationRequest, answer: ConnectAnswer & { kind: 'allowed' }) => string;
}

/** How long after the page was closed its question is withdrawn, in ms. */
const abandonedMs = 30_000;
/** How long a request of the page is held open to wait for the answer, in ms. */
const holdMs = 20_000;
/** After this many denials a client is locked out for `lockMs`. */
const maxDenials = 2;
/** How long a client is locked out after too many denials. */
const lockMs = 10 * 60_000;
/** The most clients whose denials are remembered. */
const maxRemembered = 500;

/** Asks the person about sign-ins, one client at a time. */
export class PendingAuthorizations implements Disposable {
  readonly #options: PendingAuthorizationsOptions;
  readonly #visits = new Map<string, OpenVisit>();
  readonly #denials = new Map<string, Denials>();
  #asking: OpenVisit | undefined;

  constructor(options: PendingAuthorizationsOptions) {
    this.#options = options;
  }

  begin(request: AuthorizationRequest): Visit | 'busy' | 'locked' | 'paused' {
    if (this.#isLocked(request)) {
      return 'locked';
    }
    if (isNew(request) && this.#options.pause.remainingMs > 0) {
      return 'paused';
    }
    if (this.#asking !== undefined) {
      return 'busy';
    }
    const visit: OpenVisit = {
      id: newSecret(16),
      pairingCode: newPairingCode(),
      request,
      location: undefined,
      withdraw: new AbortController(),
      wakes: new Set(),
      watching: 0,
      abandoned: undefined,
    };
    this.#visits.set(visit.id, visit);
    this.#asking = visit;
    this.#watchForAbandonment(visit);
    void this.#ask(visit);
    return visit;
  }

  /** Resolves with the visit when it is answered, or after a while in any case; `undefined` if there is no such visit any more. */
  async wait(visitId: string, signal: AbortSignal): Promise<Visit | undefined> {
    const visit = this.#visits.get(visitId);
    if (visit === undefined) {
      return undefined;
    }
    visit.watching += 1;
    visit.abandoned?.dispose();
    if (visit.location === undefined) {
      await this.#hold(visit, signal);
    }
    visit.watching -= 1;
    if (visit.location !== undefined && !signal.aborted) {
      this.#end(visit); // a code is handed out only once
    } else if (visit.watching === 0) {
      this.#watchForAbandonment(visit);
    }
    return visit;
  }

  dispose(): void {
    for (const visit of [...this.#visits.values()]) {
      this.#end(visit);
    }
  }

  async #ask(visit: OpenVisit): Promise<void> {
    const { approval, registrations, accept, pause, log } = this.#options;
    const { request, pairingCode, withdraw } = visit;
    const { clientId, name } = request.registration;
    const release = registrations.hold(clientId);
    const offered = rolesUpTo(request.scopes);
    try {
      const answer = await approval.ask(
        {
          credentialId: clientId,
          credentialKind: 'oauth',
          sessionId: undefined,
          callsItself: name,
          transport: request.resource?.endsWith('/sse') ? 'sse' : 'http',
          pairingCode,
          roles: offered.length === 0 ? ['reader'] : offered,
        },
        withdraw.signal,
      );
      if (withdraw.signal.aborted) {
        return;
      }
      if (answer.kind === 'allowed') {
        this.#denials.delete(clientId);
        pause.allowed();
        visit.location = accept(request, answer);
      } else {
        this.#deny(visit);
      }
    } catch (error) {
      if (!withdraw.signal.aborted && !isAbort(error)) {
        log.error('The question about an OAuth client failed.', error);
        visit.location = errorLocation(request, 'temporarily_unavailable', sentenceFor(error));
      } else {
        this.#countRefusal(visit);
        visit.location = errorLocation(request, 'temporarily_unavailable', 'the question was withdrawn');
      }
    } finally {
      release();
      this.#settle(visit);
    }
  }

  #countRefusal({ request }: OpenVisit): void {
    if (isNew(request)) {
      this.#options.pause.refused();
    }
  }

  #deny(visit: OpenVisit): void {
    this.#countRefusal(visit);
    for (const key of denialKeys(visit.request)) {
      const earlier = this.#denials.get(key);
      this.#denials.set(key, { count: (earlier?.count ?? 0) + 1, at: this.#options.now() });
    }
    for (const key of [...this.#denials.keys()].slice(0, -maxRemembered)) {
      this.#denials.delete(key);
    }
    visit.location = errorLocation(visit.request, 'access_denied', 'denied by the person in VS Code');
  }

  #isLocked(request: AuthorizationRequest): boolean {
    return denialKeys(request).some((key) => {
      const denials = this.#denials.get(key);
      if (denials === undefined || denials.count < maxDenials) {
        return false;
      }
      const isOver = this.#options.now() - denials.at >= lockMs;
      if (isOver) {
        this.#denials.delete(key);
      }
      return !isOver;
    });
  }

  #hold(visit: OpenVisit, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        visit.wakes.delete(wake);
        timer.dispose();
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const timer = this.#options.clock.schedule(holdMs, wake);
      visit.wakes.add(wake);
      signal.addEventListener('abort', wake);
    });
  }

  #settle(visit: OpenVisit): void {
    if (this.#asking === visit) {
      this.#asking = undefined;
    }
    for (const wake of [...visit.wakes]) {
      wake();
    }
  }

  #watchForAbandonment(visit: OpenVisit): void {
    visit.abandoned?.dispose();
    visit.abandoned = this.#options.clock.schedule(abandonedMs, () => this.#end(visit));
  }

  #end(visit: OpenVisit): void {
    this.#visits.delete(visit.id);
    visit.abandoned?.dispose();
    visit.withdraw.abort();
    this.#settle(visit);
  }
}

/** Whether the person has never approved the program. */
function isNew({ registration: { usedAt } }: AuthorizationRequest): boolean {
  return usedAt === undefined;
}

/** Why a question came to nothing, for the program that waits for it. */
function sentenceFor(error: unknown): string {
  const told = asToldToClients(error);
  return isAppError(told) ? told.message : 'the question failed';
}

/** Denials count by registration, and by name and return addresses: a denied program could register again. */
function denialKeys({ registration: { clientId, name, redirectUris } }: AuthorizationRequest): readonly string[] {
  return [clientId, JSON.stringify([name, ...redirectUris.map(withoutLoopbackPort)])];
}

/** The letters of pairing codes: no vowels, and none that look alike, because a person compares the code on two screens. */
const pairingAlphabet = 'BCDFGHJKLMNPQRSTVWXZ23456789';

function newPairingCode(): string {
  const letters = Array.from({ length: 8 }, () => pairingAlphabet.charAt(randomInt(pairingAlphabet.length))).join('');
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}
