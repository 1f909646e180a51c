import * as z from 'zod';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { Sequencer } from '../../base/sequencer.ts';
import type { Log } from '../../base/log.ts';
import { PatientReader, type SharedText } from '../../base/sharedStorage.ts';
import { role, type Role } from '../../contract/questions/rolesAndClaims.ts';
import { digestOfSecret, isSameSecret, newSecret } from '../../platform/randomSecrets.ts';
import type { CredentialStore } from '../access/credentials.ts';
import { rolesUpTo } from '../access/roles.ts';
import { OauthError } from './oauthAnswers.ts';
import { registration, type OauthRegistration } from './registrations.ts';

/** What a person allowed a client, with the tokens that were issued for it. It is stored: additive only. */
const storedGrant = z.object({
  id: z.string(),
  clientId: z.string(),
  label: z.string(),
  scopes: z.array(role()),
  /** The SHA-256 hash of the one valid refresh token. */
  refresh: z.string(),
  refreshUntil: z.number(),
  access: z.array(z.object({ digest: z.string(), scopes: z.array(role()), until: z.number() })),
});
type StoredGrant = Readonly<z.infer<typeof storedGrant>>;

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresInSeconds: number;
  readonly scopes: readonly Role[];
}

interface Access {
  readonly digest: string;
  readonly scopes: readonly Role[];
  readonly until: number;
  readonly withdraw: Disposable;
}

interface Grant {
  readonly id: string;
  readonly clientId: string;
  readonly label: string;
  readonly scopes: readonly Role[];
  refresh: string;
  refreshUntil: number;
  access: readonly Access[];
}

/** How long an access token is valid. */
export const accessMs = 10 * 60_000;
/** How long a refresh token is valid. */
const refreshMs = 30 * 24 * 60 * 60_000;
/** The most access tokens of a grant: those before the last refresh stay valid, so that requests under way can finish. */
const maxAccessTokens = 3;
/** The most sign-ins of one client that are valid at the same time; the oldest is dropped. */
const maxGrantsPerClient = 5;

export interface IssuedTokensOptions {
  readonly credentials: CredentialStore;
  readonly clock: Clock;
  /** The current time in milliseconds since 1970. */
  readonly now: () => number;
}

/** Issues access tokens that live for minutes, and refresh tokens that can be used once. */
export class IssuedTokens implements Disposable {
  readonly #options: IssuedTokensOptions;
  readonly #grants = new Map<string, Grant>();

  constructor(options: IssuedTokensOptions) {
    this.#options = options;
  }

