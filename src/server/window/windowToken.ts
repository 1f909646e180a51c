import type { CredentialStore, MintedToken } from '../access/credentials.ts';

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
