import type WebSocket from 'ws';
import { type Clock, systemClock } from '../../base/clock.ts';
import type { AppError } from '../../base/errors.ts';
import { type Disposable, toDisposable } from '../../base/lifecycle.ts';
import { intakeLimits } from '../intake/intakeLimits.ts';
import { batchRefusal, mayBatch, MessageReader, tooLarge } from '../intake/messageText.ts';
import { networkFailure, statusFailure } from '../shared/failures.ts';
import { hostError } from '../shared/hostErrors.ts';
import { Pulse } from '../shared/pulse.ts';
import type { JSONRPCMessage, Transport } from '../shared/sdk.ts';
import type { ClientTlsMaterial } from './tlsFetch.ts';

export interface WebSocketOptions {
  readonly url: URL;
  readonly headers: () => Promise<Readonly<Record<string, string>>>;
  readonly tls: ClientTlsMaterial;
  readonly timeoutMs: number;
  /** Called when the upgrade was refused with 401. Resolves to whether another try makes sense. */
  readonly onUnauthorized?: (() => Promise<boolean>) | undefined;
  readonly clock?: Clock | undefined;
}

type State =
  /** No socket exists: before the start, and while the headers are gathered. */
  | { readonly kind: 'idle' }
  | { readonly kind: 'connecting'; readonly socket: WebSocket }
  /** The upgrade was refused with 401; the sign-in decides what comes next. */
  | { readonly kind: 'signingIn'; readonly refusal: AppError }
  | { readonly kind: 'open'; readonly socket: WebSocket; readonly heartbeat: Disposable }
  /** The socket reported an error and has yet to report that it is closed. */
  | { readonly kind: 'broken'; readonly socket: WebSocket; readonly heartbeat: Disposable; readonly end: AppError }
  /** The socket was asked to close; messages that are still on their way arrive. */
  | { readonly kind: 'closing'; readonly socket: WebSocket; readonly end: AppError | undefined; readonly closed: Promise<void> }
  | { readonly kind: 'closed'; readonly end: AppError | undefined; readonly socketClosed: Promise<void> };

/** Speaks JSON-RPC over a WebSocket, one message per frame, with the subprotocol `mcp`. */
export class WebSocketTransport implements Transport {
  readonly #options: WebSocketOptions;
  readonly #clock: Clock;
  #state: State = { kind: 'idle' };
  #revision: string | undefined;
  readonly #pulse = new Pulse();

