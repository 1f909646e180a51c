import type { JsonObject } from '../../../src/base/json.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { SessionOptions } from '../../../src/host/connection/serverSession.ts';
import type { JSONRPCMessage, Transport } from '../../../src/host/shared/sdk.ts';
import type { ServerLink } from '../../../src/host/shared/serverLink.ts';
import { checksInProcess } from '../../support/checksInProcess.ts';

/** What a peer answers to a method: at once, later or never. What is thrown fails the sending. */
export type PeerAnswers = Readonly<Record<string, (params: JsonObject) => JsonObject | Promise<JsonObject>>>;

/** A server without a process and without a network, of the revision 2025-11-25. */
export class PeerInMemory implements Transport {
  readonly #answers: PeerAnswers;
  readonly #closing: () => Promise<void>;
  #closed: Promise<void> | undefined;
  /** The methods of what it was sent, in order. */
  readonly asked: string[] = [];
  onmessage: Transport['onmessage'];
  onclose: Transport['onclose'];
  onerror: Transport['onerror'];

  /** `closing` resolves when the server has ended after it was closed. */
  constructor(answers: PeerAnswers, closing: () => Promise<void> = () => Promise.resolve()) {
    this.#answers = { initialize: () => greeting({ tools: { listChanged: true } }), 'tools/list': () => ({ tools: [] }), ...answers };
    this.#closing = closing;
  }

  get link(): ServerLink {
    return { transport: this, end: undefined, lastWords: '' };
  }

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    if (!('method' in message)) {
      return;
    }
    this.asked.push(message.method);
    if ('id' in message) {
      const { id } = message;
      const answering = this.#answers[message.method]?.((message.params ?? {}) as JsonObject);
      void Promise.resolve(answering ?? {}).then((result) => this.onmessage?.({ jsonrpc: '2.0', id, result }));
    }
  }

  /** Sends a notification to the client. */
  notify(method: string): void {
    this.onmessage?.({ jsonrpc: '2.0', method });
  }

  close(): Promise<void> {
    this.#closed ??= this.#closing().then(() => this.onclose?.());
    return this.#closed;
  }
}

export function greeting(capabilities: JsonObject): JsonObject {
  return { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'peer', version: '1' } };
}

export function sessionOptions(more: Partial<SessionOptions> = {}): SessionOptions {
  return { clientVersion: '0', schemas: checksInProcess, timeoutMs: 2_000, filter: undefined, log: silentLog, ...more };
}
