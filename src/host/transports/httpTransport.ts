import type * as Sdk from '@modelcontextprotocol/client';
import type { AuthProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { atMost } from '../../base/abort.ts';
import { type AppError, isAppError, messageOf } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import { answerLost, connectionFailure, isNobodyThere, mayBeSseOnly, networkFailure } from '../shared/failures.ts';
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
  /** Around the guarded fetch: what the sign-in adds. */
  readonly wrapFetch?: ((next: Fetch) => Fetch) | undefined;
  readonly authProvider?: AuthProvider | undefined;
  /** Let go with the transport. */
  readonly owned?: Disposable | undefined;
}

type SdkModule = typeof Sdk;

/** How long an address that refused Streamable HTTP gets to show that it speaks HTTP+SSE. */
const maxFallbackMs = 10_000;
const endSessionMs = 1_000;

/**
 * Streamable HTTP or HTTP+SSE by the SDK's transports, with what they leave to their user: the choice between the two,
 * limits on what is read, and an end that is noticed. Before a message was accepted it may still change from one to the
 * other, which the protocol above does not see.
 */
export class HttpTransport implements Transport {
  readonly #options: HttpTransportOptions;
  readonly #closing = new AbortController();
  readonly #lostAnswers = new LostAnswers((id) => this.#onLostAnswer(id));
  #state: HttpState = { kind: 'idle' };

  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];

  constructor(options: HttpTransportOptions) {
    this.#options = options;
  }

  /** Why the server is gone, once it is and nobody had asked it to go. */
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
      // Short first steps: a call waits for the stream that carries its answer.
      reconnectionOptions: { initialReconnectionDelay: 250, maxReconnectionDelay: 10_000, reconnectionDelayGrowFactor: 2, maxRetries: 4 },
    });
    this.#listenTo(streamable);
    this.#state = { kind: type === 'auto' ? 'probing' : 'streamable', streamable };
    await streamable.start();
  }

  setProtocolVersion(version: string): void {
    innerOf(this.#state)?.setProtocolVersion?.(version);
  }

  async send(message: JSONRPCMessage, options?: SendOptions): Promise<void> {
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

  close(): Promise<void> {
    return this.#close(undefined);
  }

  #close(end: AppError | undefined): Promise<void> {
    const state = this.#state;
    if (state.kind === 'closed') {
      return state.done;
    }
    // Not before the state says so: what is let go calls back.
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

  /** Told once, waited for briefly: a server may keep a forgotten session for hours. */
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
        // A listening stream that was hung up on is opened again by the SDK; a lost question is not asked again.
        if ((method === 'POST' || isNobodyThere(error)) && !isAppError(error)) {
          this.#fail(networkFailure(this.#options.url.origin, error));
        }
      },
      onResponse: () => undefined,
      onStreamEnd: (method) => {
        // With HTTP+SSE the stream is the session; a new one would know nothing of the old.
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

  /** The transport that took the place of the other one, if the server speaks it. */
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

  /** Unless something else happened meanwhile. */
  #move(from: HttpState, to: HttpState): void {
    if (this.#state === from) {
      this.#state = to;
    }
  }

  #createSse(sdk: SdkModule): Transport {
    // Deprecated as the transport it speaks is: servers of 2024-11-05 have no other.
    // oxlint-disable-next-line typescript/no-deprecated -- deprecated, and spoken by many servers still
    const sse = new sdk.SSEClientTransport(this.#options.url, this.#sdkOptions());
    this.#listenTo(sse);
    return sse;
  }

  /** The SDK waits for the stream's first event without end. */
  async #startSse(sse: Transport, timeoutMs: number): Promise<void> {
    const timeout = AbortSignal.timeout(timeoutMs);
    const ended = AbortSignal.any([timeout, this.#closing.signal]);
    try {
      await Promise.race([sse.start(), rejectOn(ended)]);
    } catch (error) {
      const reason: unknown = timeout.aborted ? timeoutError(timeoutMs) : error;
      // Before the stream is closed, which would be a reason of its own.
      if (this.#options.type === 'sse') {
        this.#judge(reason, false);
      }
      sse.onerror = () => undefined;
      await sse.close();
      throw reason;
    }
  }

  /** What the failure of one request says about the connection as a whole. */
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

/** Of type `auto`, before a message was accepted: the server may turn out to speak only HTTP+SSE. */
interface Probing {
  readonly kind: 'probing';
  readonly streamable: StreamableHTTPClientTransport;
}

/** Where a transport over HTTP stands, and which of the SDK's transports it has there. */
type HttpState =
  | { readonly kind: 'idle' }
  | Probing
  | { readonly kind: 'fallingBack'; readonly streamable: StreamableHTTPClientTransport; readonly sse: Transport }
  | { readonly kind: 'streamable'; readonly streamable: StreamableHTTPClientTransport }
  | { readonly kind: 'sse'; readonly sse: Transport }
  /** From the moment it is asked for, or the server is lost; `done` when everything is let go. */
  | { readonly kind: 'closed'; readonly end: AppError | undefined; readonly done: Promise<void> };

function streamableOf(state: HttpState): StreamableHTTPClientTransport | undefined {
  return state.kind === 'probing' || state.kind === 'streamable' ? state.streamable : undefined;
}

/** The transport of the SDK's that carries messages. */
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

/** The SDK lets a request whose stream ended without an answer wait for its timeout; here that is noticed at once. */
class LostAnswers {
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
