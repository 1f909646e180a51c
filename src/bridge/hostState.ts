import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { metaKey } from '../contract/protocolNames.ts';
import { answeredId, cancelledId, metaOf, notificationText, type RequestId, type RpcRequest, toRequest } from './messages.ts';
import { bridgeError } from './sentences.ts';
import type { Link } from './windowLink.ts';

const lists = { toolsListChanged: 'tools', promptsListChanged: 'prompts', resourcesListChanged: 'resources' } as const;

/** Keeps what a new window has to be told again of the host's conversation. */
export class HostState {
  #handshake: RpcRequest | undefined;
  #initialized: string | undefined;
  #logLevel: RpcRequest | undefined;
  readonly #subscriptions = new Set<string>();
  readonly #listens = new Map<RequestId, RpcRequest>();
  /** The ids of `subscriptions/listen` requests that were acknowledged to the host. */
  readonly #acknowledged = new Set<RequestId>();
  /** The requests without an answer, the oldest first. */
  readonly #inFlight = new Map<RequestId, { readonly request: RpcRequest; readonly since: number }>();

  get inFlight(): readonly RpcRequest[] {
    return [...this.#inFlight.values()].map(({ request }) => request);
  }

  /** When the request that has waited longest was sent, by `performance.now()`. */
  get waitingSince(): number | undefined {
    const [oldest] = this.#inFlight.values();
    return oldest?.since;
  }

  /** The host's `subscriptions/listen` requests, which outlive a window. */
  get listens(): readonly RpcRequest[] {
    return [...this.#listens.values()];
  }

  get subscriptions(): readonly string[] {
    return [...this.#subscriptions];
  }

  get logLevel(): JsonObject | undefined {
    return this.#logLevel?.params;
  }

  /** The parameters of the handshake, which a new window must hear; `undefined` until one was accepted. */
  get handshake(): JsonObject | undefined {
    return this.#handshake?.params;
  }

  /** Whether a request with this id has no answer yet, or goes on after its acknowledgement. */
  isOpen(id: RequestId): boolean {
    return this.#inFlight.has(id) || this.#listens.has(id);
  }

  get initialized(): string | undefined {
    return this.#initialized;
  }

  fromHost(message: JsonObject, text: string): void {
    const request = toRequest(message);
    if (request === undefined) {
      this.#onNotification(message, text);
      return;
    }
    if (request.method === 'subscriptions/listen') {
      this.#listens.set(request.id, request);
      // An id may be used again once its listener is over: the next one has its own acknowledgement.
      this.#acknowledged.delete(request.id);
      return;
    }
    this.#inFlight.set(request.id, { request, since: performance.now() });
  }

  /**
   * Notes that a listener was acknowledged, and tells whether it was before: the host hears it once, however many windows take it
   * up.
   */
  acknowledge(id: RequestId): 'first' | 'again' {
    const wasAcknowledged = this.#acknowledged.has(id);
    this.#acknowledged.add(id);
    return wasAcknowledged ? 'again' : 'first';
  }

  /** Whether a message ends a subscription because its window goes. It is not over for the host: the next window takes it up. */
  endsSubscription(message: JsonObject): boolean {
    const id = answeredId(message);
    return id !== undefined && this.#listens.has(id) && message.error === undefined;
  }

  /** Takes note of a message to the host, of the window or of the bridge in its place. Only an answer changes anything. */
  noteAnswer(message: JsonObject): void {
    const id = answeredId(message);
    if (id !== undefined) {
      this.#onAnswer(id, message.error === undefined);
    }
  }

  #onAnswer(id: RequestId, wasGranted: boolean): void {
    const request = this.#inFlight.get(id)?.request;
    this.#inFlight.delete(id);
    this.#listens.delete(id);
    if (request === undefined || !wasGranted) {
      return;
    }
    const { uri } = request.params;
    if (request.method === 'initialize') {
      this.#handshake ??= request;
    } else if (request.method === 'resources/subscribe' && typeof uri === 'string') {
      this.#subscriptions.add(uri);
    } else if (request.method === 'resources/unsubscribe' && typeof uri === 'string') {
      this.#subscriptions.delete(uri);
    } else if (request.method === 'logging/setLevel') {
      this.#logLevel = request;
    }
  }

  /** The notifications that tell the host to look again, in the way of its protocol revision. */
  changeNotices(): readonly string[] {
    const legacy =
      this.#initialized === undefined
        ? []
        : [
            ...Object.values(lists).map((part) => notificationText(`notifications/${part}/list_changed`)),
            ...this.subscriptions.map((uri) => notificationText('notifications/resources/updated', { uri })),
          ];
    return [...legacy, ...this.listens.flatMap(noticesFor)];
  }

  #onNotification(message: JsonObject, text: string): void {
    const cancelled = cancelledId(message);
    if (cancelled !== undefined) {
      this.#inFlight.delete(cancelled);
      this.#listens.delete(cancelled);
      this.#acknowledged.delete(cancelled);
    } else if (message.method === 'notifications/initialized') {
      this.#initialized = text;
    }
  }
}

/** The filter by which a listener says what it wants to be told of. */
export function filterOf({ params }: RpcRequest): JsonObject {
  return isJsonObject(params.notifications) ? params.notifications : {};
}

function noticesFor(listen: RpcRequest): string[] {
  const filter = filterOf(listen);
  const _meta = { [metaKey.subscriptionId]: listen.id };
  const parts = (Object.keys(lists) as (keyof typeof lists)[]).filter((kind) => filter[kind] === true).map((kind) => lists[kind]);
  const uris = Array.isArray(filter.resourceSubscriptions) ? (filter.resourceSubscriptions as readonly JsonValue[]) : [];
  return [
    ...parts.map((part) => notificationText(`notifications/${part}/list_changed`, { _meta })),
    ...uris.map((uri) => notificationText('notifications/resources/updated', { uri, _meta })),
  ];
}

/** Tells a new window what the host has told earlier windows. What the window answers to that is not passed on to the host. */
export class Replay {
  readonly #link: Link;
  readonly #state: HostState;
  readonly #toHost: (text: string) => void;
  readonly #ours = new Map<RequestId, (answer: JsonObject) => void>();
  /** The resources whose subscription the window did not take up, because its person was still being asked. */
  readonly #unanswered = new Set<string>();
  #count = 0;

