import type { ServerResponse } from 'node:http';
import type { Disposable } from '../../../base/lifecycle.ts';
import type { Clock } from '../../../base/clock.ts';

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
}

/** All open streams and sockets of the listener: bounded, and kept alive by one timer. */
export class StreamHub implements Disposable {
  readonly #limit: number;
  readonly #clock: Clock;
  readonly #interval: number;
  readonly #open = new Set<HeldConnection>();
  #timer: Disposable | undefined;

  constructor(limit: number, clock: Clock, keepAliveMs: number) {
    this.#limit = limit;
    this.#clock = clock;
    this.#interval = keepAliveMs;
  }

  get isFull(): boolean {
    return this.#open.size >= this.#limit;
  }

  open(response: ServerResponse, headers?: Readonly<Record<string, string>>): SseConnection {
    const connection = new SseConnection(response, headers);
    connection.onClose(this.hold(connection));
    return connection;
  }

  /** Returns what lets go of it. */
  hold(connection: HeldConnection): () => void {
    this.#open.add(connection);
    this.#timer ??= this.#schedule();
    return () => this.#open.delete(connection);
  }

  dispose(): void {
    this.#timer?.dispose();
    for (const connection of [...this.#open]) {
      connection.end();
    }
  }

  #schedule(): Disposable {
    return this.#clock.schedule(this.#interval, () => {
      for (const connection of this.#open) {
        connection.keepAlive();
      }
      this.#timer = this.#open.size > 0 ? this.#schedule() : undefined;
    });
  }
}
