import type { ServerResponse } from 'node:http';
import type { Disposable } from '../../../base/lifecycle.ts';
import type { Clock } from '../../../base/clock.ts';
import type { CredentialStore } from '../../access/credentials.ts';
import type { WireCredential } from '../../seen/viewer.ts';

/** What a reader may leave unread before it is cut off. */
export const maxUnreadBytes = 8 * 1024 * 1024;

const sseHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** One open `text/event-stream` answer. */
export class SseConnection {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse, headers: Readonly<Record<string, string>> = {}) {
    this.#response = response;
    response.writeHead(200, { ...sseHeaders, ...headers });
    response.flushHeaders();
  }

  get isOpen(): boolean {
    return !this.#response.writableEnded && !this.#response.destroyed;
  }

  message(text: string, id?: string): void {
    this.#write(id === undefined ? `event: message\ndata: ${text}\n\n` : `id: ${id}\nevent: message\ndata: ${text}\n\n`);
  }

  endpoint(url: string): void {
    this.#write(`event: endpoint\ndata: ${url}\n\n`);
  }

  /** An event without content: it gives the client an id to come back with. */
  prime(id: string): void {
    this.#write(`id: ${id}\ndata: \n\n`);
  }

  keepAlive(): void {
    this.#write(': \n\n');
  }

  end(): void {
    this.#response.end();
  }

  /** A client comes back with a new token, and where the stream allows it, to where it was. */
  expire(): void {
    this.end();
  }

  onClose(listener: () => void): void {
    this.#response.once('close', listener);
  }

  #write(text: string): void {
    if (!this.isOpen) {
      return;
    }
    this.#response.write(text);
    if (this.#response.writableLength > maxUnreadBytes) {
      this.#response.destroy();
    }
  }
}

/** A long-lived connection of any kind. */
export interface HeldConnection {
  keepAlive(): void;
  end(): void;
  /** Its token's time is over. */
  expire(): void;
}

/** All open streams and sockets of the listener: bounded, kept alive by one timer, and open no longer than their tokens are valid. */
export class StreamHub implements Disposable {
  readonly #limit: number;
  readonly #clock: Clock;
  readonly #interval: number;
  readonly #credentials: CredentialStore;
  readonly #open = new Map<HeldConnection, WireCredential>();
  readonly #lapses: Disposable;
  #timer: Disposable | undefined;

  constructor(limit: number, clock: Clock, keepAliveMs: number, credentials: CredentialStore) {
    this.#limit = limit;
    this.#clock = clock;
    this.#interval = keepAliveMs;
    this.#credentials = credentials;
    this.#lapses = credentials.onDidLapse(() => this.#expire());
  }

  get isFull(): boolean {
    return this.#open.size >= this.#limit;
  }

  open(response: ServerResponse, credential: WireCredential, headers?: Readonly<Record<string, string>>): SseConnection {
    const connection = new SseConnection(response, headers);
    connection.onClose(this.hold(connection, credential));
    return connection;
  }

  /** Returns what lets go of it. */
  hold(connection: HeldConnection, credential: WireCredential): () => void {
    this.#open.set(connection, credential);
    this.#timer ??= this.#schedule();
    return () => this.#open.delete(connection);
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#lapses.dispose();
    for (const connection of [...this.#open.keys()]) {
      connection.end();
    }
  }

  #schedule(): Disposable {
    return this.#clock.schedule(this.#interval, () => {
      // The timers of tokens stand still while the machine sleeps.
      this.#expire();
      for (const connection of this.#open.keys()) {
        connection.keepAlive();
      }
      this.#timer = this.#open.size > 0 ? this.#schedule() : undefined;
    });
  }

  #expire(): void {
    for (const [connection, credential] of [...this.#open]) {
      if (!this.#credentials.holds(credential)) {
        connection.expire();
      }
    }
  }
}