  constructor(link: Link, state: HostState, toHost: (text: string) => void) {
    this.#link = link;
    this.#state = state;
    this.#toHost = toHost;
  }

  /** Tells the window everything. Requests in `pending` have not been sent to any window yet and will be, so they are left out. */
  async run(pending: ReadonlySet<RequestId>, timeoutMs: number): Promise<void> {
    const { handshake, logLevel, subscriptions, listens } = this.#state;
    if (handshake !== undefined) {
      const answer = await this.#ask('initialize', handshake, timeoutMs);
      if (!isJsonObject(answer.result)) {
        throw bridgeError('bridge.handshake');
      }
      // Read only now: the host may have said it while the window answered.
      const { initialized } = this.#state;
      if (initialized !== undefined) {
        this.#link.send(initialized);
      }
      // A subscription may wait for the person's approval: nothing else waits for it.
      subscriptions.forEach((uri) => this.#subscribe(uri, () => undefined));
      if (logLevel !== undefined) {
        this.#send('logging/setLevel', logLevel, () => undefined);
      }
    }
    for (const listen of listens.filter(({ id }) => !pending.has(id))) {
      this.#link.send(requestText(listen));
    }
  }

  /** Whether a message of the window is for the bridge, and not for the host. */
  takes(message: JsonObject): boolean {
    const id = answeredId(message);
    const resolve = id === undefined ? undefined : this.#ours.get(id);
    if (id !== undefined && resolve !== undefined) {
      this.#ours.delete(id);
      resolve(message);
      return true;
    }
    if (message.method === 'notifications/resources/list_changed') {
      this.#subscribeAgain();
    }
    return message.method === 'notifications/subscriptions/acknowledged' && this.#isRepeated(message);
  }

  #isRepeated({ params }: JsonObject): boolean {
    const id = isJsonObject(params) ? metaOf(params)[metaKey.subscriptionId] : undefined;
    return (typeof id === 'string' || typeof id === 'number') && this.#state.acknowledge(id) === 'again';
  }

  #subscribe(uri: string, onGranted: () => void): void {
    this.#send('resources/subscribe', { uri }, ({ error }) => {
      if (error === undefined) {
        onGranted();
      } else if (isJsonObject(error) && isJsonObject(error.data) && error.data.reason === 'waiting') {
        this.#unanswered.add(uri);
      }
    });
  }

  /** A window says that its list has changed once its person has answered. What changed until then, the host has not heard of. */
  #subscribeAgain(): void {
    const { subscriptions } = this.#state;
    const again = [...this.#unanswered].filter((uri) => subscriptions.includes(uri));
    this.#unanswered.clear();
    again.forEach((uri) => this.#subscribe(uri, () => this.#toHost(notificationText('notifications/resources/updated', { uri }))));
  }

  #ask(method: string, params: JsonObject, timeoutMs: number): Promise<JsonObject> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(bridgeError('bridge.timeout')), timeoutMs);
      timer.unref();
      this.#send(method, params, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
    });
  }

  #send(method: string, params: JsonObject, onAnswer: (answer: JsonObject) => void): void {
    this.#count += 1;
    const id = `duplex-bridge-replay-${this.#count}`;
    this.#ours.set(id, onAnswer);
    this.#link.send(requestText({ id, method, params }));
  }
}

function requestText({ id, method, params }: RpcRequest): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}