  open(clientId: string, label: string, scopes: readonly Role[]): Tokens {
    const grant: Grant = { id: newSecret(16), clientId, label, scopes, refresh: '', refreshUntil: 0, access: [] };
    this.#grants.set(grant.id, grant);
    const own = [...this.#grants.values()].filter((each) => each.clientId === clientId);
    for (const { id } of own.slice(0, -maxGrantsPerClient)) {
      this.#drop(id);
    }
    return this.#issue(grant, scopes);
  }

  /** Exchanges a refresh token for new tokens. If it was used before, somebody has stolen it: then everything of its client ends. */
  refresh(clientId: string, token: string, wanted: readonly Role[] | undefined): Tokens {
    const grant = this.#grants.get(token.slice(0, token.indexOf('.')));
    if (grant?.clientId !== clientId || grant.refreshUntil <= this.#options.now()) {
      throw new OauthError('invalid_grant', 'the refresh token is not valid');
    }
    if (!isSameSecret(grant.refresh, digestOfSecret(token))) {
      this.#options.credentials.revoke(clientId);
      throw new OauthError('invalid_grant', 'the refresh token is not valid');
    }
    if (wanted?.some((scope) => !grant.scopes.includes(scope)) === true) {
      throw new OauthError('invalid_scope', 'more than what was granted');
    }
    return this.#issue(grant, wanted ?? grant.scopes);
  }

  /** Revokes a grant by one of its tokens; the caller is not told whether the token was valid. */
  revokeByToken(token: string, clientId: string | undefined): void {
    const digest = digestOfSecret(token);
    for (const grant of [...this.#grants.values()]) {
      const isIts = isSameSecret(grant.refresh, digest) || grant.access.some((access) => isSameSecret(access.digest, digest));
      if (isIts && (clientId === undefined || clientId === grant.clientId)) {
        this.#options.credentials.revoke(grant.clientId);
      }
    }
  }

  /** Removes all grants of a client whose credential was revoked. */
  dropClient(clientId: string): void {
    for (const { id } of [...this.#grants.values()].filter((grant) => grant.clientId === clientId)) {
      this.#drop(id);
    }
  }

  hasClient(clientId: string): boolean {
    return [...this.#grants.values()].some((grant) => grant.clientId === clientId);
  }

  stored(): readonly StoredGrant[] {
    return [...this.#grants.values()].map(({ id, clientId, label, scopes, refresh, refreshUntil, access }) => ({
      id,
      clientId,
      label,
      scopes: [...scopes],
      refresh,
      refreshUntil,
      access: access.map((each) => ({ digest: each.digest, scopes: [...each.scopes], until: each.until })),
    }));
  }

  restore(stored: readonly StoredGrant[]): void {
    const now = this.#options.now();
    for (const { access, ...grant } of stored.filter(({ refreshUntil }) => refreshUntil > now)) {
      const restored: Grant = { ...grant, access: [] };
      restored.access = access
        .filter(({ until }) => until > now)
        .map((each) => this.#admit(restored, each.digest, each.scopes, each.until));
      this.#grants.set(grant.id, restored);
    }
  }

  dispose(): void {
    for (const id of [...this.#grants.keys()]) {
      this.#drop(id);
    }
  }

  #issue(grant: Grant, scopes: readonly Role[]): Tokens {
    const now = this.#options.now();
    const accessToken = newSecret();
    const refreshToken = `${grant.id}.${newSecret()}`;
    grant.refresh = digestOfSecret(refreshToken);
    grant.refreshUntil = now + refreshMs;
    const access = [...grant.access, this.#admit(grant, digestOfSecret(accessToken), scopes, now + accessMs)];
    access.slice(0, -maxAccessTokens).forEach(({ withdraw }) => this.#options.credentials.lapse(withdraw));
    grant.access = access.slice(-maxAccessTokens);
    return { accessToken, refreshToken, expiresInSeconds: accessMs / 1_000, scopes };
  }

  #admit({ clientId, label }: Grant, digest: string, scopes: readonly Role[], until: number): Access {
    const { credentials, clock, now } = this.#options;
    const credential = { id: clientId, kind: 'oauth', label, roles: rolesUpTo(scopes) } as const;
    // Expiry is also checked at every use, because timers stand still while the machine sleeps.
    const isExpired = (): boolean => now() >= until;
    const admitted = credentials.admit(Buffer.from(digest, 'base64url'), credential, isExpired);
    const expiry = clock.schedule(until - now(), () => credentials.lapse(admitted));
    const withdraw = {
      dispose: () => {
        admitted.dispose();
        expiry.dispose();
      },
    };
    return { digest, scopes, until, withdraw };
  }

  #drop(grantId: string): Grant | undefined {
    const grant = this.#grants.get(grantId);
    this.#grants.delete(grantId);
    grant?.access.forEach(({ withdraw }) => withdraw.dispose());
    return grant;
  }
}

/** What is stored if the listener has a fixed port: the approved registrations, and the hashes of their tokens. */
export interface OauthState {
  readonly registrations: readonly OauthRegistration[];
  readonly grants: readonly StoredGrant[];
}

export type OauthStorage = Pick<SharedText, 'read' | 'modify'>;

const stateOfPort = z.object({ registrations: z.array(registration), grants: z.array(storedGrant) });
const file = z.object({ version: z.literal(1), ports: z.record(z.string(), z.unknown()) });

/** How long, in ms, to wait after a failure to write before the next attempt: a revocation that is not stored is undone by a restart. */
const retryMs = 5_000;

/** The part of the OAuth file for one port. Only one window can have a port at a time, so each part has one writer. */
export class IssuedTokensFile {
  readonly #storage: OauthStorage;
  readonly #port: string;
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #writes = new Sequencer();
  #again: Disposable | undefined;
  /** Returns the state for the write that is waiting; `undefined` if none is. */
  #current: (() => OauthState) | undefined;

  /** The state that was stored when the listener opened. */
  readonly initial: OauthState;

  private constructor(storage: OauthStorage, port: number, { log, clock }: { log: Log; clock: Clock }, initial: OauthState) {
    this.#storage = storage;
    this.#port = String(port);
    this.#log = log;
    this.#clock = clock;
    this.initial = initial;
  }

  static async open(storage: OauthStorage, port: number, ports: { readonly log: Log; readonly clock: Clock }): Promise<IssuedTokensFile> {
    let initial: OauthState = { registrations: [], grants: [] };
    try {
      const part = stateOfPort.safeParse(readPorts(await new PatientReader(storage, ports.clock).read())[String(port)]);
      initial = part.success ? part.data : initial;
    } catch (error) {
      ports.log.error('What OAuth clients were given could not be read; they are asked about again.', error);
    }
    return new IssuedTokensFile(storage, port, ports, initial);
  }

  /** Stores the state. Several changes in a row cause one write, with the state at the time of writing. */
  save(current: () => OauthState): void {
    const isWaiting = this.#current !== undefined;
    this.#current = current;
    this.#again?.dispose();
    if (isWaiting) {
      return;
    }
    this.#writes
      .run(() => {
        const state = (this.#current ?? current)();
        this.#current = undefined;
        return this.#storage.modify((text) => JSON.stringify({ version: 1, ports: { ...readPorts(text), [this.#port]: state } }));
      })
      .catch((error: unknown) => {
        this.#log.error('What OAuth clients were given could not be stored.', error);
        this.#again?.dispose();
        this.#again = this.#clock.schedule(retryMs, () => this.save(this.#current ?? current));
      });
  }

  /** Resolves when nothing is being written; a write that failed is not tried again after that. */
  async settled(): Promise<void> {
    await this.#writes.idle();
    this.#again?.dispose();
  }
}

function readPorts(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    return file.parse(JSON.parse(text ?? '')).ports;
  } catch {
    return {};
  }
}
