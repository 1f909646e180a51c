import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { JsonObject } from '../../../src/base/json.ts';
import type { DiscoveryFile } from '../../../src/contract/bridgeFiles.ts';
import { HttpPeer, initializeParams, jsonHeaders } from '../../unit/server/support/httpPeer.ts';

/** A client that chooses its own request ids, so that several can use the same ones. */
export interface RawClient {
  readonly transport: string;
  /** Resolves to the message with this id. */
  request(id: number, method: string, params: JsonObject): Promise<JsonObject>;
  /** Everything that came without having been asked for. */
  readonly notifications: readonly JsonObject[];
  /** Messages with an id that was not waited for. */
  readonly strays: readonly JsonObject[];
  close(): void;
}

class Inbox {
  readonly notifications: JsonObject[] = [];
  readonly strays: JsonObject[] = [];
  readonly #waiting = new Map<number, (message: JsonObject) => void>();

  expect(id: number): Promise<JsonObject> {
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  receive(message: JsonObject): void {
    if (message.method !== undefined) {
      this.notifications.push(message);
      return;
    }
    const id = message.id as number;
    const resolve = this.#waiting.get(id);
    if (resolve === undefined) {
      this.strays.push(message);
    }
    this.#waiting.delete(id);
    resolve?.(message);
  }
}

const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };

export async function connectHttp(window: DiscoveryFile): Promise<RawClient> {
  const inbox = new Inbox();
  const peer = new HttpPeer(window.port, window.token);
  await peer.initialize();
  const stream = await peer.stream();
  void pump(stream, inbox);
  const request = async (id: number, method: string, params: JsonObject): Promise<JsonObject> => {
    const { json } = await peer.post({ jsonrpc: '2.0', id, method, params });
    return json;
  };
  return { transport: '/mcp', request, notifications: inbox.notifications, strays: inbox.strays, close: () => peer.close() };
}

export async function connectSse(window: DiscoveryFile): Promise<RawClient> {
  const inbox = new Inbox();
  const peer = new HttpPeer(window.port, window.token);
  const stream = await peer.stream('/sse');
  const endpoint = (await stream.next())?.data ?? '';
  void pump(stream, inbox);
  const send = (message: JsonObject): Promise<unknown> => peer.send('POST', endpoint, jsonHeaders, JSON.stringify(message));
  const request = async (id: number, method: string, params: JsonObject): Promise<JsonObject> => {
    const answered = inbox.expect(id);
    await send({ jsonrpc: '2.0', id, method, params });
    return answered;
  };
  await request(0, 'initialize', initializeParams('2024-11-05'));
  await send(initialized);
  return { transport: '/sse', request, notifications: inbox.notifications, strays: inbox.strays, close: () => peer.close() };
}

export async function connectWebSocket(window: DiscoveryFile): Promise<RawClient> {
  const inbox = new Inbox();
  const socket = new WebSocket(window.urls.ws, { headers: { authorization: `Bearer ${window.token}` } });
  socket.on('message', (data: Buffer) => inbox.receive(JSON.parse(data.toString()) as JsonObject));
  await once(socket, 'open');
  const request = (id: number, method: string, params: JsonObject): Promise<JsonObject> => {
    const answered = inbox.expect(id);
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return answered;
  };
  await request(0, 'initialize', initializeParams('2025-06-18'));
  socket.send(JSON.stringify(initialized));
  return { transport: '/ws', request, notifications: inbox.notifications, strays: inbox.strays, close: () => socket.terminate() };
}

async function pump(stream: Awaited<ReturnType<HttpPeer['stream']>>, inbox: Inbox): Promise<void> {
  for (let event = await stream.next(); event !== undefined; event = await stream.next()) {
    inbox.receive(JSON.parse(event.data) as JsonObject);
  }
}
