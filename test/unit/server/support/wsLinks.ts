import { isJsonObject, type JsonObject } from '../../../../src/base/json.ts';
import { modernMeta, type ModernTransport } from './modernLinks.ts';
import { Inbox, type ProtocolLink, type ProtocolTransport } from './protocolLinks.ts';
import type { RunningCore } from './runningCore.ts';
import { WsPeer } from './wsPeer.ts';

/** Sorts what comes down a pipe by who waits for it. */
export class PipeLink implements ProtocolLink {
  readonly #send: (text: string) => void;
  readonly #inbox = new Inbox();
  /** Answers that name no request: to batches and to what could not be read. */
  readonly #nameless = new Inbox();
  readonly #waiting = new Map<unknown, ((answer: JsonObject) => void)[]>();

  constructor(send: (text: string) => void) {
    this.#send = send;
  }

  receive(message: JsonObject): void {
    if (isJsonObject(message) && message.method !== undefined) {
      this.#inbox.put(message);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    // An id that is still in use: the one who used it again is answered first.
    const isRefused = isJsonObject(message.error) && message.error.code === -32600;
    const resolve = isRefused ? waiting?.pop() : waiting?.shift();
    if (resolve === undefined) {
      this.#nameless.put(message);
    } else {
      resolve(message);
    }
  }

  ask(message: unknown): Promise<JsonObject> {
    const id = idOf(message);
    const answer =
      id === undefined
        ? this.#nameless.next()
        : new Promise<JsonObject>((resolve) => {
            this.#waiting.set(id, [...(this.#waiting.get(id) ?? []), resolve]);
          });
    this.#send(typeof message === 'string' ? message : JSON.stringify(message));
    return answer;
  }

  tell(message: unknown): Promise<void> {
    this.#send(typeof message === 'string' ? message : JSON.stringify(message));
    return Promise.resolve();
  }

  next(): Promise<JsonObject> {
    return this.#inbox.next();
  }

  async cancel(id: unknown): Promise<void> {
    await this.tell({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
    // Messages are taken in their order.
    await this.ask({ jsonrpc: '2.0', id: `after ${String(id)}`, method: 'server/discover', params: { _meta: modernMeta() } });
  }
}

/** The id that an answer will carry. */
function idOf(message: unknown): unknown {
  let value = message;
  if (typeof message === 'string') {
    try {
      value = JSON.parse(message);
    } catch {
      return undefined;
    }
  }
  const id = isJsonObject(value) ? value.id : undefined;
  return typeof id === 'string' || Number.isInteger(id) ? id : undefined;
}

async function open(core: RunningCore, path: string, token = core.token): Promise<PipeLink> {
  const peer = await WsPeer.open(core.port, token, { path });
  const link = new PipeLink((text) => peer.send(text));
  peer.socket.on('message', (data: Buffer) => link.receive(JSON.parse(data.toString()) as JsonObject));
  return link;
}

export function webSocketAt(path: string): ProtocolTransport & ModernTransport {
  return { name: `a WebSocket on ${path}`, open: (core: RunningCore, token?: string) => open(core, path, token) };
}
