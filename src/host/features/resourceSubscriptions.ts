import { Emitter } from '../../base/events.ts';
import { DisposableStore, toDisposable, type Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import { fromSdkError, type Client } from '../shared/sdk.ts';

export interface SubscriptionOptions {
  readonly timeoutMs: number;
  readonly log: Log;
}

interface Connection {
  readonly client: Client;
  readonly signal: AbortSignal;
}

/**
 * Who wants to hear of changes of which resource, over all connections of one server: a new connection is told anew. Revisions
 * up to 2025-11-25 subscribe one resource at a time and send list changes unasked; 2026-07-28 has one stream for all of it.
 */
export class ResourceSubscriptions implements Disposable {
  readonly #options: SubscriptionOptions;
  readonly #lifetime = new DisposableStore();
  readonly #updated = this.#lifetime.add(new Emitter<string>());
  readonly #wanted = new Map<string, number>();
  #connection: Connection | undefined;
  #stream: { close(): Promise<void> } | undefined;
  #pending: Promise<void> = Promise.resolve();

  /** The URI the server names: it may be one inside what was subscribed to. */
  readonly onDidUpdate = this.#updated.event;

  constructor(options: SubscriptionOptions) {
    this.#options = options;
  }

  configure(client: Client): void {
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => this.#updated.fire(params.uri));
  }

  attach(client: Client, signal: AbortSignal): void {
    const connection = { client, signal };
    this.#connection = connection;
    void this.#inTurn(async () => {
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

  /** Holds until it is disposed, over reconnections. A server that cannot do it is never asked; nothing will come then. */
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
    return this.#inTurn(async () => {
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

  /** One stream with everything wanted now; the one before is closed after, so that nothing is missed between them. */
  async #listen({ client, signal }: Connection): Promise<void> {
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
      this.#stream =
        Object.keys(filter).length === 0 ? undefined : await client.listen(filter, { timeout: this.#options.timeoutMs, signal });
      await before?.close();
    } catch (error) {
      this.#report(error, signal);
    }
  }

  /** Never rejects: changes are told one after the other, and each reports its own failure. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#pending = this.#pending.then(work);
    return this.#pending;
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
