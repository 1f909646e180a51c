import { atMost, pause } from '../../base/abort.ts';
import { systemClock, type Clock } from '../../base/clock.ts';
import { isAbort, messageOf } from '../../base/errors.ts';
import { Emitter } from '../../base/events.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import { type ContentReader, type Refreshes, RefreshRecord } from './contentReader.ts';
import { type ResourcePart, isWithinResource } from '../features/resources.ts';
import type { ServerFeatures } from '../features/serverFeatures.ts';
import type { HostRegistry } from '../hostRegistry.ts';

/** One resource of one server. */
export interface ResourceRef {
  readonly serverId: string;
  readonly uri: string;
}

export interface ReadResource {
  readonly contents: readonly ResourcePart[];
  /** The time of the last change, which is later with every change. */
  readonly changedAt: number;
}

export interface LiveResourcesOptions {
  readonly registry: Pick<HostRegistry, 'servers' | 'features' | 'onDidChange'>;
  readonly reader: Pick<ContentReader, 'readResource' | 'refreshResource' | 'noteRefreshes'>;
  /** The address as the audit log may have it: free of secrets. */
  readonly recordedAs: (uri: string) => Promise<string>;
  readonly log: Log;
  readonly clock?: Clock | undefined;
}

/** The pause between two readings of a resource that changes. It doubles up to `maxGapMs` while the server keeps reporting changes. */
const minGapMs = 250;
/** The longest pause, in ms, between two readings of a resource that changes. */
const maxGapMs = 5_000;
/** After so long without a reading the pause is short again. */
const restMs = 10_000;
/** How long a new window waits for the server of a resource that was open before. */
const maxStartMs = 30_000;
/** How long, in ms, a server may take to answer a subscription before the resource is read without it. */
const maxSubscribeMs = 3_000;
/** The most resources that are open; the one that was used longest ago is closed. */
const maxOpen = 200;
/**
 * The characters of text or Base64 that are kept of all resources together. What was not looked at for longest is dropped,
 * and read again when it is looked at.
 */
const maxHeld = 64 * 1024 * 1024;

interface Entry extends ResourceRef {
  readonly gone: AbortController;
  held: ReadResource | undefined;
  /** When the content last changed; it is set also when the content is not kept any more. */
  changedAt: number | undefined;
  reading: Promise<ReadResource> | undefined;
  subscription: { readonly features: ServerFeatures; readonly made: Promise<Disposable> } | undefined;
  updates: Disposable | undefined;
  isStale: boolean;
  isRefreshing: boolean;
  gapMs: number;
  refreshedAt: number | undefined;
  readonly record: RefreshRecord;
}

/**
 * Keeps the resources that the person has open. Each is read once, and again when its server reports a change or comes back.
 * Nobody is asked, because the person opened them.
 */