  /** The SDK treats a transport with these two members as a pipe, so that an unanswered first question does not count as an outage. */
  readonly stderr = null;
  readonly pid = null;

  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];

  constructor(options: WebSocketOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** Why the server is gone or going; undefined when it was asked to go. */
  get end(): AppError | undefined {
    const state = this.#state;
    switch (state.kind) {
      case 'idle':
      case 'connecting':
      case 'open':
        return undefined;
      case 'signingIn':
        return state.refusal;
      case 'broken':
      case 'closing':
      case 'closed':
        return state.end;
    }
  }

  async start(): Promise<void> {
    let opening = await this.#connect();
    if (opening.kind === 'unauthorized' && (await this.#signIn(opening.failure))) {
      opening = await this.#connect();
    }
    if (opening.kind === 'open') {
      return;
    }
    const end = this.#isEnding() ? this.end : opening.failure;
    this.#markClosed(end);
    throw end ?? givenUp();
  }

  send(message: JSONRPCMessage): Promise<void> {
    const state = this.#state;
    if (state.kind !== 'open') {
      return Promise.reject(this.end ?? hostError('host.connectionClosed'));
    }
    const text = JSON.stringify(message);
    if (!this.#isRead(state.socket, text.length)) {
      return Promise.reject(this.end ?? givenUp());
    }
    this.#pulse.sent(message);
    return new Promise((resolve, reject) => {
      state.socket.send(text, (error) => {
        if (error) {
          reject(error);
        } else {
          resolve();
        }
      });
    });
  }

  async close(): Promise<void> {
    const state = this.#state;
    switch (state.kind) {
      case 'idle':
      case 'signingIn':
        this.#markClosed(this.end);
        return;
      case 'connecting':
      case 'open':
      case 'broken': {
        const { end } = this;
        this.#stopHeartbeat();
        const closed = closeSocket(state.socket).then(() => this.#markClosed(end));
        this.#state = { kind: 'closing', socket: state.socket, end, closed };
        return closed;
      }
      case 'closing':
        return state.closed;
      case 'closed':
        return state.socketClosed;
    }
  }

  /** The SDK calls this once the revision is agreed. */
  setProtocolVersion(revision: string): void {
    this.#revision = revision;
  }

  async #connect(): Promise<Opening> {
    const { WebSocket: Socket } = await import('ws');
    const headers = await this.#options.headers();
    if (this.#state.kind !== 'idle') {
      return { kind: 'failed', failure: givenUp() };
    }
    const { url, tls, timeoutMs } = this.#options;
    const socket = new Socket(url, 'mcp', {
      headers: { ...headers },
      handshakeTimeout: timeoutMs,
      maxPayload: intakeLimits.message.bytes,
      followRedirects: false,
      autoPong: false,
      ...tls,
    });
    this.#state = { kind: 'connecting', socket };
    return whenOpened(socket, url.origin, () => this.#onOpen(socket));
  }

  /** Resolves to whether another try makes sense. */
  async #signIn(refusal: AppError): Promise<boolean> {
    if (this.#isEnding()) {
      return false;
    }
    this.#state = { kind: 'signingIn', refusal };
    const mayHelp = (await this.#options.onUnauthorized?.()) === true;
    if (!mayHelp || this.#isEnding()) {
      return false;
    }
    this.#state = { kind: 'idle' };
    return true;
  }

  #onOpen(socket: WebSocket): void {
    const heartbeat = startHeartbeat(socket, this.#clock, this.#pulse, () => {
      this.#fail(hostError('host.unhealthy'));
    });
    this.#state = { kind: 'open', socket, heartbeat };
    socket.on('error', (error) => this.#onError(error));
    this.#answerPings(socket);
    const reader = this.#readerFor(socket);
    const onClose = (code: number): void => this.#markClosed(this.#isEnding() ? this.end : (this.end ?? closedWith(code)));
    // A large last message may still be worked on.
    socket.once('close', (code) => {
      if (reader.idle === undefined) {
        onClose(code);
      } else {
        void reader.idle.then(() => onClose(code));
      }
    });
    socket.on('message', (data, isBinary) => {
      if (isBinary) {
        this.onerror?.(new Error('A binary frame is not a message and was ignored.'));
      } else if (this.#state.kind !== 'closed') {
        reader.read(Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer));
      }
    });
  }

  #readerFor(socket: WebSocket): MessageReader {
    return new MessageReader({
      mayBatch: () => mayBatch(this.#revision),
      take: (message) => {
        this.#pulse.received(message);
        this.onmessage?.(message);
      },
      refuseBatch: () => this.#isRead(socket, 0) && socket.send(JSON.stringify(batchRefusal)),
      stray: () => this.onerror?.(new Error('A frame that is not a message was ignored.')),
      fail: (error) => this.#fail(error),
    });
  }

  /** Answers pings, as many of them as an honest server sends; the library would answer all, and keep what is not read. */
  #answerPings(socket: WebSocket): void {
    let second = 0;
    let count = 0;
    socket.on('ping', (data: Buffer) => {
      const now = Math.floor(this.#clock.now() / 1_000);
      count = now === second ? count + 1 : 1;
      second = now;
      if (count > maxPingsPerSecond) {
        this.#fail(hostError('host.tooManyMessages', { limit: maxPingsPerSecond }));
      } else if (socket.readyState === socket.OPEN) {
        socket.pong(data);
      }
    });
  }

  /** Whether the server reads what it is sent; one that only makes us answer, and reads nothing, is given up. */
  #isRead(socket: WebSocket, more: number): boolean {
    const isRead = socket.bufferedAmount === 0 || socket.bufferedAmount + more <= maxUnreadBytes;
    if (!isRead) {
      this.#fail(hostError('host.serverNotReading'));
    }
    return isRead;
  }

  /** The socket's 'close' event follows. */
  #onError(error: Error): void {
    if (this.#state.kind === 'open') {
      const isTooLarge = 'code' in error && error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';
      const end = isTooLarge ? tooLarge(intakeLimits.message.bytes) : networkFailure(this.#options.url.origin, error);
      this.#state = { ...this.#state, kind: 'broken', end };
    }
  }

  /** Ends the connection with a reason; only the first one is kept. */
  #fail(error: AppError): void {
    const state = this.#state;
    if (state.kind === 'open' || state.kind === 'broken' || state.kind === 'closing') {
      const socketClosed = whenClosed(state.socket);
      state.socket.terminate();
      this.#markClosed(this.end ?? error, socketClosed);
    }
  }

  #markClosed(end: AppError | undefined, socketClosed = Promise.resolve()): void {
    if (this.#state.kind !== 'closed') {
      this.#stopHeartbeat();
      this.#state = { kind: 'closed', end, socketClosed };
      this.onclose?.();
    }
  }

  #stopHeartbeat(): void {
    if (this.#state.kind === 'open' || this.#state.kind === 'broken') {
      this.#state.heartbeat.dispose();
    }
  }

  #isEnding(): boolean {
    return this.#state.kind === 'closing' || this.#state.kind === 'closed';
  }
}

