import { connect as connectTls, type TLSSocket } from 'node:tls';
import { WebSocket } from 'ws';
import { messageOf } from '../base/errors.ts';
import type { DiscoveryFile } from '../contract/discoveryFile.ts';
import { bridgeError } from './bridgeErrors.ts';

export interface ClientCertificate {
  readonly cert: Buffer;
  readonly key: Buffer;
}

export interface LinkOptions {
  readonly token: string;
  readonly certificate: ClientCertificate | undefined;
  readonly timeoutMs: number;
}

export type LinkOutcome =
  | { readonly kind: 'open'; readonly link: Link }
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'failed'; readonly reason: string };

export interface LinkListener {
  text(text: string): void;
  closed(code: number, reason: string): void;
}

/** A connection to one window. */
export interface Link {
  /** Nothing is read before somebody listens. */
  listen(listener: LinkListener): void;
  /** False: enough is waiting to be sent; `onDrain` tells when it is not. */
  send(text: string): boolean;
  /** Calls back once. */
  onDrain(listener: () => void): void;
  pause(): void;
  resume(): void;
  close(): void;
}

const maxMessageBytes = 64 * 1024 * 1024;
/** What may wait to be sent before the host is no longer read. */
const maxUnsentBytes = 1024 * 1024;
const closeMs = 500;

/** A WebSocket to the server of one window. */
export class WindowLink implements Link {
  readonly #socket: WebSocket;
  #onDrain: (() => void) | undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('error', () => undefined); // 'close' follows and tells
  }

  static async open({ urls, certificateSha256, port }: DiscoveryFile, options: LinkOptions): Promise<LinkOutcome> {
    let secured: TLSSocket | undefined;
    try {
      secured = urls.ws.startsWith('wss:') ? await connectPinned(port, certificateSha256, options) : undefined;
    } catch (error) {
      return { kind: 'failed', reason: messageOf(error) };
    }
    const socket = new WebSocket(urls.ws, 'mcp', {
      headers: { authorization: `Bearer ${options.token}` },
      handshakeTimeout: options.timeoutMs,
      maxPayload: maxMessageBytes,
      perMessageDeflate: false,
      followRedirects: false,
      ...(secured !== undefined && { createConnection: () => secured }),
    });
    return new Promise((resolve) => {
      socket.once('unexpected-response', (_request, response) => {
        response.destroy();
        socket.terminate();
        resolve({ kind: 'refused', status: response.statusCode ?? 0 });
      });
      socket.once('error', (error) => resolve({ kind: 'failed', reason: error.message }));
      socket.once('open', () => {
        socket.pause(); // until somebody listens
        resolve({ kind: 'open', link: new WindowLink(socket) });
      });
    });
  }

  listen(listener: LinkListener): void {
    this.#socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (!isBinary) {
        listener.text(data.toString());
      }
    });
    this.#socket.once('close', (code, reason) => listener.closed(code, reason.toString()));
    if (this.#socket.readyState === this.#socket.CLOSED) {
      listener.closed(1006, '');
    }
    this.#socket.resume();
  }

  send(text: string): boolean {
    this.#socket.send(text, () => {
      if (this.#socket.bufferedAmount <= maxUnsentBytes) {
        this.#onDrain?.();
        this.#onDrain = undefined;
      }
    });
    return this.#socket.bufferedAmount <= maxUnsentBytes;
  }

  onDrain(listener: () => void): void {
    this.#onDrain = listener;
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  close(): void {
    this.#socket.resume();
    this.#socket.close(1000);
    const cutOff = setTimeout(() => this.#socket.terminate(), closeMs);
    this.#socket.once('close', () => clearTimeout(cutOff));
  }
}

/** The token is sent only after the certificate has shown to be the one that the discovery file names. */
function connectPinned(port: number, sha256: string | undefined, options: LinkOptions): Promise<TLSSocket> {
  const { certificate, timeoutMs } = options;
  return new Promise((resolve, reject) => {
    // The pin takes the place of authorities and names; without one they decide.
    const socket = connectTls({ host: '127.0.0.1', port, rejectUnauthorized: sha256 === undefined, timeout: timeoutMs, ...certificate });
    const fail = (error: Error): void => {
      socket.destroy();
      reject(error);
    };
    socket.once('error', fail);
    socket.once('timeout', () => fail(bridgeError('bridge.connectTimeout')));
    socket.once('secureConnect', () => {
      if (sha256 !== undefined && fingerprint(socket.getPeerX509Certificate()?.fingerprint256 ?? '') !== fingerprint(sha256)) {
        fail(bridgeError('bridge.certificateMismatch'));
        return;
      }
      socket.setTimeout(0);
      socket.off('error', fail);
      resolve(socket);
    });
  });
}

function fingerprint(text: string): string {
  return text.replace(/[^0-9a-f]/gi, '').toLowerCase();
}