export class LiveResources implements Disposable {
  readonly #options: LiveResourcesOptions;
  readonly #clock: Clock;
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<ResourceRef>());
  readonly #entries = new Map<string, Entry>();
  #ready: ReadonlySet<string>;

  /** Fires when the content of a resource has changed. */
  readonly onDidChange = this.#changed.event;

  constructor(options: LiveResourcesOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#ready = this.#readyServers();
    this.#lifetime.add(options.registry.onDidChange(() => this.#noticeServers()));
  }

  /** Reads the resource anew, even if it is known. Rejects with an AppError, or with an AbortError when the signal fired. */
  async open(ref: ResourceRef, signal: AbortSignal): Promise<ReadResource> {
    const isKnown = this.#entries.has(keyOf(ref));
    const entry = this.#entry(ref);
    try {
      return await this.#readAndHold(entry, AbortSignal.any([signal, entry.gone.signal]));
    } catch (error) {
      if (!isKnown) {
        this.close(ref);
      }
      throw error;
    }
  }

  /** The content as it was read last; an unknown resource is read once its server runs. Rejects with an AppError. */
  async content(ref: ResourceRef): Promise<ReadResource> {
    const entry = this.#entry(ref);
    if (entry.held !== undefined) {
      return entry.held;
    }
    entry.reading ??= this.#firstRead(entry).finally(() => (entry.reading = undefined));
    return entry.reading;
  }

  /** Called when nobody looks at the resource any more. */
  close(ref: ResourceRef): void {
    const entry = this.#entries.get(keyOf(ref));
    if (entry !== undefined) {
      this.#entries.delete(keyOf(ref));
      this.#release(entry);
    }
  }

  dispose(): void {
    this.#entries.forEach((entry) => this.#release(entry));
    this.#entries.clear();
    this.#lifetime.dispose();
  }

  async #firstRead(entry: Entry): Promise<ReadResource> {
    await this.#untilReady(entry);
    return this.#readAndHold(entry, entry.gone.signal);
  }

  /** Subscribes before it reads, so that no change is missed. A server that does not answer the subscription is read nevertheless. */
  async #readAndHold(entry: Entry, signal: AbortSignal): Promise<ReadResource> {
    await atMost(this.#subscribe(entry), maxSubscribeMs, signal);
    const { serverId, uri } = entry;
    const recordedAs = await this.#options.recordedAs(uri);
    const whose = { principal: 'palette', decidedBy: 'person' } as const;
    const contents = await this.#options.reader.readResource({ kind: 'resource', ...whose, serverId, uri, signal, recordedAs });
    return this.#hold(entry, contents);
  }

  /** Moves the entry to the end: the entries are in the order in which they were looked at. */
  #entry({ serverId, uri }: ResourceRef): Entry {
    const key = keyOf({ serverId, uri });
    const known = this.#entries.get(key) ?? this.#newEntry({ serverId, uri });
    this.#entries.delete(key);
    this.#entries.set(key, known);
    for (const oldest of [...this.#entries.values()].slice(0, -maxOpen)) {
      this.close(oldest);
    }
    return known;
  }

  #hold(entry: Entry, contents: readonly ResourcePart[]): ReadResource {
    if (entry.held !== undefined && isSameContent(entry.held.contents, contents)) {
      return entry.held;
    }
    const before = entry.changedAt;
    entry.changedAt = Math.max(this.#clock.wallTime(), (before ?? 0) + 1);
    const held = { contents, changedAt: entry.changedAt };
    if (!entry.gone.signal.aborted) {
      entry.held = held;
      this.#dropOldest(entry);
      if (before !== undefined) {
        this.#changed.fire({ serverId: entry.serverId, uri: entry.uri });
      }
    }
    return held;
  }

  #dropOldest(newest: Entry): void {
    const held = [...this.#entries.values()].filter((entry) => entry.held !== undefined && entry !== newest);
    let size = [...held, newest].reduce((sum, entry) => sum + sizeOf(entry.held?.contents ?? []), 0);
    for (const entry of held) {
      if (size <= maxHeld) {
        break;
      }
      size -= sizeOf(entry.held?.contents ?? []);
      entry.held = undefined;
    }
  }

  async #subscribe(entry: Entry): Promise<void> {
    const features = this.#featuresOf(entry.serverId);
    if (features === undefined || entry.gone.signal.aborted) {
      return;
    }
    if (entry.subscription?.features !== features) {
      this.#unsubscribe(entry);
      entry.updates = features.onDidUpdateResource((uri) => (isWithinResource(uri, entry.uri) ? this.#refresh(entry) : undefined));
      entry.subscription = { features, made: features.subscribe(entry.uri) };
    }
    await entry.subscription.made;
  }

  #unsubscribe(entry: Entry): void {
    entry.updates?.dispose();
    void entry.subscription?.made.then((made) => made.dispose());
    entry.subscription = undefined;
    entry.updates = undefined;
  }

  /** Many notifications within a moment cause one reading; when it fails, the earlier content stays. */
  #refresh(entry: Entry): void {
    entry.isStale = true;
    if (!entry.isRefreshing) {
      entry.isRefreshing = true;
      void this.#refreshWhileStale(entry);
    }
  }

  async #refreshWhileStale(entry: Entry): Promise<void> {
    const { signal } = entry.gone;
    while (entry.isStale && !signal.aborted) {
      entry.isStale = false;
      await this.#readAgain(entry);
      await pause(this.#clock, this.#nextGap(entry), signal).catch(() => undefined);
    }
    entry.isRefreshing = false;
  }

  async #readAgain(entry: Entry): Promise<void> {
    const { serverId, uri, record } = entry;
    try {
      this.#hold(entry, await this.#options.reader.refreshResource({ serverId, uri, signal: entry.gone.signal }));
      record.add(true);
    } catch (error) {
      record.add(false);
      if (!isAbort(error)) {
        this.#options.log.warn(`A resource that is open could not be read again: ${messageOf(error)}`);
      }
    }
  }

  /** The pause depends on the time since the last reading, because a server could report a change just after each pause. */
  #nextGap(entry: Entry): number {
    const now = this.#clock.now();
    const keepsTelling = entry.refreshedAt !== undefined && now - entry.refreshedAt < restMs;
    entry.refreshedAt = now;
    entry.gapMs = keepsTelling ? Math.min(entry.gapMs * 2, maxGapMs) : minGapMs;
    return entry.gapMs;
  }

  #newEntry(ref: ResourceRef): Entry {
    const nothing = { held: undefined, changedAt: undefined, reading: undefined, subscription: undefined, updates: undefined };
    const quiet = { isStale: false, isRefreshing: false, gapMs: minGapMs, refreshedAt: undefined };
    const record = new RefreshRecord(this.#clock, (refreshes) => void this.#noteRefreshes(ref, refreshes));
    return { ...ref, gone: new AbortController(), ...nothing, ...quiet, record };
  }

  async #noteRefreshes({ serverId, uri }: ResourceRef, refreshes: Refreshes): Promise<void> {
    try {
      const recordedAs = await this.#options.recordedAs(uri);
      this.#options.reader.noteRefreshes({ serverId, principal: 'palette', recordedAs }, refreshes);
    } catch (error) {
      this.#options.log.warn(`What was read again could not be recorded: ${messageOf(error)}`);
    }
  }

  /** A server does not report what changed while it was away, so its resources are read again when it is back. */
  #noticeServers(): void {
    const before = this.#ready;
    this.#ready = this.#readyServers();
    for (const entry of this.#entries.values()) {
      if (this.#ready.has(entry.serverId) && !before.has(entry.serverId) && entry.changedAt !== undefined) {
        void this.#subscribe(entry);
        this.#refresh(entry);
      }
    }
  }

  async #untilReady({ serverId, gone }: Entry): Promise<void> {
    let listening: Disposable | undefined;
    const ready = new Promise<void>((resolve) => {
      const check = (): void => (this.#readyServers().has(serverId) ? resolve() : undefined);
      listening = this.#options.registry.onDidChange(check);
      check();
    });
    try {
      await atMost(ready, maxStartMs, gone.signal);
    } finally {
      listening?.dispose();
    }
  }

  #readyServers(): ReadonlySet<string> {
    const ready = this.#options.registry.servers().filter(({ state }) => state.kind === 'ready');
    return new Set(ready.map(({ id }) => id));
  }

  #featuresOf(serverId: string): ServerFeatures | undefined {
    return this.#options.registry.servers().some(({ id }) => id === serverId) ? this.#options.registry.features(serverId) : undefined;
  }

  #release(entry: Entry): void {
    entry.gone.abort();
    this.#unsubscribe(entry);
    entry.record.dispose();
  }
}

function keyOf({ serverId, uri }: ResourceRef): string {
  return JSON.stringify([serverId, uri]);
}

function sizeOf(contents: readonly ResourcePart[]): number {
  return contents.reduce((sum, content) => sum + dataOf(content).length, 0);
}

function isSameContent(one: readonly ResourcePart[], other: readonly ResourcePart[]): boolean {
  return (
    one.length === other.length &&
    one.every((content, index) => {
      const its = other[index];
      return its?.kind === content.kind && its.uri === content.uri && its.mimeType === content.mimeType && dataOf(its) === dataOf(content);
    })
  );
}

function dataOf(content: ResourcePart): string {
  return content.kind === 'text' ? content.text : content.data;
}
