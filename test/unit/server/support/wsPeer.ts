import { WebSocket, type ClientOptions } from 'ws';
import type { JsonObject } from '../../../../src/base/json.ts';
import { initializeParams } from './httpPeer.ts';

export interface Refused {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** A client made of nothing but a WebSocket: what it sends is exactly what a test says. */
export class WsPeer {
  readonly socket: WebSocket;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  readonly #texts: string[] = [];
  #wake: (() => void) | undefined;
  #nextId = 0;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data: Buffer) => {
      this.#texts.push(data.toString());
      this.#wake?.();
    });
    socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => {
      socket.on('close', (code, reason) => {
        resolve({ code, reason: reason.toString() });
        this.#wake?.();
      });
    });
  }

  /** Rejects with what an upgrade was refused with. */
  static open(
    port: number,
    token: string | undefined,
    options: ClientOptions & { path?: string; protocols?: string[] } = {},
  ): Promise<WsPeer> {
    const { path = '/ws', protocols = ['mcp'], headers, ...rest } = options;
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, protocols, {
      perMessageDeflate: false,
      ...rest,
      headers: { ...authorization, ...headers },
    });
    const peer = new WsPeer(socket);
    return new Promise((resolve, reject) => {
      socket.once('open', () => resolve(peer));
      socket.once('error', reject);
      socket.once('unexpected-response', (_request, response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () => {
          socket.terminate();
          reject(new UpgradeRefused({ status: response.statusCode ?? 0, headers: response.headers, text }));
        });
      });
    });
  }

  send(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  async next(): Promise<JsonObject> {
    for (;;) {
      const text = this.#texts.shift();
      if (text !== undefined) {
        return JSON.parse(text) as JsonObject;
      }
      if (this.socket.readyState !== this.socket.OPEN) {
        throw new Error('The connection has ended.');
      }
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** The answer to a message, past notifications. */
  async ask(message: unknown): Promise<JsonObject> {
    this.send(message);
    for (;;) {
      const answer = await this.next();
      if (answer.method === undefined) {
        return answer;
      }
    }
  }

  request(method: string, params?: JsonObject): Promise<JsonObject> {
    this.#nextId += 1;
    return this.ask({ jsonrpc: '2.0', id: this.#nextId, method, ...(params !== undefined && { params }) });
  }

  callTool(name: string, args: JsonObject = {}): Promise<JsonObject> {
    return this.request('tools/call', { name, arguments: args });
  }

  async initialize(protocolVersion = '2025-11-25'): Promise<JsonObject> {
    const answer = await this.request('initialize', initializeParams(protocolVersion));
    this.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return answer;
  }

  async close(): Promise<void> {
    this.socket.close();
    await this.closed;
  }
}

export class UpgradeRefused extends Error implements Refused {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;

  constructor({ status, headers, text }: Refused) {
    super(`The upgrade was refused with ${status}`);
    this.status = status;
    this.headers = headers;
    this.text = text;
  }
}

/** What an upgrade is refused with. */
export async function refusalOf(opening: Promise<WsPeer>): Promise<Refused> {
  try {
    const peer = await opening;
    peer.socket.terminate();
  } catch (error) {
    if (error instanceof UpgradeRefused) {
      return error;
    }
    throw error;
  }
  throw new Error('it opened');
}
