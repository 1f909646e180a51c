import { isJsonObject } from '../base/json.ts';
import type { MessageTransport } from '../base/transport.ts';
import type { OwnCalls } from '../consent/ownCalls.ts';
import type { Risk } from './shared/serverState.ts';
import type { JSONRPCMessage, Transport } from './shared/sdk.ts';

export interface BuiltInServer {
  readonly name: string;
  readonly openTransport: () => Promise<MessageTransport>;
  readonly riskOf: (tool: string) => Risk;
  /** Without it every call is asked about by the host. */
  readonly ownQuestions?: OwnQuestions | undefined;
}

/** For a server inside the editor that asks the person itself: it can show more than the call, and nobody is asked twice. */
export interface OwnQuestions {
  readonly calls: OwnCalls;
  asksItself(tool: string): boolean;
  /**
   * The names of the tools that only look at the editor: the chat is asked about all of them at once. Other tools without a
   * question of their own are asked about one by one.
   */
  readonly onlyLooking: readonly string[];
}

/** Makes a transport of the SDK from one of ours. Both have the same shape; only their message types have different names. */
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
