import type { Event } from '../../base/events.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { ConsentGate } from '../../consent/consentGate.ts';
import type { RememberedAnswer, ConsentRequest } from '../../consent/consentModel.ts';
import { fingerprintOf } from '../../consent/fingerprint.ts';
import type { Ledger } from '../../consent/ledger.ts';
import type { Role } from '../../contract/questions/rolesAndClaims.ts';
import { type ClientGrants, type Credential, type GrantsPort, noGrants, type Viewer } from '../seen/viewer.ts';
import type { ConnectingClient, StandingAnswer, StandingAnswers } from './clientApproval.ts';
import { connectRequest, ownSession } from './connectQuestion.ts';
import { rolesFor } from './roles.ts';

/** A client that can have permissions: one session of the window token, or a credential. */
export interface PermittedClient {
  readonly credentialId: string;
  readonly credentialKind: Credential['kind'];
  readonly sessionId: string;
  readonly isStateless: boolean;
}

/** The sessions that are connected at this moment. */
export interface ConnectedSessions {
  snapshot(): readonly { readonly sessionId: string }[];
  readonly onDidChange: Event<void>;
}

/** What the person has granted to outside clients. The ledger keeps it, across windows or for as long as this window lives. */
export class ClientPermissions {
  readonly #ledger: Ledger;
  readonly #gate: ConsentGate;
  readonly #onDidChange: Event<void>;
  /** The grants by viewer. They are needed in every call and cost two fingerprints, so they are cached until the ledger changes. */
  #known: { readonly answers: readonly RememberedAnswer[]; readonly grants: WeakMap<Viewer, ClientGrants> } = {
    answers: [],
    grants: new WeakMap(),
  };

  constructor(ledger: Ledger, gate: ConsentGate) {
    this.#ledger = ledger;
    this.#gate = gate;
    this.#onDidChange = ledger.onDidChange;
  }

  get standing(): StandingAnswers {
    return { of: (client) => this.#standingOf(client), onDidChange: this.#onDidChange };
  }

  get grants(): GrantsPort {
    return { of: (viewer) => this.#knownOf(viewer), onDidChange: this.#onDidChange };
  }

  grantsOf(client: PermittedClient): ClientGrants {
    if (isAnybody(client)) {
      return noGrants;
    }
    const has = (what: keyof ClientGrants): boolean => this.#gate.verdict(grantRequest(client, what)).kind === 'allow';
    return { sensitive: has('sensitive'), outside: has('outside'), ...(has('allTools') && { allTools: true }) };
  }

  /** The roles from which the person can choose for a client. */
  rolesOf(client: PermittedClient): readonly Role[] {
    return rolesFor(client);
  }

  /** Gives a client a role. It also admits a client that was denied or never asked about, because the person chose it from the list. */
  async changeRole(client: PermittedClient, chosen: Role): Promise<void> {
    const role = rolesFor(client).includes(chosen) ? chosen : 'reader';
    const request = connectRequest(toConnecting(client));
    const related = this.#answersOf(client.credentialId).filter(
      ({ action, subject }) => action === 'connectClient' && isSamePath(subject, request.subject),
    );
    const scope = related.some((answer) => answer.scope !== 'session') ? 'workspace' : 'session';
    const replaced = related.filter((old) => old.answer === 'deny' || (old.scope === 'session' && scope === 'workspace'));
    await this.#ledger.allowInstead(
      replaced.map(({ id }) => id),
      request,
      scope,
      role,
    );
  }

  /**
   * Grants or revokes access to withheld files. With the window token, which many programs share, a grant is for one session;
   * stateless requests with it could be anybody's and get none.
   */
  async changeGrants(client: PermittedClient, grants: ClientGrants): Promise<void> {
    const before = this.grantsOf(client);
    for (const what of ['sensitive', 'outside', 'allTools'] as const) {
      const request = grantRequest(client, what);
      if (grants[what] === true && before[what] !== true && !isAnybody(client)) {
        await this.#ledger.remember(request, 'allow', client.credentialKind === 'windowToken' ? 'session' : 'workspace');
      } else if (grants[what] !== true) {
        await this.#revokeAll((answer) => answer.action === 'seeWithheld' && isSamePath(answer.subject, request.subject));
      }
    }
  }

  /** Removes all permissions of a credential that was revoked. */
  async forgetClient(credentialId: string): Promise<void> {
    await this.#revokeAll((answer) => answer.principal === `client:${credentialId}`);
  }

  /** Forgets the permissions of window tokens: a new token is a new client. */
  forgetWindowTokens(): void {
    const ofWindow = this.#ledger.answers().filter(({ principal, scope }) => scope === 'session' && principal.startsWith('client:window-'));
    ofWindow.forEach((answer) => this.#ledger.forget(answer.id));
  }

  /** Forgets the permissions of a session when it ends. */
  forgetEnded(clients: ConnectedSessions): Disposable {
    return clients.onDidChange(() => {
      let connected: ReadonlySet<string> | undefined;
      for (const { id, principal, subject } of this.#ledger.answers()) {
        const [mark, sessionId = ''] = subject.slice(-2);
        if (principal.startsWith('client:') && mark === 'session') {
          connected ??= new Set(clients.snapshot().map((client) => client.sessionId));
          if (!connected.has(sessionId)) {
            this.#ledger.forget(id);
          }
        }
      }
    });
  }

  #knownOf(viewer: Viewer): ClientGrants {
    const answers = this.#ledger.answers();
    if (this.#known.answers !== answers) {
      this.#known = { answers, grants: new WeakMap() };
    }
    const known = this.#known.grants.get(viewer);
    if (known !== undefined) {
      return known;
    }
    const { credential, sessionId } = viewer;
    const client = { credentialId: credential.id, sessionId: sessionId ?? '', isStateless: sessionId === undefined };
    const grants = credential.kind === 'chat' ? noGrants : this.grantsOf({ ...client, credentialKind: credential.kind });
    this.#known.grants.set(viewer, grants);
    return grants;
  }

  #standingOf(client: ConnectingClient): StandingAnswer | undefined {
    const verdict = this.#gate.verdict(connectRequest(client));
    if (verdict.kind === 'ask') {
      return undefined;
    }
    const { id, role = 'reader' } = verdict.answer;
    return verdict.kind === 'allow' ? { kind: 'allowed', role, id } : { kind: 'denied', id };
  }

  #answersOf(credentialId: string): readonly RememberedAnswer[] {
    return this.#ledger.answers().filter(({ principal }) => principal === `client:${credentialId}`);
  }

  async #revokeAll(isMeant: (answer: RememberedAnswer) => boolean): Promise<void> {
    const ids = this.#ledger.answers().filter(isMeant);
    await this.#ledger.revoke(...ids.map(({ id }) => id));
  }
}

function toConnecting({ credentialId, credentialKind, sessionId, isStateless }: PermittedClient): Parameters<typeof connectRequest>[0] {
  if (credentialKind === 'chat') {
    throw new Error('the chat is no outside client');
  }
  return { credentialId, credentialKind, sessionId: isStateless ? undefined : sessionId };
}

/** Whether the requests could be anybody's: those with the window token and without a session. */
function isAnybody({ credentialKind, isStateless }: PermittedClient): boolean {
  return credentialKind === 'windowToken' && isStateless;
}

function grantRequest(client: PermittedClient, what: keyof ClientGrants): ConsentRequest {
  const { credentialId } = client;
  const material = { client: credentialId, sees: what };
  return {
    principal: `client:${credentialId}`,
    action: 'seeWithheld',
    subject: ['client', credentialId, what, ...ownSession(client)],
    fingerprint: fingerprintOf(material),
    material,
  };
}

/** Whether the second path begins with the first. */
function isSamePath(one: readonly string[], other: readonly string[]): boolean {
  return one.every((step, index) => step === other[index]);
}
