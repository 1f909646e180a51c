import type { JSONRPCMessage, Transport, TransportSendOptions } from './sdk.ts';

/** Requests that say nothing about whether the server has work to do: the two that ask for its health, and one that stays open. */
const idleMethods: ReadonlySet<string> = new Set(['ping', 'server/discover', 'subscriptions/listen']);

/** Knows of one connection which requests the server has to answer still, and how many messages have come from it. */
export class Pulse {
  /** The open requests by their ids, each with the signal that cancels it, if it is cancelled by one. */
  readonly #open = new Map<unknown, AbortSignal | undefined>();
  #heard = 0;

  /** Called after the handshake, which replaces what listens to the transport. */
  follow(transport: Transport): void {
    const receive = transport.onmessage?.bind(transport);
    transport.onmessage = (message, extra) => {
      this.received(message);
      receive?.(message, extra);
    };
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      this.sent(message, options);
      const sending = send(message, options);
      if ('id' in message) {
        sending.catch(() => this.#open.delete(message.id));
      }
      return sending;
    };
  }

  /** The number of messages of any kind that came from the server. */
  get heard(): number {
    return this.#heard;
  }

  /** Whether the server works on a request that nobody has given up. */
  get isAwaited(): boolean {
    for (const [id, signal] of this.#open) {
      if (signal?.aborted === true) {
        this.#open.delete(id);
      }
    }
    return this.#open.size > 0;
  }

  sent(message: JSONRPCMessage, options?: TransportSendOptions): void {
    if (!('method' in message)) {
      return;
    }
    if ('id' in message) {
      if (!idleMethods.has(message.method)) {
        this.#open.set(message.id, options?.requestSignal);
      }
    } else if (message.method === 'notifications/cancelled') {
      this.#open.delete(message.params?.['requestId']);
    }
  }

  received(message: JSONRPCMessage): void {
    this.#heard += 1;
    if (!('method' in message)) {
      this.#open.delete(message.id);
      // The SDK takes the text of a number for that number, so such an answer counts.
      this.#open.delete(Number(message.id));
    }
  }
}
