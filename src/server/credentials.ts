import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { toDisposable, type Disposable } from '../base/lifecycle.ts';

/** Who an outside client is. A name it gives itself is never part of this. */
export interface WireCredential {
  readonly id: string;
  readonly kind: 'windowToken' | 'clientToken' | 'oauth';
}

/** The chat's own in-memory link: a principal that never comes over the wire. */
export interface ChatCredential {
  readonly id: 'chat';
  readonly kind: 'chat';
}

export type Credential = WireCredential | ChatCredential;

interface Admitted {
  readonly digest: Buffer;
  readonly credential: WireCredential;
  /** The token itself, in memory only, once it was seen: comparing it is ten times faster than hashing. */
  token: Buffer | undefined;
}

/** Keeps tokens by their hash. */
export class CredentialStore {
  readonly #admitted = new Set<Admitted>();

  /** A fresh token for a process of this user. */
  admitWindowToken(): { readonly token: string; readonly credential: WireCredential; readonly withdraw: Disposable } {
    const token = randomBytes(32).toString('base64url');
    const credential: WireCredential = { id: `window-${randomBytes(4).toString('hex')}`, kind: 'windowToken' };
    return { token, credential, withdraw: this.admit(hashToken(token), credential) };
  }

  admit(tokenSha256: Buffer, credential: WireCredential): Disposable {
    const admitted: Admitted = { digest: tokenSha256, credential, token: undefined };
    this.#admitted.add(admitted);
    return toDisposable(() => this.#admitted.delete(admitted));
  }

  /** Takes the same time however much of a token is right. */
  verify(token: string): WireCredential | undefined {
    const bytes = Buffer.from(token);
    const known = this.#find((admitted) => admitted.token?.length === bytes.length && timingSafeEqual(admitted.token, bytes));
    if (known !== undefined) {
      return known.credential;
    }
    const digest = hashToken(token);
    const found = this.#find((admitted) => timingSafeEqual(admitted.digest, digest));
    if (found !== undefined) {
      found.token = bytes;
    }
    return found?.credential;
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

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
