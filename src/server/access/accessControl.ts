// access/: who may do what. Credentials say who a client is; the person's answers, the role they gave and their policy say
// what it may do; limits say how much of it. This file keeps the approvals; clientAccess.ts decides about one request.
import { Emitter, type Event } from '../../base/events.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import type { Clock } from '../../base/clock.ts';
import { statelessKey } from './credentials.ts';
import { RateLimiter, type ServerTimings } from './limits.ts';
import type { ClientApproval, ConnectAnswer, ConnectingClient } from './clientApproval.ts';
import { ClientAccess, type ClientAccessOptions } from './clientAccess.ts';
import { ConnectApproval, type ApprovalState } from './connectApproval.ts';
import { ConnectQueue } from './connectQueue.ts';
import type { AccessPolicy } from './policy.ts';
import type { Viewer } from '../seen/viewer.ts';

export interface AccessControlOptions {
  readonly approval: ClientApproval;
  readonly policy: AccessPolicy;
  readonly didReview?: ClientAccessOptions['didReview'];
  /** The most calls of acting tools per second, for each credential. */
  readonly actingPerSecond: number | (() => number);
  readonly clock: Clock;
  readonly timings: ServerTimings;
  readonly log: Log;
}

/** The approval that the person took back: that of one session, or without a session everything of a credential. */
export interface RevokedApproval {
  readonly credentialId: string;
  readonly sessionId: string | undefined;
}

/** An approval that all sessions and stateless requests of a credential share. */
interface Shared {
  readonly credentialId: string;
  readonly approval: ConnectApproval;
  /** The client that came last: a question shows its name. */
  readonly latest: { viewer: () => Viewer };
  sessions: number;
  /**
   * The access of stateless requests, by the roles their token was made for. Once there is one, the approval is kept as long as the
   * credential is valid.
   */
  readonly stateless: Map<string, { readonly access: ClientAccess; viewer: Viewer }>;
}

/**
 * Keeps the approvals of all clients. The window token proves only "a process of this user", so each of its sessions is approved
 * separately, and all its stateless requests together. Any other credential is approved once, for all its connections.
 */
export class AccessControl implements Disposable {
  readonly #options: AccessControlOptions;
  readonly #owned = new DisposableStore();
  readonly #revoked = this.#owned.add(new Emitter<RevokedApproval>());
  readonly #approvals = new Set<ConnectApproval>();
  readonly #shared = new Map<string, Shared>();
  readonly #limiter: RateLimiter;
  readonly #queue: ConnectQueue;

  /** Fires when the person takes an approval back; the streams and sessions concerned have to be closed. */
  readonly onDidRevoke: Event<RevokedApproval> = this.#revoked.event;

  constructor(options: AccessControlOptions) {
    this.#options = options;
    this.#limiter = new RateLimiter(options.actingPerSecond, options.clock);
    this.#queue = this.#owned.add(new ConnectQueue(options.clock));
    const { standing } = options.approval;
    if (standing !== undefined) {
      this.#owned.add(standing.onDidChange(() => this.#reconsider()));
    }
  }

  /** The access of one session. `viewer` is called when it is needed, because a client names itself only after it has connected. */
  forSession(viewer: () => Viewer, onDidChange: () => void): ClientAccess {
    const { credential } = viewer();
    if (credential.kind === 'chat') {
      // The chat needs no approval here: what it does is asked about elsewhere.
      const approval = this.#open(() => neverAsked(), { kind: 'allowed', role: 'runner' });
      return this.#access(viewer, approval, () => this.#close(approval), onDidChange);
    }
    if (credential.kind === 'windowToken') {
      const approval = this.#open(() => toClient(viewer()));
      return this.#access(viewer, approval, () => this.#close(approval), onDidChange);
    }
    const shared = this.#share(credential.id, viewer);
    if (shared.sessions === 0) {
      shared.approval.forgetRefusal();
    }
    shared.sessions += 1;
    return this.#access(viewer, shared.approval, () => this.#leave(shared), onDidChange);
  }

  /** The access that all stateless requests of a credential with the same roles share; it ends with the credential. */
  forStateless(viewer: Viewer): ClientAccess {
    const { stateless, approval } = this.#share(viewer.credential.id, () => viewer);
    const key = statelessKey(viewer.credential);
    const known = stateless.get(key);
    if (known !== undefined) {
      known.viewer = viewer;
      return known.access;
    }
    const access = this.#access(() => entry.viewer, approval, doNothing, doNothing);
    const entry = { access, viewer };
    stateless.set(key, entry);
    return access;
  }

