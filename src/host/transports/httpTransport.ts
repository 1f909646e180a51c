import type * as Sdk from '@modelcontextprotocol/client';
import type { AuthProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { AppError, messageOf } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import type { JSONRPCMessage, Transport, TransportSendOptions } from '../sdk.ts';
import { guardedFetch, type Fetch, type FetchWatcher } from './guardedFetch.ts';
import { answerLost, isNobodyThere, networkFailure, refusalOf, statusFailure, statusOf } from './remoteFailure.ts';

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

interface SendOptions extends TransportSendOptions {
  readonly onRequestStreamEnd?: () => void;
}

/** How long an address that refused Streamable HTTP gets to show that it speaks HTTP+SSE. */
const longestFallbackMs = 10_000;
const endSessionMs = 1_000;

/**
 * Streamable HTTP or HTTP+SSE by the SDK's transports, with what they leave to their user: the choice between the two,
 * limits on what is read, and an end that is noticed. Before anything was answered it may still change from one to the
 * other, which the protocol above does not see.
 */
export class HttpTransport implements Transport {
  readonly #options: HttpTransportOptions;
  readonly #closing = new AbortController();
  readonly #unanswered = new Set<string | number>();
  #inner: Transport | undefined;
  #streamable: StreamableHTTPClientTransport | undefined;
  #isSettled = false;
  #isClosed = false;
  #closed: Promise<void> | undefined;
  #end: AppError | undefined;

  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];

  constructor(options: HttpTransportOptions) {
    this.#options = options;
    this.#isSettled = options.type !== 'auto';
  }

  /** Why the server is gone, once it is and nobody had asked it to go. */
  get end(): AppError | undefined {
    return this.#end;
  }

  get sessionId(): string | undefined {
    return this.#streamable?.sessionId;
  }

  get hasPerRequestStream(): boolean {
    return this.#streamable !== undefined;
  }

  async start(): Promise<void> {
    const sdk = await import('@modelcontextprotocol/client');
    if (this.#options.type === 'sse') {
      await this.#startSse(sdk, this.#options.timeoutMs);
      return;
    }
    const streamable = new sdk.StreamableHTTPClientTransport(this.#options.url, {
      ...this.#sdkOptions(),
      // Short first steps: a call waits for the stream that carries its answer.
      reconnectionOptions: { initialReconnectionDelay: 250, maxReconnectionDelay: 10_000, reconnectionDelayGrowFactor: 2, maxRetries: 4 },
    });
    this.#streamable = streamable;
    this.#adopt(streamable);
    await streamable.start();
  }

  setProtocolVersion(version: string): void {
    this.#inner?.setProtocolVersion?.(version);
  }

  async send(message: JSONRPCMessage, options?: SendOptions): Promise<void> {
    if (this.#inner === undefined || this.#isClosed) {
      throw this.#end ?? new AppError('host.connectionClosed', 'The server is not connected.');
    }
    const hadSession = this.sessionId !== undefined;
    try {
      await this.#inner.send(message, this.#streamable === undefined ? options : this.#watched(message, options));
      this.#isSettled = true;
    } catch (error) {
      if (!this.#isSettled && mayBeSseOnly(error) && (await this.#fallBack())) {
        await this.#inner.send(message);
        return;
      }
      this.#judge(error, hadSession);
      throw error;
    }
  }

  close(): Promise<void> {
    this.#isClosed = true;
    this.#closed ??= this.#closeNow();
    return this.#closed;
  }

  async #closeNow(): Promise<void> {
    await this.#endSession();
    this.#closing.abort();
    await this.#inner?.close();
    this.#options.owned?.dispose();
    this.onclose?.();
  }

  /** Told once, waited for briefly: a server may keep a forgotten session for hours. */
  async #endSession(): Promise<void> {
    const streamable = this.#streamable;
    if (streamable?.sessionId === undefined || this.#end !== undefined) {
      return;
    }
    let timer: NodeJS.Timeout | undefined;
    const enough = new Promise<void>((resolve) => (timer = setTimeout(resolve, endSessionMs)));
    await Promise.race([streamable.terminateSession().catch(() => undefined), enough]);
    clearTimeout(timer);
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
        if ((method === 'POST' || isNobodyThere(error)) && !(error instanceof AppError)) {
          this.#fail(networkFailure(this.#options.url.origin, error));
        }
      },
      onResponse: () => undefined,
      onStreamEnd: (method) => {
        // With HTTP+SSE the stream is the session; a new one would know nothing of the old.
        if (method === 'GET' && this.#streamable === undefined && this.#isSettled) {
          this.#fail(new AppError('host.connectionClosed', 'The server closed the connection.'));
        }
      },
    };
  }

  #adopt(inner: Transport): void {
    this.#inner = inner;
    inner.onmessage = (message: JSONRPCMessage) => {
      if (!('method' in message) && message.id !== undefined) {
        this.#unanswered.delete(message.id);
      }
      this.onmessage?.(message);
    };
    inner.onerror = (error) => this.onerror?.(error);
  }

  /** The SDK lets a request whose stream ended without an answer wait for its timeout; here it fails at once. */
  #watched(message: JSONRPCMessage, options: SendOptions | undefined): SendOptions | undefined {
    if (!('method' in message) || !('id' in message)) {
      return options;
    }
    const { id, method } = message;
    this.#unanswered.add(id);
    const onRequestStreamEnd = (): void => {
      const isLost = this.#unanswered.delete(id);
      options?.onRequestStreamEnd?.();
      if (isLost && !this.#isClosed && method !== 'subscriptions/listen') {
        this.onmessage?.({ jsonrpc: '2.0', id, error: { code: -32_603, message: answerLost } });
      }
    };
    return { ...options, onRequestStreamEnd };
  }

  async #fallBack(): Promise<boolean> {
    const before = { inner: this.#inner, streamable: this.#streamable };
    try {
      const sdk = await import('@modelcontextprotocol/client');
      this.#streamable = undefined;
      await this.#startSse(sdk, Math.min(longestFallbackMs, this.#options.timeoutMs));
      await before.inner?.close();
      this.#options.log.info('The server speaks HTTP+SSE, the transport of 2024-11-05.');
      return true;
    } catch (error) {
      this.#options.log.debug(`HTTP+SSE was tried and did not answer: ${messageOf(error)}`);
      this.#streamable = before.streamable;
      this.#inner = before.inner;
      return false;
    }
  }

  /** The SDK waits for the stream's first event without end. */
  async #startSse(sdk: SdkModule, timeoutMs: number): Promise<void> {
    // Deprecated as the transport it speaks is: servers of 2024-11-05 have no other.
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- deprecated, and spoken by many servers still
    const sse = new sdk.SSEClientTransport(this.#options.url, this.#sdkOptions());
    this.#adopt(sse);
    const timeout = AbortSignal.timeout(timeoutMs);
    const ended = AbortSignal.any([timeout, this.#closing.signal]);
    try {
      await Promise.race([sse.start(), rejectOn(ended)]);
      this.#isSettled = true;
    } catch (error) {
      const seconds = Math.round(timeoutMs / 100) / 10;
      const late = new AppError('host.timeout', `The server did not answer within ${seconds} s.`, { args: { seconds } });
      const reason: unknown = timeout.aborted ? late : error;
      // Before the stream is closed, which would be a reason of its own.
      if (this.#options.type === 'sse') {
        this.#judge(reason, false);
      }
      sse.onerror = () => undefined;
      await sse.close();
      throw reason;
    }
  }

  /** What an answer to one request says about the connection as a whole. */
  #judge(error: unknown, hadSession: boolean): void {
    const status = statusOf(error);
    const { origin } = this.#options.url;
    if (error instanceof AppError) {
      this.#fail(error);
    } else if (status === 404 && hadSession) {
      this.#fail(new AppError('host.sessionExpired', 'The server has forgotten the session.', { args: { origin } }));
    } else if (status === 401 || (error instanceof Error && error.name === 'UnauthorizedError')) {
      this.#fail(statusFailure(401, refusalOf(error), origin));
    }
  }

  #fail(error: AppError): void {
    if (!this.#isClosed) {
      this.#end ??= error;
      void this.close();
    }
  }
}

function mayBeSseOnly(error: unknown): boolean {
  const status = statusOf(error);
  if (status === undefined || ![400, 404, 405, 406, 410, 415, 422, 501].includes(status)) {
    return false;
  }
  try {
    const body: unknown = JSON.parse(refusalOf(error));
    return !(typeof body === 'object' && body !== null && 'jsonrpc' in body);
  } catch {
    return true;
  }
}

function rejectOn(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (): void => reject(new AppError('host.connectionClosed', 'The connection was given up.'));
    if (signal.aborted) {
      fail();
    } else {
      signal.addEventListener('abort', fail, { once: true });
    }
  });
}
