import { isJsonObject } from '../../base/json.ts';
import type { MessageTransport } from '../../base/transport.ts';
import type { JSONRPCMessage, Transport } from '../shared/sdk.ts';

/** A pipe of ours as a transport of the SDK's. Both have the same shape; only their message types have different names. */
export class AdaptedTransport implements Transport {
  readonly #pipe: MessageTransport;
  #isClosed = false;

  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;

  constructor(pipe: MessageTransport) {
    this.#pipe = pipe;
  }

  start(): Promise<void> {
    this.#pipe.onmessage = (message) => this.onmessage?.(message as unknown as JSONRPCMessage);
    this.#pipe.onerror = (error) => this.onerror?.(error);
    this.#pipe.onclose = () => this.#markClosed();
    return this.#pipe.start();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const plain: unknown = message;
    if (isJsonObject(plain)) {
      await this.#pipe.send(plain);
    }
  }

  async close(): Promise<void> {
    await this.#pipe.close();
    this.#markClosed();
  }

  #markClosed(): void {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.onclose?.();
    }
  }
}