function givenUp(): AppError {
  return hostError('host.connectionClosed');
}

/** How long, in ms, a server may take to close the connection too, before it is cut off. */
const closeMs = 1_000;
/** The most pings of a server within a second; with more the connection ends. */
const maxPingsPerSecond = 100;
/** A server that leaves so many bytes unread does not read at all. */
const maxUnreadBytes = 16 * 1024 * 1024;

/** The outcome of the opening handshake. */
type Opening =
  | { readonly kind: 'open' }
  | { readonly kind: 'unauthorized'; readonly failure: AppError }
  | { readonly kind: 'failed'; readonly failure: AppError };

/**
 * Waits until a new socket is open, or closed again; never rejects. `onOpen` is called synchronously: whoever only awaited
 * the outcome could miss a first message.
 */
function whenOpened(socket: WebSocket, origin: string, onOpen: () => void): Promise<Opening> {
  let kind: 'unauthorized' | 'failed' = 'failed';
  let failure: AppError | undefined;
  return new Promise((resolve) => {
    const onError = (error: Error): void => {
      failure ??= networkFailure(origin, error);
    };
    const onClose = (code: number): void => resolve({ kind, failure: failure ?? closedWith(code) });
    socket.on('error', onError);
    socket.once('close', onClose);
    socket.once('unexpected-response', (request, response) => {
      const status = response.statusCode ?? 0;
      kind = status === 401 ? 'unauthorized' : 'failed';
      failure ??= statusFailure(status, '', origin);
      response.destroy();
      request.destroy();
      socket.terminate();
    });
    socket.once('open', () => {
      socket.off('error', onError);
      socket.off('close', onClose);
      onOpen();
      resolve({ kind: 'open' });
    });
  });
}

/** The error for a socket that the server closed with this code. */
function closedWith(code: number): AppError {
  return hostError('host.closedByServer', { code });
}

function whenClosed(socket: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.readyState === socket.CLOSED) {
      resolve();
    } else {
      socket.once('close', () => resolve());
    }
  });
}

/** Closes the socket and waits briefly for the other side to do the same. A socket that is not open yet is terminated. */
async function closeSocket(socket: WebSocket): Promise<void> {
  const closed = whenClosed(socket);
  const timer = setTimeout(() => socket.terminate(), closeMs);
  if (socket.readyState === socket.CONNECTING) {
    socket.terminate();
  } else {
    socket.close(1000);
  }
  await closed;
  clearTimeout(timer);
}

/** The pause, in ms, before a server is sent the next ping. */
const pingEveryMs = 30_000;

/**
 * Sends a ping at intervals and calls `onSilence` once when nothing came back: the peer has then vanished without closing. One that works
 * on a request may be too busy for pings; the request has a time limit of its own.
 */
function startHeartbeat(socket: WebSocket, clock: Clock, pulse: Pulse, onSilence: () => void): Disposable {
  let owesAnswer = false;
  let heard = pulse.heard;
  socket.on('pong', () => (owesAnswer = false));
  const check = (): void => {
    if (owesAnswer && !pulse.isAwaited && pulse.heard === heard) {
      onSilence();
      return;
    }
    // A busy server is pinged too, because something between closes connections without traffic.
    owesAnswer = !pulse.isAwaited;
    heard = pulse.heard;
    socket.ping();
    timer = clock.schedule(pingEveryMs, check);
  };
  let timer = clock.schedule(pingEveryMs, check);
  return toDisposable(() => timer.dispose());
}
