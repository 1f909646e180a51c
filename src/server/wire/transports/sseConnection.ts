import type { ServerResponse } from 'node:http';
import type { HeldConnection } from './streamHub.ts';

/** What a reader may leave unread before it is cut off. */
export const maxUnreadBytes = 8 * 1024 * 1024;

const sseHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** One open `text/event-stream` answer. */
export class SseConnection implements HeldConnection {
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
    this.giveWay();
  }

  giveWay(): void {
    this.end();
    if (this.#response.writableLength > 0) {
      this.#response.destroy(); // who does not read would keep it
    }
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
