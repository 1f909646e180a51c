// resources/: resources and prompts that a person or a model asked for: read once, on record (this file), or kept open and up to date
// (liveResources.ts).
import { atMost } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { isAbort } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { AuditLog, AuditRecord } from '../../consent/audit/auditLog.ts';
import type { Ask } from '../../consent/consentGate.ts';
import type { Principal } from '../../consent/consentModel.ts';
import type { CausingClient } from '../features/openCalls.ts';
import type { ResourcePart } from '../features/resources.ts';
import type { ReadSkillFile } from '../features/skills.ts';
import { contentOfPrompt, contentOfResource, type PromptContent, type ServerContent } from '../features/serverContent.ts';
import type { HostRegistry } from '../hostRegistry.ts';

interface Wished {
  readonly principal: Principal;
  readonly serverId: string;
  readonly signal: AbortSignal;
  /** Shows the questions that the server asks meanwhile; without it they appear in their usual place. */
  readonly ask?: Ask | undefined;
  /** The outside client for which it is read: questions of the server are marked with it. */
  readonly client?: CausingClient | undefined;
  /** What the audit log says was read: it must be free of secrets. */
  readonly recordedAs: string;
  /** Who decided that it is read, for the audit log. */
  readonly decidedBy: AuditRecord['decidedBy'];
}

type ResourceRead = Wished & { readonly kind: 'resource'; readonly uri: string };
type PromptRead = Wished & { readonly kind: 'prompt'; readonly name: string; readonly arguments: Readonly<Record<string, string>> };
export type ContentRead = ResourceRead | PromptRead;

/** How long a server gets to list what it has. */
const maxListMs = 5_000;

/**
 * Reads resources and prompts, and records each reading in the audit log with who decided on it. Whether it may be read, and what
 * happens with the content, is asked about elsewhere.
 */
export class ContentReader {
  readonly #registry: HostRegistry;
  readonly #audit: Pick<AuditLog, 'write' | 'note'> | undefined;

  /** Without `audit` nothing is recorded. */
  constructor(registry: HostRegistry, audit?: Pick<AuditLog, 'write' | 'note'>) {
    this.#registry = registry;
    this.#audit = audit;
  }

  /** Resolves when the running servers have listed what they have, or when their time is over. */
  async listed(signal: AbortSignal): Promise<void> {
    const running = this.#registry.servers().filter(({ state }) => state.kind === 'ready');
    await atMost(Promise.all(running.map(({ id }) => this.#registry.features(id).listed)), maxListMs, signal);
  }

  /** Tells a server from a later one of the same name, by what the person allowed to start. */
  identityOf(serverId: string): string {
    return this.#registry.find(serverId)?.identity ?? '';
  }

  /** Rejects with an AppError, or with an AbortError when the signal fired. */
  async read(read: ContentRead): Promise<readonly ServerContent[]> {
    return read.kind === 'resource'
      ? contentOfResource(await this.readResource(read))
      : contentOfPrompt((await this.getPrompt(read)).messages);
  }

  /** Reads a prompt like `read`, but keeps its messages as the server gave them. */
  getPrompt(read: PromptRead): Promise<PromptContent> {
    const { serverId, name, arguments: args, signal, ask, client } = read;
    return this.#onRecord(read, async () => this.#registry.features(serverId).getPrompt(name, args, { signal, ask, client }));
  }

  /** Reads a resource like `read`, but keeps the MIME types that the server gave. */
  readResource(read: ResourceRead): Promise<readonly ResourcePart[]> {
    const { serverId, uri, signal, ask, client } = read;
    return this.#onRecord(read, async () => this.#registry.features(serverId).readResource(uri, { signal, ask, client }));
  }

  /** Reads all files of a skill, as one reading on record. */
  readSkill(read: ResourceRead): Promise<readonly ReadSkillFile[]> {
    const { serverId, uri, signal, ask } = read;
    return this.#onRecord(read, async () => this.#registry.features(serverId).readSkill(uri, { signal, ask }));
  }

  /**
   * Reads a resource that the person has open again, because its server says that it changed. The audit log gets a sum of
   * such readings: see `noteRefreshes`.
   */
  async refreshResource({ serverId, uri, signal }: Pick<ResourceRead, 'serverId' | 'uri' | 'signal'>): Promise<readonly ResourcePart[]> {
    return this.#registry.features(serverId).readResource(uri, { signal });
  }

  noteRefreshes({ serverId, principal, recordedAs }: Pick<Wished, 'serverId' | 'principal' | 'recordedAs'>, refreshes: Refreshes): void {
    const { times, failed } = refreshes;
    this.#audit?.note({
      principal,
      peer: this.#registry.labelOf(serverId),
      action: 'readResource',
      subject: `${recordedAs} again, ${times} times${failed === 0 ? '' : `, of which ${failed} failed`}`,
      decidedBy: 'nobody',
      outcome: failed === times ? 'failed' : 'succeeded',
    });
  }

  async #onRecord<T>(read: ContentRead, ask: () => Promise<T>): Promise<T> {
    const started = performance.now();
    const record = this.#recordOf(read);
    // As with every call to a configured server, nothing is asked of it that could not be recorded first.
    if (this.#registry.definitionOf(read.serverId) !== undefined) {
      await this.#audit?.write({ ...record, outcome: 'started' });
    }
    let outcome: AuditRecord['outcome'] = 'succeeded';
    try {
      return await ask();
    } catch (error) {
      outcome = read.signal.aborted || isAbort(error) ? 'cancelled' : 'failed';
      throw error;
    } finally {
      this.#audit?.note({ ...record, outcome, durationMs: performance.now() - started });
    }
  }

  #recordOf(read: ContentRead): Omit<AuditRecord, 'outcome'> {
    return {
      principal: read.principal,
      peer: this.#registry.labelOf(read.serverId),
      action: read.kind === 'resource' ? 'readResource' : 'getPrompt',
      subject: read.recordedAs,
      ...(read.kind === 'prompt' && { arguments: { ...read.arguments } }),
      decidedBy: read.decidedBy,
    };
  }
}

/** The time between two lines about one resource. */
const lineMs = 60_000;

/** How often a resource was read again, and how often that failed, since the last line about it. */
export interface Refreshes {
  readonly times: number;
  readonly failed: number;
}

/** Sums up repeated readings for the audit log, because one line for each could push other lines out. */
export class RefreshRecord implements Disposable {
  readonly #clock: Clock;
  readonly #write: (refreshes: Refreshes) => void;
  #timer: Disposable | undefined;
  #times = 0;
  #failed = 0;
  #isOver = false;

  constructor(clock: Clock, write: (refreshes: Refreshes) => void) {
    this.#clock = clock;
    this.#write = write;
  }

  add(isRead: boolean): void {
    this.#times += 1;
    this.#failed += isRead ? 0 : 1;
    if (this.#isOver) {
      this.#sumUp(); // the reading was under way at the end
    } else {
      this.#timer ??= this.#clock.schedule(lineMs, () => this.#sumUp());
    }
  }

  /** Writes what was not written yet. */
  dispose(): void {
    this.#isOver = true;
    this.#sumUp();
  }

  #sumUp(): void {
    const refreshes = { times: this.#times, failed: this.#failed };
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#times = 0;
    this.#failed = 0;
    if (refreshes.times > 0) {
      this.#write(refreshes);
    }
  }
}
