import type { IncomingMessage } from 'node:http';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { WebSocket } from 'ws';
import { messageOf } from '../base/errors.ts';
import {
  challengeHeader,
  isSameSecret,
  newSecret,
  proofHeader,
  windowProof,
  workbenchHeader,
  workbenchProof,
} from '../platform/randomSecrets.ts';
import type { DiscoveryFile } from '../contract/bridgeFiles.ts';
import { bridgeError } from './sentences.ts';

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
  /** Whoever listens at the address does not know the window's token. */
  | { readonly kind: 'unproven' }
  /** It is the window, but its page does not answer, because it was closed or reloaded, or hangs. */
  | { readonly kind: 'silent' }
  | { readonly kind: 'failed'; readonly reason: string };

export type WindowStanding = { readonly kind: 'answers' } | Extract<LinkOutcome, { kind: 'refused' | 'unproven' | 'silent' }>;

export interface LinkListener {
  text(text: string): void;
  closed(code: number, reason: string): void;
}

/** A connection to one window. */
export interface Link {
  /** Begins to read: nothing is read before somebody listens. */
  listen(listener: LinkListener): void;
  /** Sends a message; false when enough is waiting to be sent. `onDrain` tells when that is over. */
  send(text: string): boolean;
  /** Calls the listener once, when little is waiting to be sent. */
  onDrain(listener: () => void): void;
  pause(): void;
  resume(): void;
  close(): void;
}

/** The most bytes of one message of the window. */
const maxMessageBytes = 64 * 1024 * 1024;
/** The most bytes that may wait to be sent before the host is no longer read. */
const maxUnsentBytes = 1024 * 1024;
/** How long, in ms, the window may take to close the connection too, before it is cut off. */
const closeMs = 500;

/** A WebSocket to the server of one window. */
export class WindowLink implements Link {
  readonly #socket: WebSocket;
  #onDrain: (() => void) | undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('error', () => undefined); // 'close' follows and tells of it
  }

  /**
   * No token is sent before the window has shown that it knows its own: its discovery file may have outlived it, and its process
   * number and port may be those of a program of another user by now.
   */
  static async open(window: DiscoveryFile, options: LinkOptions): Promise<LinkOutcome> {
    try {
      const standing = await WindowLink.look(window, options);
      if (standing.kind !== 'answers') {
        return standing;
      }
      const outcome = await shakeHands(window, { authorization: `Bearer ${options.token}` }, options);
      return outcome.kind === 'refused' ? refusedBy(outcome.response) : { kind: 'open', link: new WindowLink(outcome.socket) };
    } catch (error) {
      return { kind: 'failed', reason: messageOf(error) };
    }
  }

  /**
   * Finds out whether the window knows its token and its page answers, without sending a token. Rejects when nobody can be
   * reached there.
   */
  static async look(window: DiscoveryFile, options: Omit<LinkOptions, 'token'>): Promise<WindowStanding> {
    const nonce = newSecret();
    const challenged = await shakeHands(window, { [challengeHeader]: nonce }, options);
    if (challenged.kind === 'open') {
      challenged.socket.terminate();
      return { kind: 'unproven' };
    }
    const { response } = challenged;
    if (response.statusCode !== 401) {
      return refusedBy(response);
    }
    if (!isProved(window, nonce, response)) {
      return { kind: 'unproven' };
    }
    return { kind: isSilent(window, nonce, response) ? 'silent' : 'answers' };
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

type Handshake = { readonly kind: 'open'; readonly socket: WebSocket } | { readonly kind: 'refused'; readonly response: IncomingMessage };

async function shakeHands(
  { urls, certificateSha256, port }: DiscoveryFile,
  headers: Readonly<Record<string, string>>,
  options: Omit<LinkOptions, 'token'>,
): Promise<Handshake> {
  const secured = urls.ws.startsWith('wss:') ? await connectPinned(port, certificateSha256, options) : undefined;
  const socket = new WebSocket(urls.ws, 'mcp', {
    headers,
    handshakeTimeout: options.timeoutMs,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
    followRedirects: false,
    ...(secured !== undefined && { createConnection: () => secured }),
  });
  return new Promise((resolve, reject) => {
    socket.once('unexpected-response', (_request, response) => {
      response.destroy();
      socket.terminate();
      resolve({ kind: 'refused', response });
    });
    socket.once('error', reject);
    socket.once('open', () => {
      socket.pause(); // until somebody listens
      resolve({ kind: 'open', socket });
    });
  });
}

/** Whether the answer proves that the window knows its token. An empty token proves nothing, because anybody knows it. */
function isProved({ token, port }: DiscoveryFile, nonce: string, { headers }: IncomingMessage): boolean {
  const proof = headers[proofHeader];
  return token !== '' && typeof proof === 'string' && isSameSecret(proof, windowProof(token, nonce, port));
}

/** Whether the window says that its page does not answer; a window of an older version does not say. */
function isSilent({ token, port }: DiscoveryFile, nonce: string, { headers }: IncomingMessage): boolean {
  return headers[workbenchHeader] === workbenchProof(token, nonce, port, 'silent');
}

function refusedBy({ statusCode = 0 }: IncomingMessage): Extract<LinkOutcome, { kind: 'refused' }> {
  return { kind: 'refused', status: statusCode };
}

/**
 * Connects by TLS. The promise resolves only after the certificate has turned out to be the one that the discovery file names, so
 * that no token is sent before.
 */
function connectPinned(port: number, sha256: string | undefined, options: Omit<LinkOptions, 'token'>): Promise<TLSSocket> {
  const { certificate, timeoutMs } = options;
  return new Promise((resolve, reject) => {
    // The pinned certificate is checked instead of authorities and names; without a pin those decide.
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
