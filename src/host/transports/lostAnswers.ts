import type { JSONRPCMessage, TransportSendOptions } from '../shared/sdk.ts';

export interface SendOptions extends TransportSendOptions {
  readonly onRequestStreamEnd?: () => void;
}

type RequestId = string | number;

/** The SDK lets a request whose stream ended without an answer wait for its timeout; here that is noticed at once. */
export class LostAnswers {
  readonly #onLost: (id: RequestId) => void;
  readonly #unanswered = new Set<RequestId>();

  constructor(onLost: (id: RequestId) => void) {
    this.#onLost = onLost;
  }

  /** The options to send the message with. */
  watch(message: JSONRPCMessage, options: SendOptions | undefined): SendOptions | undefined {
    if (!('method' in message) || !('id' in message)) {
      return options;
    }
    const { id, method } = message;
    this.#unanswered.add(id);
    const onRequestStreamEnd = (): void => {
      const isLost = this.#unanswered.delete(id);
      options?.onRequestStreamEnd?.();
      // The end of a subscription the SDK notices by itself.
      if (isLost && method !== 'subscriptions/listen') {
        this.#onLost(id);
      }
    };
    return { ...options, onRequestStreamEnd };
  }

  received(message: JSONRPCMessage): void {
    if (!('method' in message) && message.id !== undefined) {
      this.#unanswered.delete(message.id);
    }
  }
}
