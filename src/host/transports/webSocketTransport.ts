import type WebSocket from 'ws';
import { AppError } from '../../base/errors.ts';
import { isJsonObject } from '../../base/json.ts';
import { DisposableStore } from '../../base/lifecycle.ts';
import { systemClock, type Clock } from '../../base/clock.ts';
import type { JSONRPCMessage, Transport } from '../sdk.ts';
import { batchRefusal, mayBatch } from './batches.ts';
import { DepthScanner, largestMessage, tooLarge } from './messageGuard.ts';
import { networkFailure, statusFailure } from './remoteFailure.ts';
import type { TlsMaterial } from './tlsFetch.ts';

export interface WebSocketOptions {
  readonly url: URL;
  readonly headers: () => Promise<Readonly<Record<string, string>>>;
  readonly tls: TlsMaterial;
  readonly timeoutMs: number;
  /** The upgrade was refused with 401. Resolves to whether another try makes sense. */
  readonly onUnauthorized?: (() => Promise<boolean>) | undefined;
  readonly clock?: Clock | undefined;
}

const pingEveryMs = 30_000;
const closeMs = 1_000;

/** JSON-RPC over a WebSocket, a message per frame, with the subprotocol `mcp`. */
export class WebSocketTransport implements Transport {
  readonly #options: WebSocketOptions;
  readonly #clock: Clock;
  readonly #lifetime = new DisposableStore();
  #socket: WebSocket | undefined;
  #revision: string | undefined;
  #end: AppError | undefined;
  #isClosed = false;
  #wasAskedToClose = false;
  #wasOpen = false;

  /** The SDK takes a transport with these two for a pipe, which this is: an unanswered first question does not mean an outage. */
  readonly stderr = null;
  readonly pid = null;

  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];

  constructor(options: WebSocketOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** Why the server is gone, once it is and nobody had asked it to go. */
  get end(): AppError | undefined {
    return this.#end;
  }

  async start(): Promise<void> {
    const first = await this.#open();
    if (first === 'unauthorized' && (await this.#options.onUnauthorized?.()) === true && !this.#isClosed) {
      this.#end = undefined;
      if ((await this.#open()) === 'open') {
        return;
      }
    } else if (first === 'open') {
      return;
    }
    this.#markClosed();
    throw this.#end ?? new AppError('host.connectionClosed', 'The connection was given up.');
  }

  send(message: JSONRPCMessage): Promise<void> {
    const socket = this.#socket;
    if (socket === undefined || this.#isClosed) {
      return Promise.reject(this.#end ?? new AppError('host.connectionClosed', 'The server is not connected.'));
    }
    return new Promise((resolve, reject) => {
      socket.send(JSON.stringify(message), (error) => {
        if (error) {
          reject(error);
        } else {
          resolve();
        }
      });
    });
  }

  async close(): Promise<void> {
    this.#wasAskedToClose = true;
    const socket = this.#socket;
    if (socket !== undefined && socket.readyState !== socket.CLOSED) {
      await closeSocket(socket);
    }
    this.#markClosed();
  }

  async #open(): Promise<'open' | 'unauthorized' | 'failed'> {
    const { WebSocket: Socket } = await import('ws');
    const headers = await this.#options.headers();
    if (this.#wasAskedToClose) {
      return 'failed';
    }
    const { url, tls, timeoutMs } = this.#options;
    const socket = new Socket(url, 'mcp', {
      headers: { ...headers },
      handshakeTimeout: timeoutMs,
      maxPayload: largestMessage,
      followRedirects: false,
      ...tls,
    });
    this.#socket = socket;
    let status: number | undefined;
    socket.on('unexpected-response', (request, response) => {
      status = response.statusCode;
      this.#end ??= statusFailure(status ?? 0, '', url.origin);
      response.destroy();
      request.destroy();
      socket.terminate();
    });
    return new Promise((resolve) => {
      socket.on('error', (error) => this.#onError(error));
      socket.once('open', () => {
        this.#wasOpen = true;
        this.#watch(socket);
        resolve('open');
      });
      socket.once('close', (code) => {
        this.#onClose(code);
        resolve(status === 401 ? 'unauthorized' : 'failed');
      });
      socket.on('message', (data, isBinary) => this.#onFrame(data, isBinary));
    });
  }

  /** A peer that vanished without a word is noticed by its silence to a ping. */
  #watch(socket: WebSocket): void {
    let isAlive = true;
    socket.on('pong', () => (isAlive = true));
    const check = (): void => {
      if (!isAlive) {
        this.#fail(new AppError('host.unhealthy', 'The server no longer answers.'));
        return;
      }
      isAlive = false;
      socket.ping();
      next();
    };
    let timer = this.#lifetime.add(this.#clock.schedule(pingEveryMs, check));
    const next = (): void => {
      this.#lifetime.release(timer);
      timer = this.#lifetime.add(this.#clock.schedule(pingEveryMs, check));
    };
  }

  /** Told by the SDK once the revision is agreed. */
  setProtocolVersion(revision: string): void {
    this.#revision = revision;
  }

  #onFrame(data: WebSocket.RawData, isBinary: boolean): void {
    if (isBinary || this.#isClosed) {
      this.onerror?.(new Error('A binary frame is not a message and was ignored.'));
      return;
    }
    try {
      const text = (Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer)).toString('utf8');
      new DepthScanner().scan(text);
      const parsed: unknown = JSON.parse(text);
      if (Array.isArray(parsed) && !mayBatch(this.#revision)) {
        this.#socket?.send(JSON.stringify(batchRefusal));
        return;
      }
      const messages: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed];
      messages.filter(isJsonObject).forEach((message) => this.onmessage?.(message as unknown as JSONRPCMessage));
    } catch (error) {
      if (error instanceof AppError) {
        this.#fail(error);
      } else {
        this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      }
    }
  }

  #onError(error: Error): void {
    if (this.#wasAskedToClose) {
      return;
    }
    const isTooLarge = 'code' in error && error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';
    this.#end ??= isTooLarge ? tooLarge(largestMessage) : networkFailure(this.#options.url.origin, error);
  }

  #onClose(code: number): void {
    if (!this.#wasAskedToClose) {
      this.#end ??= new AppError('host.connectionClosed', `The server closed the connection (code ${code}).`, { args: { code } });
    }
    // Before it was open `start` still decides whether to try again.
    if (this.#wasOpen) {
      this.#markClosed();
    }
  }

  #fail(error: AppError): void {
    this.#end ??= error;
    this.#socket?.terminate();
    this.#markClosed();
  }

  #markClosed(): void {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.#lifetime.dispose();
      this.onclose?.();
    }
  }
}

function closeSocket(socket: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => socket.terminate(), closeMs);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    if (socket.readyState === socket.CONNECTING) {
      socket.terminate();
    } else {
      socket.close(1000);
    }
  });
}
