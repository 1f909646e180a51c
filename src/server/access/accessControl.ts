import type { Log } from '../../base/log.ts';
import type { Viewer } from '../catalog/callContext.ts';
import type { Clock } from '../clock.ts';
import type { ServerTimings } from '../limits.ts';
import type { ClientApproval, ConnectingClient } from '../ports/clientApproval.ts';
import { ClientAccess } from './clientAccess.ts';

export interface AccessControlOptions {
  readonly approval: ClientApproval;
  readonly clock: Clock;
  readonly timings: ServerTimings;
  readonly log: Log;
}

/** Who may do what. One for the whole server; each session, and each credential without one, has its own access. */
export class AccessControl {
  readonly #options: AccessControlOptions;

  constructor(options: AccessControlOptions) {
    this.#options = options;
  }

  /** `viewer` is asked for when it is needed: a client names itself after it has connected. */
  forSession(viewer: () => Viewer, onDidChange: () => void): ClientAccess {
    // The chat's own consent is asked elsewhere.
    const isChat = viewer().credential.kind === 'chat';
    return new ClientAccess(
      { ...this.#options, client: () => toClient(viewer()), onDidChange },
      isChat ? { kind: 'allowed', role: 'runner' } : { kind: 'notAsked' },
    );
  }
}

function toClient({ credential, sessionId, callsItself, transport }: Viewer): ConnectingClient {
  if (credential.kind === 'chat') {
    throw new Error('the chat is never asked to connect');
  }
  return { credentialId: credential.id, credentialKind: credential.kind, sessionId, callsItself, transport };
}
