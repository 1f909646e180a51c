import type * as Sdk from '@modelcontextprotocol/client';
import type { AuthProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { atMost } from '../../base/abort.ts';
import { type AppError, isAppError, messageOf } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import { Sequencer } from '../../base/sequencer.ts';
import { answerLost, connectionFailure, isNobodyThere, isSilence, mayBeSseOnly, networkFailure } from '../shared/failures.ts';
import { hostError, timeoutError } from '../shared/hostErrors.ts';
import type { JSONRPCMessage, Transport, TransportSendOptions } from '../shared/sdk.ts';
import { type Fetch, type FetchWatcher, guardedFetch } from './guardedFetch.ts';

export interface HttpTransportOptions {
  readonly url: URL;
  readonly type: 'http' | 'sse' | 'auto';
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly log: Log;
  readonly fetch: Fetch;
  /** What the sign-in adds around the guarded fetch. */
  readonly wrapFetch?: ((next: Fetch) => Fetch) | undefined;
  readonly authProvider?: AuthProvider | undefined;
  /** Disposed together with the transport. */
  readonly owned?: Disposable | undefined;
}

type SdkModule = typeof Sdk;

/** How long an address that refused Streamable HTTP gets to prove that it speaks HTTP+SSE. */
const maxFallbackMs = 10_000;
/** How long, in ms, a server may take to answer that its session is over. */
const endSessionMs = 1_000;
/** The pause, in ms, before a stream that ended is opened again. A server may name one; `retry: 0` would have us ask it without end. */
const minPauseMs = 250;
/** The longest pause, in ms, that a server can ask for; a timer of more than 24 days would be over at once. */
const maxPauseMs = 3_600_000;
/** The most answers to requests of the server that it has not taken yet. */
const maxUntaken = 1_000;

/**
 * Connects over Streamable HTTP or HTTP+SSE with the SDK's transports, and adds what these leave to their user: the choice
 * between the two, limits on what is read, and the detection of the end. Until a message was accepted it may switch from one
 * to the other without the protocol layer noticing.
 */
export class HttpTransport implements Transport {
  readonly #options: HttpTransportOptions;
  readonly #closing = new AbortController();
  readonly #lostAnswers = new LostAnswers((id) => this.#onLostAnswer(id));
  #state: HttpState = { kind: 'idle' };
  readonly #answerLanes = [new Sequencer(), new Sequencer(), new Sequencer(), new Sequencer()];
  #untaken = 0;

  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];

  constructor(options: HttpTransportOptions) {
    this.#options = options;
  }

  /** Why the server is gone; undefined while it is there, and when it was asked to go. */
  get end(): AppError | undefined {
    return this.#state.kind === 'closed' ? this.#state.end : undefined;
  }

  get sessionId(): string | undefined {
    return streamableOf(this.#state)?.sessionId;
  }

  get hasPerRequestStream(): boolean {
    return streamableOf(this.#state) !== undefined;
  }

  async start(): Promise<void> {
    const sdk = await import('@modelcontextprotocol/client');
    if (this.#state.kind !== 'idle') {
      throw this.end ?? hostError('host.connectionClosed');
    }
    const { type, url, timeoutMs } = this.#options;
    if (type === 'sse') {
      const sse = this.#createSse(sdk);
      this.#state = { kind: 'sse', sse };
      await this.#startSse(sse, timeoutMs);
      return;
    }
    const streamable = new sdk.StreamableHTTPClientTransport(url, {
      ...this.#sdkOptions(),
      // The first retries come quickly, because a call waits for the stream that carries its answer.
      reconnectionOptions: {
        initialReconnectionDelay: minPauseMs,
        maxReconnectionDelay: 10_000,
        reconnectionDelayGrowFactor: 2,
        maxRetries: 4,
      },
      reconnectionScheduler: reconnectLater,
    });
    this.#listenTo(streamable);
    this.#state = { kind: type === 'auto' ? 'probing' : 'streamable', streamable };
    await streamable.start();
  }

  setProtocolVersion(version: string): void {
    innerOf(this.#state)?.setProtocolVersion?.(version);
  }

  send(message: JSONRPCMessage, options?: SendOptions): Promise<void> {
    return 'method' in message ? this.#send(message, options) : this.#sendAnswer(() => this.#send(message, options));
  }

  async #send(message: JSONRPCMessage, options?: SendOptions): Promise<void> {
    const state = this.#state;
    const inner = innerOf(state);
    if (inner === undefined) {
      throw this.end ?? hostError('host.connectionClosed');
    }
    const hadSession = this.sessionId !== undefined;
    try {
      await inner.send(message, this.hasPerRequestStream ? this.#lostAnswers.watch(message, options) : options);
      if (state.kind === 'probing') {
        this.#move(state, { kind: 'streamable', streamable: state.streamable });
      }
    } catch (error) {
      const sse = state.kind === 'probing' && mayBeSseOnly(error) ? await this.#fallBack(state) : undefined;
      if (sse !== undefined) {
        await sse.send(message);
        return;
      }
      this.#judge(error, hadSession);
      throw error;
    }
  }

  /** Sends the answer to a request of the server. Each takes a connection of its own, so only a few are under way, and few others wait. */
  async #sendAnswer(send: () => Promise<void>): Promise<void> {
    if (this.#untaken >= maxUntaken) {
      const error = hostError('host.serverNotReading');
      this.#fail(error);
      throw error;
    }
    const lane = this.#answerLanes[this.#untaken % this.#answerLanes.length];
    this.#untaken += 1;
    try {
      await (lane?.run(send) ?? send());
    } finally {
      this.#untaken -= 1;
    }
  }

  close(): Promise<void> {
    return this.#close(undefined);
  }

  #close(end: AppError | undefined): Promise<void> {
    const state = this.#state;
    if (state.kind === 'closed') {
      return state.done;
    }
    // The state must change first: whatever is closed here calls back.
    const done = Promise.resolve().then(() => this.#letGo(state, end));
    this.#state = { kind: 'closed', end, done };
    return done;
  }

  async #letGo(state: HttpState, end: AppError | undefined): Promise<void> {
    if (end === undefined) {
      await this.#endSession(streamableOf(state));
    }
    this.#closing.abort();
    await innerOf(state)?.close();
    if (state.kind === 'fallingBack') {
      await state.streamable.close();
    }
    this.#options.owned?.dispose();
    this.onclose?.();
  }

  /** Tells the server that the session is over, and waits only briefly. A server may keep a session that nobody ended for hours. */
  async #endSession(streamable: StreamableHTTPClientTransport | undefined): Promise<void> {
    if (streamable?.sessionId === undefined) {
      return;
    }
    await atMost(
      streamable.terminateSession().catch(() => undefined),
      endSessionMs,
    );
  }

  #sdkOptions(): { fetch: Fetch; requestInit: RequestInit; authProvider?: AuthProvider } {
    const { fetch, wrapFetch, headers, authProvider } = this.#options;
    const guarded = guardedFetch(fetch, this.#watcher());
    return {
      fetch: wrapFetch === undefined ? guarded : wrapFetch(guarded),
      requestInit: { headers: { ...headers } },
      ...(authProvider === undefined ? {} : { authProvider }),
    };
  }

  #watcher(): FetchWatcher {
    return {
      onViolation: (error) => this.#fail(error),
      onNetworkFailure: (method, error) => {
        // A request that was given up fails alone. The SDK reopens a listening stream that was cut; a lost request is not repeated.
        if (isSilence(error)) {
          return;
        }
        if ((method === 'POST' || isNobodyThere(error)) && !isAppError(error)) {
          this.#fail(networkFailure(this.#options.url.origin, error));
        }
      },
      onResponse: () => undefined,
      onStreamEnd: (method) => {
        // With HTTP+SSE the stream is the session: a new stream would know nothing of the old one.
        if (method === 'GET' && this.#state.kind === 'sse') {
          this.#fail(hostError('host.closedByServer', {}));
        }
      },
    };
  }

  #listenTo(inner: Transport): void {
    inner.onmessage = (message: JSONRPCMessage) => {
      this.#lostAnswers.received(message);
      this.onmessage?.(message);
    };
    inner.onerror = (error) => this.onerror?.(error);
  }

  #onLostAnswer(id: string | number): void {
    if (this.#state.kind !== 'closed') {
      this.onmessage?.({ jsonrpc: '2.0', id, error: { code: -32_603, message: answerLost } });
    }
  }

  /** Switches to HTTP+SSE. Resolves to its transport, or to undefined when the server does not speak it. */
  async #fallBack(before: Probing): Promise<Transport | undefined> {
    const sdk = await import('@modelcontextprotocol/client');
    if (this.#state !== before) {
      return undefined;
    }
    const { streamable } = before;
    const sse = this.#createSse(sdk);
    const trying = { kind: 'fallingBack', streamable, sse } as const;
    this.#state = trying;
    try {
      await this.#startSse(sse, Math.min(maxFallbackMs, this.#options.timeoutMs));
      this.#move(trying, { kind: 'sse', sse });
      await streamable.close();
      this.#options.log.info('The server speaks HTTP+SSE, the transport of 2024-11-05.');
      return sse;
    } catch (error) {
      this.#options.log.debug(`HTTP+SSE was tried and did not answer: ${messageOf(error)}`);
      this.#move(trying, before);
      return undefined;
    }
  }

  /** Changes the state, unless something else changed it meanwhile. */
  #move(from: HttpState, to: HttpState): void {
    if (this.#state === from) {
      this.#state = to;
    }
  }

  #createSse(sdk: SdkModule): Transport {
    // The SDK's class is deprecated like the transport it speaks, but servers of 2024-11-05 have no other.
    // oxlint-disable-next-line typescript/no-deprecated -- deprecated, and spoken by many servers still
    const sse = new sdk.SSEClientTransport(this.#options.url, this.#sdkOptions());
    this.#listenTo(sse);
    return sse;
  }

  /** Starts the stream with a time limit; the SDK alone would wait for its first event for ever. */
  async #startSse(sse: Transport, timeoutMs: number): Promise<void> {
    const timeout = AbortSignal.timeout(timeoutMs);
    const ended = AbortSignal.any([timeout, this.#closing.signal]);
    try {
      await Promise.race([sse.start(), rejectOn(ended)]);
    } catch (error) {
      const reason: unknown = timeout.aborted ? timeoutError(timeoutMs) : error;
      // The reason is recorded before the stream is closed, because closing would be a reason of its own.
      if (this.#options.type === 'sse') {
        this.#judge(reason, false);
      }
      sse.onerror = () => undefined;
      await sse.close();
      throw reason;
    }
  }

  /** Ends the connection when the failure of one request means that all of it is lost. */
  #judge(error: unknown, hadSession: boolean): void {
    const failure = connectionFailure(error, hadSession, this.#options.url.origin);
    if (failure !== undefined) {
      this.#fail(failure);
    }
  }

  #fail(error: AppError): void {
    void this.#close(error);
  }
}

