import { isJsonObject, type JsonObject } from '../base/json.ts';
import { bridgeError } from './bridgeErrors.ts';
import type { HostState } from './hostState.ts';
import { metaKey } from '../contract/protocolNames.ts';
import { answeredId, metaOf, type RequestId, type RpcRequest } from './messages.ts';
import type { Link } from './windowLink.ts';

/** Brings a new window to where the host believes it to be. What the window answers to that is not the host's business. */
export class Replay {
  readonly #link: Link;
  readonly #state: HostState;
  readonly #ours = new Map<RequestId, (answer: JsonObject) => void>();
  #count = 0;

  constructor(link: Link, state: HostState) {
    this.#link = link;
    this.#state = state;
  }

  /** `pending` have not been sent to any window yet and will be. */
  async run(pending: ReadonlySet<RequestId>, timeoutMs: number): Promise<void> {
    const { handshake, logLevel, subscriptions, listens } = this.#state;
    if (handshake !== undefined) {
      const answer = await this.#ask('initialize', isJsonObject(handshake.params) ? handshake.params : {}, timeoutMs);
      if (!isJsonObject(answer.result)) {
        throw bridgeError('bridge.handshake');
      }
      // Read here: the host may say it while the window hears the rest.
      const { initialized } = this.#state;
      if (initialized !== undefined) {
        this.#link.send(initialized);
      }
      const again = subscriptions.map((uri) => this.#ask('resources/subscribe', { uri }, timeoutMs));
      if (logLevel !== undefined) {
        again.push(this.#ask('logging/setLevel', logLevel, timeoutMs));
      }
      // A subscription may wait for the person's approval: nothing else waits for it.
      void Promise.allSettled(again);
    }
    for (const listen of listens.filter(({ id }) => !pending.has(id))) {
      this.#link.send(requestText(listen));
    }
  }

  /** Whether a message of the window is for us and not for the host. */
  takes(message: JsonObject): boolean {
    const id = answeredId(message);
    const resolve = id === undefined ? undefined : this.#ours.get(id);
    if (id !== undefined && resolve !== undefined) {
      this.#ours.delete(id);
      resolve(message);
      return true;
    }
    return message.method === 'notifications/subscriptions/acknowledged' && this.#isRepeated(message);
  }

  #isRepeated({ params }: JsonObject): boolean {
    const id = isJsonObject(params) ? metaOf(params)[metaKey.subscriptionId] : undefined;
    return (typeof id === 'string' || typeof id === 'number') && this.#state.acknowledge(id) === 'again';
  }

  #ask(method: string, params: JsonObject, timeoutMs: number): Promise<JsonObject> {
    this.#count += 1;
    const id = `duplex-bridge-replay-${this.#count}`;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(bridgeError('bridge.timeout')), timeoutMs);
      timer.unref();
      this.#ours.set(id, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      this.#link.send(requestText({ id, method, params }));
    });
  }
}

function requestText({ id, method, params }: RpcRequest): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}
