import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { Emitter } from '../../base/events.ts';
import { type Disposable, DisposableStore, toDisposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import { Sequencer } from '../../base/sequencer.ts';
import { intakeLimits } from '../intake/intakeLimits.ts';
import { Refresher } from '../intake/listReading.ts';
import { hostError } from '../shared/hostErrors.ts';
import { type Client } from '../shared/sdk.ts';
import { fromSdkError } from '../shared/failures.ts';

/** A part of what a server answered to the reading of a resource. There can be several, for example for a folder. */
export type ResourcePart =
  | ({ readonly kind: 'text'; readonly text: string } & PartFacts)
  /** The content as Base64. */
  | ({ readonly kind: 'blob'; readonly data: string } & PartFacts);

interface PartFacts {
  readonly uri: string;
  readonly mimeType: string | undefined;
  /** What the server says about the content beside it. */
  readonly meta?: JsonObject | undefined;
}

/** The most characters of text or Base64 of one resource; a larger one is refused. */
const maxReadSize = intakeLimits.resource.size;
/** The most characters of text or Base64 in the cache of one server; the oldest resources make room. */
const maxCacheSize = 16 * 1024 * 1024;
/** The most resources in the cache of one server. */
const maxCached = 200;
/** The longest time, in ms, for which a resource stays in the cache, whatever its server says. */
const maxTtlMs = 24 * 60 * 60 * 1000;

interface Entry {
  readonly contents: readonly ResourcePart[];
  readonly size: number;
  readonly expiresAt: number;
}

/** Caches what one connection has read, as long as the server allows it. The cache is bounded; the oldest entries are dropped first. */
export class ResourceReads {
  readonly #entries = new Map<string, Entry>();
  /** The readings under way: an answer overtaken by a change is not kept. */
  readonly #underWay = new Set<{ readonly uri: string; isOvertaken: boolean }>();
  readonly #now: () => number;
  #size = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  async read(client: Client, uri: string, options: { timeout: number; signal: AbortSignal }): Promise<readonly ResourcePart[]> {
    const kept = this.#entries.get(uri);
    if (kept !== undefined && kept.expiresAt > this.#now()) {
      return kept.contents;
    }
    this.#remove(uri);
    const reading = { uri, isOvertaken: false };
    this.#underWay.add(reading);
    try {
      // The SDK's own cache counts entries, not bytes, so it is not used.
      const result = await client.readResource({ uri }, { ...options, cacheMode: 'bypass' });
      const contents = result.contents.map(toContent);
      const size = contents.reduce((sum, content) => sum + (content.kind === 'text' ? content.text : content.data).length, 0);
      if (size > maxReadSize) {
        throw hostError('host.resourceTooLarge', { limit: maxReadSize / 1024 / 1024 });
      }
      const ttlMs = Math.min(typeof result.ttlMs === 'number' ? result.ttlMs : 0, maxTtlMs);
      if (ttlMs > 0 && !reading.isOvertaken) {
        this.#keep(uri, { contents, size, expiresAt: this.#now() + ttlMs });
      }
      return contents;
    } finally {
      this.#underWay.delete(reading);
    }
  }

  /** To be called when the server tells of a change: drops that resource, and every other that it is inside of. */
  drop(uri: string): void {
    [...this.#entries.keys()].filter((each) => isWithinResource(uri, each)).forEach((each) => this.#remove(each));
    for (const reading of this.#underWay) {
      reading.isOvertaken ||= isWithinResource(uri, reading.uri);
    }
  }

  #remove(uri: string): void {
    const entry = this.#entries.get(uri);
    if (entry !== undefined) {
      this.#entries.delete(uri);
      this.#size -= entry.size;
    }
  }

  #keep(uri: string, entry: Entry): void {
    this.#remove(uri);
    this.#entries.set(uri, entry);
    this.#size += entry.size;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= maxCacheSize && this.#entries.size <= maxCached) {
        break;
      }
      this.#remove(oldest);
    }
  }
}

type RawContent = Awaited<ReturnType<Client['readResource']>>['contents'][number];

function toContent(raw: RawContent): ResourcePart {
  const { uri, mimeType, _meta } = raw;
  const facts = { uri, mimeType, ...(isJsonObject(_meta) && { meta: _meta }) };
  return 'text' in raw ? { kind: 'text', ...facts, text: raw.text } : { kind: 'blob', ...facts, data: raw.blob };
}

export interface SubscriptionOptions {
  readonly timeoutMs: number;
  readonly log: Log;
}

interface Connection {
  readonly client: Client;
  readonly signal: AbortSignal;
  /** Called when changes of any kind may have been missed. */
  readonly onMissed: () => void;
  /** Opens the stream again. A server that never opened one has none: it may not know how to. */
  again?: Refresher;
}

type Stream = Awaited<ReturnType<Client['listen']>>;

/** A server whose stream lasted for so long gets the next one soon; one that ends them sooner is asked ever more seldom. */
const lastingMs = 60_000;

/**
 * The resources of one server whose changes somebody wants to hear of, over all its connections: each new connection is
 * subscribed again. Up to revision 2025-11-25 each resource is subscribed by itself and list changes come unasked;
 * 2026-07-28 has one stream for all of it.
 */