function reconnectLater(reconnect: () => void, wantedMs: number): () => void {
  const timer = setTimeout(reconnect, Math.min(Math.max(wantedMs, minPauseMs), maxPauseMs));
  return () => clearTimeout(timer);
}

function rejectOn(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (): void => reject(hostError('host.connectionClosed'));
    if (signal.aborted) {
      fail();
    } else {
      signal.addEventListener('abort', fail, { once: true });
    }
  });
}

/** The state of type `auto` before a message was accepted: the server may still turn out to speak only HTTP+SSE. */
interface Probing {
  readonly kind: 'probing';
  readonly streamable: StreamableHTTPClientTransport;
}

/** The state of a transport over HTTP, with the transports of the SDK that belong to it. */
type HttpState =
  | { readonly kind: 'idle' }
  | Probing
  | { readonly kind: 'fallingBack'; readonly streamable: StreamableHTTPClientTransport; readonly sse: Transport }
  | { readonly kind: 'streamable'; readonly streamable: StreamableHTTPClientTransport }
  | { readonly kind: 'sse'; readonly sse: Transport }
  /** Entered as soon as closing is asked for or the server is lost; `done` resolves when everything is closed. */
  | { readonly kind: 'closed'; readonly end: AppError | undefined; readonly done: Promise<void> };

