import type { ServerResponse } from 'node:http';
import type { ReplySink } from '../../protocol/rpc/replySink.ts';
import { sendJson } from '../http/jsonAnswer.ts';
import type { SseConnection } from './sseConnection.ts';
import type { StreamHub, StreamOwner } from './streamHub.ts';

export interface PostOptions {
  readonly response: ServerResponse;
  readonly owner: StreamOwner;
  readonly hub: StreamHub;
  readonly acceptsJson: boolean;
  readonly acceptsSse: boolean;
}

/** The answer to one POST without a session: plain JSON if nothing comes before it, a stream otherwise. Nothing is kept for later. */
export class ModernPost implements ReplySink {
  readonly #options: PostOptions;
  #stream: SseConnection | undefined;

  constructor(options: PostOptions) {
    this.#options = options;
  }

  respond(text: string, status = 200): void {
    const { response, acceptsJson } = this.#options;
    if (this.#stream === undefined && (acceptsJson || status !== 200)) {
      sendJson(response, status, text);
      return;
    }
    const stream = this.#open();
    stream?.message(text);
    stream?.end();
  }

  notify(text: string): void {
    const { acceptsSse, hub, owner } = this.#options;
    if (this.#stream !== undefined || (acceptsSse && hub.hasRoom(owner))) {
      this.#open()?.message(text);
    }
  }

  abandon(): void {
    this.#options.response.destroy();
  }

  #open(): SseConnection | undefined {
    const { response, owner, hub } = this.#options;
    if (this.#stream === undefined && !response.headersSent && !response.destroyed) {
      this.#stream = hub.open(response, owner);
    }
    return this.#stream;
  }
}
