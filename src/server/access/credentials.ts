import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Emitter } from '../../base/events.ts';
import { type Disposable, toDisposable } from '../../base/lifecycle.ts';
import type { Credential, WireCredential } from '../seen/viewer.ts';

interface Admitted {
  readonly digest: Buffer;
  readonly credential: WireCredential;
  readonly isExpired: () => boolean;
  /** The token itself, once it was presented, in memory only: comparing it is ten times faster than hashing. */
  token: Buffer | undefined;
}

interface MintedToken {
  readonly token: string;
  readonly credential: WireCredential;
  readonly withdraw: Disposable;
}

/** Knows all valid tokens by their hash. */
export class CredentialStore implements Disposable {
  readonly #admitted = new Set<Admitted>();
  readonly #revoked = new Emitter<string>();
  readonly #lapsed = new Emitter<void>();
  /** When each credential was last used, in milliseconds since 1970. */
  readonly #usedAt = new Map<string, number>();

  /** Fires with the id of a credential that was revoked; its sessions and streams have to be closed. */
  readonly onDidRevoke = this.#revoked.event;

  /** Fires when one token has expired although its credential may have others; `holds` says what may stay open. */
  readonly onDidLapse = this.#lapsed.event;

  /** Makes a window token, for processes of this user. */
  admitWindowToken(): MintedToken {
    return this.mint({ id: `window-${randomBytes(4).toString('hex')}`, kind: 'windowToken' });
  }

  /** Makes a token that lives in memory only. */
  mint(credential: WireCredential): MintedToken {
    const token = randomBytes(32).toString('base64url');
    return { token, credential, withdraw: this.admit(hashToken(token), credential) };
  }

  /** Accepts a token by its hash; `isExpired` is called at every use. */
  admit(tokenSha256: Buffer, credential: WireCredential, isExpired = (): boolean => false): Disposable {
    const admitted: Admitted = { digest: tokenSha256, credential, isExpired, token: undefined };
    this.#admitted.add(admitted);
    return toDisposable(() => this.#admitted.delete(admitted));
  }

  /** Withdraws every token of a credential and ends everything it has open. */
  revoke(credentialId: string): void {
    for (const admitted of [...this.#admitted]) {
      if (admitted.credential.id === credentialId) {
        this.#admitted.delete(admitted);
      }
    }
    this.#usedAt.delete(credentialId);
    this.#revoked.fire(credentialId);
  }

  /** Withdraws one token that has expired; what depends on this token alone ends. */
  lapse(token: Disposable): void {
    token.dispose();
    this.#lapsed.fire();
  }

  /** Whether a connection that was opened with a credential may stay open: a token of it with at least the same roles is still valid. */
  holds(credential: WireCredential): boolean {
    return [...this.#admitted].some((admitted) => mayGoOn(credential, admitted.credential) && !admitted.isExpired());
  }

  lastUsed(credentialId: string): number | undefined {
    return this.#usedAt.get(credentialId);
  }

  dispose(): void {
    this.#revoked.dispose();
    this.#lapsed.dispose();
  }

  /** Returns the credential of a token. It takes the same time however much of a wrong token is right. */
  verify(token: string): WireCredential | undefined {
    const found = this.#lookUp(token);
    if (found === undefined || found.isExpired()) {
      return undefined;
    }
    this.#usedAt.set(found.credential.id, Date.now());
    return found.credential;
  }

  #lookUp(token: string): Admitted | undefined {
    const bytes = Buffer.from(token);
    const known = this.#find((admitted) => admitted.token?.length === bytes.length && timingSafeEqual(admitted.token, bytes));
    if (known !== undefined) {
      return known;
    }
    const digest = hashToken(token);
    const found = this.#find((admitted) => timingSafeEqual(admitted.digest, digest));
    if (found !== undefined) {
      found.token = bytes;
    }
    return found;
  }

  #find(matches: (admitted: Admitted) => boolean): Admitted | undefined {
    let found: Admitted | undefined;
    for (const admitted of this.#admitted) {
      if (matches(admitted)) {
        found = admitted;
      }
    }
    return found;
  }
}

/** The key that all stateless requests of a credential with the same roles share. */
export function statelessKey(credential: Credential): string {
  const roles = credential.kind === 'chat' ? undefined : credential.roles;
  return roles === undefined ? credential.id : [credential.id, ...roles].join(' ');
}

/** Whether a token may continue what another token of the same client began; a token with fewer roles may not. */
export function mayGoOn(begunBy: Credential, credential: WireCredential): boolean {
  const { roles } = credential;
  const begunWith = begunBy.kind === 'chat' ? undefined : begunBy.roles;
  return begunBy.id === credential.id && (roles === undefined || begunWith?.every((role) => roles.includes(role)) === true);
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The window token, for processes of this user. It exists while the server listens, and each start makes a new one. */
export class WindowToken {
  readonly #credentials: CredentialStore;
  #minted: MintedToken | undefined;

  constructor(credentials: CredentialStore) {
    this.#credentials = credentials;
  }

  /** The token, a secret: it must never be logged. */
  get value(): string | undefined {
    return this.#minted?.token;
  }

  mint(): void {
    this.#minted = this.#credentials.admitWindowToken();
  }

  /** Makes a new token and ends everything that was opened with the old one. */
  rotate(): void {
    const old = this.#minted;
    this.mint();
    if (old !== undefined) {
      old.withdraw.dispose();
      this.#credentials.revoke(old.credential.id);
    }
  }

  withdraw(): void {
    this.#minted?.withdraw.dispose();
    this.#minted = undefined;
  }
}

/** Names whose things are whose. Many programs share the window token, so each of its sessions is a client of its own. */
export function ownerKey({ credentialId, credentialKind, sessionId }: OwnerIdentity): string {
  return credentialKind === 'windowToken' ? `${credentialId} ${sessionId ?? ''}` : credentialId;
}

interface OwnerIdentity {
  readonly credentialId: string;
  readonly credentialKind: Credential['kind'];
  /** Without one the requests are stateless. */
  readonly sessionId: string | undefined;
}
