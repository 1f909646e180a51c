import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { type Clock, systemClock } from '../../base/clock.ts';
import { Emitter } from '../../base/events.ts';
import { DisposableStore, toDisposable, type Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import { PatientReader, type SharedText } from '../../base/sharedStorage.ts';
import { newSecret } from '../../platform/randomSecrets.ts';
import { hashToken, type CredentialStore } from './credentials.ts';

/** What a newer version added is written back with the rest. */
const clientToken = z.looseObject({
  /** The id of the credential, as people see it. */
  id: z.string(),
  /** The host for which it was copied. */
  label: z.string(),
  /** The SHA-256 hash of the token in hexadecimal. Only the host has the token itself. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** The time in ISO 8601, like `lastUsedAt`. */
  createdAt: z.string(),
  lastUsedAt: z.string().optional(),
});
export type ClientToken = Readonly<z.infer<typeof clientToken>>;

const file = z.object({ version: z.literal(1), tokens: z.array(z.unknown()) });

export interface ClientTokensOptions {
  readonly storage: SharedText;
  readonly log: Log;
  /** How often the time of last use is stored. */
  readonly usageMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

/** How long, in ms, to wait after a failure before the next attempt: a revocation that is not stored is undone by a restart. */
const retryMs = 5_000;

/** The tokens in copied client configurations. Each is valid in every window until one window revokes it. */
export class ClientTokens implements Disposable {
  readonly #options: ClientTokensOptions;
  readonly #clock: Clock;
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<void>());
  readonly #reader: PatientReader;
  #tokens: readonly ClientToken[] = [];
  /** The tokens that were revoked and stand in the file still, because it could not be written. */
  readonly #unwritten = new Set<string>();
  #again: Disposable | undefined;
  #readAgain: Disposable | undefined;
  #isUnreadable = false;
  #writes = 0;
  /** Whether the usage is being written: a slow disk is not asked again before it has answered. */
  #isNoting = false;

  readonly onDidChange = this.#changed.event;

  private constructor(options: ClientTokensOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#reader = this.#lifetime.add(new PatientReader(options.storage, this.#clock));
  }

  static async open(options: ClientTokensOptions): Promise<ClientTokens> {
    const tokens = new ClientTokens(options);
    tokens.#lifetime.add(options.storage.onDidChange(() => void tokens.#load()));
    await tokens.#load();
    return tokens;
  }

  list(): readonly ClientToken[] {
    return this.#tokens;
  }

  /** Makes a token and returns it. It cannot be read again later. */
  async mint(label: string): Promise<{ readonly id: string; readonly token: string }> {
    const token = newSecret();
    const id = `client-${randomBytes(4).toString('hex')}`;
    const entry = { id, label, sha256: hashToken(token).toString('hex'), createdAt: new Date().toISOString() };
    await this.#rewrite((tokens) => [...tokens, entry]);
    return { id, token };
  }

  /** Revokes a token. In this window that holds at once; it rejects where the file cannot be written, which is then tried again and again. */
  async revoke(id: string): Promise<void> {
    this.#unwritten.add(id);
    this.#know(this.#tokens);
    await this.#writeRevoked();
  }

  /** Keeps the credentials of a server in step with the file, and removes from the file what is revoked there. */
  admitTo(credentials: CredentialStore): Disposable {
    const admitted = new Map<string, Disposable>();
    const lifetime = new DisposableStore();
    const update = (): void => {
      const current = new Set(this.#tokens.map(({ id }) => id));
      for (const id of [...admitted.keys()].filter((known) => !current.has(known))) {
        admitted.get(id)?.dispose();
        admitted.delete(id);
        credentials.revoke(id);
      }
      for (const { id, label, sha256 } of this.#tokens.filter((token) => !admitted.has(token.id))) {
        admitted.set(id, credentials.admit(Buffer.from(sha256, 'hex'), { id, kind: 'clientToken', label }));
      }
    };
    update();
    lifetime.add(this.onDidChange(update));
    lifetime.add(
      credentials.onDidRevoke((id) => {
        if (this.#tokens.some((token) => token.id === id)) {
          this.revoke(id).catch((error: unknown) => this.#options.log.error('A client token could not be revoked for good.', error));
        }
      }),
    );
    const usage = setInterval(() => this.#noteUsage(credentials), this.#options.usageMs ?? 60_000);
    usage.unref();
    lifetime.add(toDisposable(() => clearInterval(usage)));
    lifetime.add(toDisposable(() => admitted.forEach((each) => each.dispose())));
    return lifetime;
  }

  dispose(): void {
    this.#again?.dispose();
    this.#readAgain?.dispose();
    this.#lifetime.dispose();
  }

  async #writeRevoked(): Promise<void> {
    this.#again?.dispose();
    try {
      // The change itself leaves out what was revoked.
      await this.#rewrite((tokens) => tokens);
    } catch (error) {
      this.#again?.dispose();
      if (!this.#lifetime.isDisposed) {
        this.#again = this.#clock.schedule(retryMs, () => void this.#writeRevoked().catch(() => undefined));
      }
      throw error;
    }
  }

  #noteUsage(credentials: CredentialStore): void {
    const news = new Map<string, string>();
    for (const { id, lastUsedAt } of this.#tokens) {
      const used = credentials.lastUsed(id);
      if (used !== undefined && used > Date.parse(lastUsedAt ?? '1970-01-01')) {
        news.set(id, new Date(used).toISOString());
      }
    }
    if (news.size > 0 && !this.#isNoting) {
      this.#isNoting = true;
      this.#rewrite((tokens) => tokens.map((token) => ({ ...token, ...newer(token, news.get(token.id)) })))
        .catch((error: unknown) => this.#options.log.warn(`When client tokens were used could not be noted: ${String(error)}`))
        .finally(() => (this.#isNoting = false));
    }
  }

  async #load(): Promise<void> {
    const { storage, log } = this.#options;
    const writes = this.#writes;
    this.#readAgain?.dispose();
    try {
      const text = await this.#reader.read();
      this.#isUnreadable = false;
      if (writes !== this.#writes) {
        return; // something was written meanwhile, so what was read is outdated: a revoked token would be valid again
      }
      const tokens = readTokens(text);
      if (tokens === undefined && text !== undefined) {
        await storage.setAside(text);
        log.warn('The file of client tokens was damaged. It was put aside; copied configurations have to be copied again.');
      }
      this.#know(tokens ?? []);
    } catch (error) {
      if (!this.#lifetime.isDisposed) {
        this.#forgetUnreadable(error);
      }
    }
  }

  /** A token that cannot be read could have been revoked. */
  #forgetUnreadable(error: unknown): void {
    if (!this.#isUnreadable) {
      this.#options.log.error('The client tokens could not be read; none of them is accepted.', error);
    }
    this.#isUnreadable = true;
    if (this.#tokens.length > 0) {
      this.#know([]);
    }
    this.#readAgain?.dispose();
    this.#readAgain = this.#clock.schedule(retryMs, () => void this.#load());
  }

  async #rewrite(change: (tokens: readonly ClientToken[]) => readonly ClientToken[]): Promise<void> {
    let kept: readonly ClientToken[] = [];
    let revoked: readonly string[] = [];
    await this.#options.storage.modify((current) => {
      revoked = [...this.#unwritten];
      kept = change(readTokens(current) ?? []).filter(({ id }) => !revoked.includes(id));
      return `${JSON.stringify({ version: 1, tokens: [...unreadableTokens(current), ...kept] }, undefined, 2)}\n`;
    });
    this.#writes += 1;
    revoked.forEach((id) => this.#unwritten.delete(id));
    this.#know(kept);
  }

  #know(tokens: readonly ClientToken[]): void {
    this.#tokens = tokens.filter(({ id }) => !this.#unwritten.has(id));
    this.#changed.fire();
  }
}

function newer({ lastUsedAt = '' }: ClientToken, used: string | undefined): { readonly lastUsedAt?: string } {
  return used !== undefined && used > lastUsedAt ? { lastUsedAt: used } : {};
}

/** The entries that cannot be read, such as those of a newer version. They are written back, because its windows know them. */
function unreadableTokens(text: string | undefined): readonly unknown[] {
  try {
    return file.parse(JSON.parse(text ?? '')).tokens.filter((raw) => !clientToken.safeParse(raw).success);
  } catch {
    return [];
  }
}

/** Reads the tokens in a file. A damaged entry is left out; for a damaged file it returns `undefined`. */
function readTokens(text: string | undefined): readonly ClientToken[] | undefined {
  if (text === undefined || text.trim() === '') {
    return [];
  }
  try {
    return file.parse(JSON.parse(text)).tokens.flatMap((raw) => {
      const token = clientToken.safeParse(raw);
      return token.success ? [token.data] : [];
    });
  } catch {
    return undefined;
  }
}
