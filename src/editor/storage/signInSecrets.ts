import { createHash, randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type * as vscode from 'vscode';
import { hasCode } from '../../base/errors.ts';
import type { Event } from '../../base/events.ts';
import { isJsonObject } from '../../base/json.ts';
import type { SignInRecord, TokenStore } from '../../host/auth/authPorts.ts';
import { ownFolder, sweepUnfinished, writeOwnFile } from '../../platform/files/ownFiles.ts';

export interface SignInSecretsOptions {
  readonly secrets: vscode.SecretStorage;
  /** The name of this machine or container: the secret store is the same for all of them. */
  readonly machine: string;
  /** A folder that all windows share, for what is no secret. */
  readonly folder: string;
  /** Reads a stored record; undefined for what is not, or no longer, one: then the person signs in again. */
  readonly readRecord: (value: unknown) => SignInRecord | undefined;
  readonly patienceMs?: number | undefined;
}

/** The content of the file beside the secret, which is no secret itself. */
interface Marker {
  readonly issuer: string;
  readonly generation: string;
}

/** The pause, in ms, before the secret store is read again for a sign-in that another window stored. */
const pollMs = 50;
const secretPrefix = 'duplex.oauth.';

/**
 * Sign-ins in VS Code's secret store. Each window keeps a copy of that store which follows the others a moment later; a
 * window that reads too early would use a refresh token that is already spent. A small file says which generation is the
 * newest, and reading waits until the secret store has it.
 */
export class SignInSecrets implements TokenStore {
  readonly #secrets: vscode.SecretStorage;
  readonly #machine: string;
  readonly #folder: string;
  readonly #readRecord: SignInSecretsOptions['readRecord'];
  readonly #patienceMs: number;
  /** Generations that the secret store never showed, because it forgets or does not share. */
  readonly #lost = new Set<string>();
  /** Markers that could not be written: the old refresh token is spent, so this window goes by them. */
  readonly #unwritten = new Map<string, Marker>();
  /** What killed windows left half-written is removed once, before the first writing. */
  #swept: Promise<void> | undefined;

  /** Fires when some sign-in changed, maybe in another window. */
  readonly onDidChange: Event<void> = (listener) => this.#secrets.onDidChange(({ key }) => key.startsWith(secretPrefix) && listener());

  constructor({ secrets, machine, folder, readRecord, patienceMs = 3_000 }: SignInSecretsOptions) {
    this.#secrets = secrets;
    this.#machine = machine;
    this.#folder = folder;
    this.#readRecord = readRecord;
    this.#patienceMs = patienceMs;
  }

  async issuerOf(serverId: string): Promise<string | undefined> {
    return (await this.#marker(serverId))?.issuer;
  }

  async get(serverId: string, issuer: string): Promise<SignInRecord | undefined> {
    const deadline = performance.now() + this.#patienceMs;
    for (;;) {
      // Read anew each time: another window stores the secret first and the marker a moment later, and it is the secret that is heard of.
      const marker = await this.#marker(serverId);
      if (marker?.issuer !== issuer) {
        return undefined;
      }
      const stored = parse(await this.#secrets.get(this.#secretName(serverId, issuer)));
      if (stored?.['generation'] === marker.generation) {
        return this.#readRecord(stored['record']);
      }
      if (performance.now() >= deadline || this.#lost.has(marker.generation)) {
        this.#lost.add(marker.generation);
        return undefined;
      }
      await sleep(pollMs);
    }
  }

  async set(serverId: string, record: SignInRecord): Promise<void> {
    const generation = randomUUID();
    await this.#secrets.store(this.#secretName(serverId, record.issuer), JSON.stringify({ generation, record }));
    const marker = { issuer: record.issuer, generation };
    try {
      await this.#mark(serverId, marker);
      this.#unwritten.delete(serverId);
    } catch {
      this.#unwritten.set(serverId, marker);
    }
  }

  async delete(serverId: string, issuer: string): Promise<void> {
    if (this.#unwritten.get(serverId)?.issuer === issuer) {
      this.#unwritten.delete(serverId);
    }
    if ((await this.issuerOf(serverId)) === issuer) {
      await fs.rm(this.#file(serverId), { force: true });
    }
    await this.#secrets.delete(this.#secretName(serverId, issuer));
  }

  async #marker(serverId: string): Promise<Marker | undefined> {
    const unwritten = this.#unwritten.get(serverId);
    if (unwritten !== undefined) {
      return unwritten;
    }
    const marker = parse(await readText(this.#file(serverId)));
    const { issuer, generation } = marker ?? {};
    return typeof issuer === 'string' && typeof generation === 'string' ? { issuer, generation } : undefined;
  }

  async #mark(serverId: string, marker: Marker): Promise<void> {
    await ownFolder(this.#folder);
    this.#swept ??= sweepUnfinished(this.#folder).catch(() => undefined);
    await this.#swept;
    await writeOwnFile(this.#file(serverId), JSON.stringify(marker), 0o600);
  }

  /** The name of a secret is a hash, because ids hold paths of workspaces, and the names of secrets are no secrets. */
  #secretName(serverId: string, issuer: string): string {
    return `${secretPrefix}${digest(`${this.#machine}\n${serverId}\n${issuer}`)}`;
  }

  #file(serverId: string): string {
    return path.join(this.#folder, `${digest(serverId)}.json`);
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await fs.readFile(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) {
      return undefined;
    }
    throw error;
  }
}

function parse(text: string | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = text === undefined ? undefined : JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined; // a broken record counts as none: the person signs in again
  }
}
