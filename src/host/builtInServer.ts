import { isJsonObject } from '../base/json.ts';
import type { MessageTransport } from '../base/transport.ts';
import type { OwnCalls } from '../consent/ownCalls.ts';
import type { Risk } from './shared/serverState.ts';
import type { JSONRPCMessage, Transport } from './shared/sdk.ts';

export interface BuiltInServer {
  readonly name: string;
  readonly openTransport: () => Promise<MessageTransport>;
  readonly riskOf: (tool: string) => Risk;
  /** Left out: every call is asked about here. */
  readonly ownQuestions?: OwnQuestions | undefined;
}

/** Of a server inside the editor that asks the person itself: with more to show than the call, and no second time. */
export interface OwnQuestions {
  readonly calls: OwnCalls;
  asksItself(tool: string): boolean;
  /** The tools that only look, by name: the chat is asked about them once, for all. Others of those that ask nothing are asked about one by one. */
  readonly onlyLooking: readonly string[];
}

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
