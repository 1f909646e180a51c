// resources/: resources and prompts that a person asked for: read once, on record (this file), or kept open and up to date
// (liveResources.ts).
import { atMost } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { isAbort } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { AuditLog, AuditRecord } from '../../consent/audit/auditLog.ts';
import type { Ask } from '../../consent/consentGate.ts';
import type { Principal } from '../../consent/consentModel.ts';
import type { ResourcePart } from '../features/resources.ts';
import { contentOfPrompt, contentOfResource, type PromptContent, type ServerContent } from '../features/serverContent.ts';
import type { HostRegistry } from '../hostRegistry.ts';

interface Wished {
  readonly principal: Principal;
  readonly serverId: string;
  readonly signal: AbortSignal;
  /** Where what the server asks meanwhile is shown; the usual place without it. */
  readonly ask?: Ask | undefined;
  /** For the record: free of secrets. */
  readonly recordedAs: string;
}

type ResourceRead = Wished & { readonly kind: 'resource'; readonly uri: string };
type PromptRead = Wished & { readonly kind: 'prompt'; readonly name: string; readonly arguments: Readonly<Record<string, string>> };
export type ContentRead = ResourceRead | PromptRead;

/** A server that never lists what it has is not waited for. */
const maxListMs = 5_000;

/** Reads resources and prompts as the person wished, each with its lines on record. What becomes of them is asked elsewhere. */
export class ContentReader {
  readonly #registry: HostRegistry;
  readonly #audit: Pick<AuditLog, 'write' | 'note'> | undefined;

  /** Without `audit` nothing is recorded. */
  constructor(registry: HostRegistry, audit?: Pick<AuditLog, 'write' | 'note'>) {
    this.#registry = registry;
    this.#audit = audit;
  }

  /** Resolves when what running servers have is known, as far as they say it in time. */
  async listed(signal: AbortSignal): Promise<void> {
    const running = this.#registry.servers().filter(({ state }) => state.kind === 'ready');
    await atMost(Promise.all(running.map(({ id }) => this.#registry.features(id).listed)), maxListMs, signal);
  }

  /** Tells a server from another of its name that came later: what the person allowed to start. */
  identityOf(serverId: string): string {
    return this.#registry.find(serverId)?.runsOn?.fingerprint ?? '';
  }

  /** Rejects with an AppError, or with an AbortError when the signal fired. */
  async read(read: ContentRead): Promise<readonly ServerContent[]> {
    return read.kind === 'resource'
      ? contentOfResource(await this.readResource(read))
      : contentOfPrompt((await this.#onRecord(read, () => this.#prompt(read))).messages);
  }

  /** The same of a resource, with the kind of content that the server says it is. */
  readResource(read: ResourceRead): Promise<readonly ResourcePart[]> {
    const { serverId, uri, signal, ask } = read;
    return this.#onRecord(read, async () => this.#registry.features(serverId).readResource(uri, { signal, ask }));
  }

  /** Once more what the person has open, because its server says that it changed. On record as a sum: `noteRefreshes`. */
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

  async #prompt({ serverId, name, arguments: args, signal, ask }: PromptRead): Promise<PromptContent> {
    return this.#registry.features(serverId).getPrompt(name, args, { signal, ask });
  }

  async #onRecord<T>(read: ContentRead, ask: () => Promise<T>): Promise<T> {
    const started = performance.now();
    const record = this.#recordOf(read);
    // As every call to a configured server: nothing is asked of it that could not be written down.
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
      decidedBy: 'person', // who has just named it
    };
  }
}

/** Between two lines of one resource. */
const lineMs = 60_000;

/** What was read again by itself since the last line about it. */
export interface Refreshes {
  readonly times: number;
  readonly failed: number;
}

/** Sums up for the record what a server makes be read again: it must not push the rest of the record out. */
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
      this.#sumUp(); // a reading that was under way
    } else {
      this.#timer ??= this.#clock.schedule(lineMs, () => this.#sumUp());
    }
  }

  /** What was not written yet is. */
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
