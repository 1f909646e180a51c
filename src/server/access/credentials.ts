import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Emitter } from '../../base/events.ts';
import { type Disposable, toDisposable } from '../../base/lifecycle.ts';
import type { Credential, WireCredential } from '../seen/viewer.ts';

interface Admitted {
  readonly digest: Buffer;
  readonly credential: WireCredential;
  readonly isExpired: () => boolean;
  /** The token itself, in memory only, once it was seen: comparing it is ten times faster than hashing. */
  token: Buffer | undefined;
}

interface MintedToken {
  readonly token: string;
  readonly credential: WireCredential;
  readonly withdraw: Disposable;
}

/** Keeps tokens by their hash. */
export class CredentialStore implements Disposable {
  readonly #admitted = new Set<Admitted>();
  readonly #revoked = new Emitter<string>();
  readonly #lapsed = new Emitter<void>();
  /** Milliseconds since 1970, by credential. */
  readonly #usedAt = new Map<string, number>();

  /** The id of a credential none of whose tokens is valid any more: its sessions and streams are to be closed. */
  readonly onDidRevoke = this.#revoked.event;

  /** A token is no longer valid although its credential may have others: what was opened with it is to be asked for in `holds`. */
  readonly onDidLapse = this.#lapsed.event;

  /** A fresh token for a process of this user. */
  admitWindowToken(): MintedToken {
    return this.mint({ id: `window-${randomBytes(4).toString('hex')}`, kind: 'windowToken' });
  }

  /** A fresh token that lives in memory only. */
  mint(credential: WireCredential): MintedToken {
    const token = randomBytes(32).toString('base64url');
    return { token, credential, withdraw: this.admit(hashToken(token), credential) };
  }

  /** `isExpired` is asked at every use. */
  admit(tokenSha256: Buffer, credential: WireCredential, isExpired = (): boolean => false): Disposable {
    const admitted: Admitted = { digest: tokenSha256, credential, isExpired, token: undefined };
    this.#admitted.add(admitted);
    return toDisposable(() => this.#admitted.delete(admitted));
  }

  /** Withdraws every token of a credential and ends what it has open. */
  revoke(credentialId: string): void {
    for (const admitted of [...this.#admitted]) {
      if (admitted.credential.id === credentialId) {
        this.#admitted.delete(admitted);
      }
    }
    this.#usedAt.delete(credentialId);
    this.#revoked.fire(credentialId);
  }

  /** Withdraws one token whose time is over; what rests on it alone ends. */
  lapse(token: Disposable): void {
    token.dispose();
    this.#lapsed.fire();
  }

  /** Whether what was opened by a credential may stay open: some token of it that was made for no less is still valid. */
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

  /** Takes the same time however much of a token is right. */
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

/** What the requests of a credential that belong to no session have in common. */
export function statelessKey(credential: Credential): string {
  const roles = credential.kind === 'chat' ? undefined : credential.roles;
  return roles === undefined ? credential.id : [credential.id, ...roles].join(' ');
}

/** Whether a token may go on with what another one of its client began: one that was made for less may not. */
export function mayGoOn(begunBy: Credential, credential: WireCredential): boolean {
  const { roles } = credential;
  const begunWith = begunBy.kind === 'chat' ? undefined : begunBy.roles;
  return begunBy.id === credential.id && (roles === undefined || begunWith?.every((role) => roles.includes(role)) === true);
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The token for processes of this window's user: there while the server listens, and a new one each time. */
export class WindowToken {
  readonly #credentials: CredentialStore;
  #minted: MintedToken | undefined;

  constructor(credentials: CredentialStore) {
    this.#credentials = credentials;
  }

  /** A secret: never for a log. */
  get value(): string | undefined {
    return this.#minted?.token;
  }

  mint(): void {
    this.#minted = this.#credentials.admitWindowToken();
  }

  /** Ends what was opened with the old one. */
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