function streamableOf(state: HttpState): StreamableHTTPClientTransport | undefined {
  return state.kind === 'probing' || state.kind === 'streamable' ? state.streamable : undefined;
}

/** The SDK's transport that carries the messages in this state. */
function innerOf(state: HttpState): Transport | undefined {
  switch (state.kind) {
    case 'idle':
    case 'closed':
      return undefined;
    case 'probing':
    case 'streamable':
      return state.streamable;
    case 'fallingBack':
    case 'sse':
      return state.sse;
  }
}

interface SendOptions extends TransportSendOptions {
  readonly onRequestStreamEnd?: () => void;
}

type RequestId = string | number;

/** Detects a request whose stream ended without an answer. The SDK would let such a request wait for its timeout. */
class LostAnswers {
  readonly #onLost: (id: RequestId) => void;
  readonly #unanswered = new Set<RequestId>();

  constructor(onLost: (id: RequestId) => void) {
    this.#onLost = onLost;
  }

  /** Returns the options with which the message must be sent. */
  watch(message: JSONRPCMessage, options: SendOptions | undefined): SendOptions | undefined {
    if (!('method' in message) || !('id' in message)) {
      return options;
    }
    const { id, method } = message;
    this.#unanswered.add(id);
    const onRequestStreamEnd = (): void => {
      const isLost = this.#unanswered.delete(id);
      options?.onRequestStreamEnd?.();
      // The SDK itself notices the end of a subscription.
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