export class ResourceSubscriptions implements Disposable {
  readonly #options: SubscriptionOptions;
  readonly #lifetime = new DisposableStore();
  readonly #updated = this.#lifetime.add(new Emitter<string>());
  readonly #wanted = new Map<string, number>();
  #connection: Connection | undefined;
  #stream: Stream | undefined;
  /** Runs changes one after the other; each reports its own failure. */
  readonly #changes = new Sequencer();

  /** Fires with the URI that the server names, which may be inside of what was subscribed to. */
  readonly onDidUpdate = this.#updated.event;

  constructor(options: SubscriptionOptions) {
    this.#options = options;
  }

  configure(client: Client): void {
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => this.#updated.fire(params.uri));
  }

  /** `onMissed` is called when the server was not heard for a while, so that the lists have to be read again. */
  attach(client: Client, signal: AbortSignal, onMissed: () => void): void {
    const connection: Connection = { client, signal, onMissed };
    this.#connection = connection;
    void this.#changes.run(async () => {
      if (isModern(client)) {
        await this.#listen(connection);
      } else {
        await Promise.all([...this.#wanted.keys()].map((uri) => this.#tell(connection, 'subscribe', uri)));
      }
    });
  }

  detach(): void {
    this.#connection = undefined;
    this.#stream = undefined;
  }

  /**
   * The subscription holds over reconnections until it is disposed. A server that does not support it is not asked, and no
   * change will come.
   */
  async subscribe(uri: string): Promise<Disposable> {
    const count = this.#wanted.get(uri) ?? 0;
    this.#wanted.set(uri, count + 1);
    if (count === 0) {
      await this.#changeWanted('subscribe', uri);
    }
    return toDisposable(() => this.#release(uri));
  }

  dispose(): void {
    this.#wanted.clear();
    this.#lifetime.dispose();
  }

  #release(uri: string): void {
    const left = (this.#wanted.get(uri) ?? 1) - 1;
    if (left > 0) {
      this.#wanted.set(uri, left);
    } else if (this.#wanted.delete(uri)) {
      void this.#changeWanted('unsubscribe', uri);
    }
  }

  #changeWanted(change: 'subscribe' | 'unsubscribe', uri: string): Promise<void> {
    return this.#changes.run(async () => {
      const connection = this.#connection;
      if (connection === undefined) {
        return;
      }
      await (isModern(connection.client) ? this.#listen(connection) : this.#tell(connection, change, uri));
    });
  }

  async #tell({ client, signal }: Connection, change: 'subscribe' | 'unsubscribe', uri: string): Promise<void> {
    if (client.getServerCapabilities()?.resources?.subscribe !== true) {
      return;
    }
    try {
      const options = { timeout: this.#options.timeoutMs, signal };
      await (change === 'subscribe' ? client.subscribeResource({ uri }, options) : client.unsubscribeResource({ uri }, options));
    } catch (error) {
      this.#report(error, signal);
    }
  }

  /**
   * Opens one stream with everything that is wanted now. The earlier stream is closed afterwards, so that no change is
   * missed in between.
   */
  async #listen(connection: Connection): Promise<void> {
    const { client, signal } = connection;
    const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
    const uris = resources?.subscribe === true ? [...this.#wanted.keys()] : [];
    const filter = {
      ...(tools?.listChanged === true ? { toolsListChanged: true } : {}),
      ...(prompts?.listChanged === true ? { promptsListChanged: true } : {}),
      ...(resources?.listChanged === true ? { resourcesListChanged: true } : {}),
      ...(uris.length > 0 ? { resourceSubscriptions: uris } : {}),
    };
    const before = this.#stream;
    try {
      const stream =
        Object.keys(filter).length === 0 ? undefined : await client.listen(filter, { timeout: this.#options.timeoutMs, signal });
      this.#stream = stream;
      if (stream !== undefined) {
        connection.again ??= new Refresher(() => this.#listenAgain(connection), signal, { restMs: lastingMs });
        void stream.closed.then(() => this.#onEnd(connection, stream));
      }
      await before?.close();
    } catch (error) {
      this.#report(error, signal);
      if (this.#stream === undefined) {
        connection.again?.request();
      }
    }
  }

  /** Only the stream that is in use matters: an earlier one was closed by this side. */
  #onEnd(connection: Connection, stream: Stream): void {
    if (this.#stream === stream) {
      this.#stream = undefined;
      connection.again?.request();
    }
  }

  /** What changed since the stream ended was not told, so that all of it counts as changed. */
  #listenAgain(connection: Connection): Promise<void> {
    return this.#changes.run(async () => {
      await this.#listen(connection);
      if (this.#stream !== undefined) {
        this.#wanted.forEach((_, uri) => this.#updated.fire(uri));
        connection.onMissed();
      }
    });
  }

  #report(error: unknown, signal: AbortSignal): void {
    if (!signal.aborted) {
      this.#options.log.warn(`A subscription failed: ${fromSdkError(error, undefined, this.#options.timeoutMs).message}`);
    }
  }
}

function isModern(client: Client): boolean {
  return client.getProtocolEra() === 'modern';
}

/** Whether a server speaks of what was subscribed to, or of something inside of it. */
export function isWithinResource(uri: string, subscribed: string): boolean {
  return uri === subscribed || uri.startsWith(subscribed.endsWith('/') ? subscribed : `${subscribed}/`);
}