  /** Forgets a credential that is no longer valid, with all that was asked or granted for its stateless requests. */
  forget(credentialId: string): void {
    this.#queue.forget(credentialId);
    this.#forgetShared(credentialId);
  }

  /** Forgets everything, because the listener has closed and nobody is left to ask for. */
  forgetAll(): void {
    for (const id of [...this.#shared.keys()]) {
      this.forget(id);
    }
    this.#queue.forgetAll();
  }

  dispose(): void {
    this.forgetAll();
    this.#owned.dispose();
  }

  #share(credentialId: string, viewer: () => Viewer): Shared {
    const known = this.#shared.get(credentialId);
    if (known !== undefined) {
      known.latest.viewer = viewer;
      return known;
    }
    const latest = { viewer };
    const approval = this.#open(() => ({ ...toClient(latest.viewer()), sessionId: undefined }));
    const shared: Shared = { credentialId, approval, latest, sessions: 0, stateless: new Map() };
    this.#shared.set(credentialId, shared);
    return shared;
  }

  #forgetShared(credentialId: string): void {
    const shared = this.#shared.get(credentialId);
    if (shared !== undefined) {
      this.#shared.delete(credentialId);
      shared.stateless.forEach(({ access }) => access.dispose());
      this.#close(shared.approval);
    }
  }

  #leave(shared: Shared): void {
    shared.sessions -= 1;
    if (shared.sessions === 0 && shared.stateless.size === 0 && this.#shared.get(shared.credentialId) === shared) {
      this.#shared.delete(shared.credentialId);
      this.#close(shared.approval);
    }
  }

  #open(client: () => ConnectingClient, initial?: ApprovalState): ConnectApproval {
    const { approval, clock, timings, log } = this.#options;
    const opened = new ConnectApproval(
      {
        ask: (signal, onOpen) => this.#askInQueue(client, signal, onOpen),
        pause: () => this.#queue.pauseOf(client().credentialId),
        standing: () => (initial === undefined ? approval.standing?.of(client()) : undefined),
        onRevoked: () => {
          const { credentialId, sessionId } = client();
          this.#revoked.fire({ credentialId, sessionId });
          if (sessionId === undefined) {
            // The credential is still valid: its questions stay in the queue, and its denials still count.
            this.#forgetShared(credentialId);
          }
        },
        clock,
        timings,
        log,
      },
      initial,
    );
    this.#approvals.add(opened);
    return opened;
  }

  #askInQueue(client: () => ConnectingClient, signal: AbortSignal, onOpen: () => void): Promise<ConnectAnswer> {
    const { approval } = this.#options;
    const ask = (): Promise<ConnectAnswer> => {
      onOpen();
      return approval.ask(client(), signal);
    };
    const isAnswered = (): boolean => approval.standing?.of(client()) !== undefined;
    return this.#queue.ask({ credentialId: client().credentialId, isAnswered, ask }, signal);
  }

  #reconsider(): void {
    [...this.#approvals].forEach((approval) => approval.reconsider());
    this.#queue.reconsider();
  }

  #close(approval: ConnectApproval): void {
    this.#approvals.delete(approval);
    approval.dispose();
  }

  #access(viewer: () => Viewer, connect: ConnectApproval, release: () => void, onDidChange: () => void): ClientAccess {
    const { approval, policy, didReview, clock, timings } = this.#options;
    const client = (): ConnectingClient => toClient(viewer());
    return new ClientAccess({
      viewer,
      client,
      connect,
      release,
      onDidChange,
      didReview,
      approval,
      policy,
      limiter: this.#limiter,
      clock,
      timings,
    });
  }
}

function doNothing(): void {
  // nothing to do
}

function neverAsked(): never {
  throw new Error('the chat is never asked to connect');
}

function toClient({ credential, sessionId, callsItself, transport }: Viewer): ConnectingClient {
  if (credential.kind === 'chat') {
    return neverAsked();
  }
  const { id: credentialId, kind: credentialKind, roles } = credential;
  return { credentialId, credentialKind, sessionId, callsItself, transport, ...(roles === undefined ? {} : { roles }) };
}
