import type { JsonObject } from '../../../../src/base/json.ts';
import { jsonHeaders, type EventReader, type HttpPeer } from './httpPeer.ts';
import type { RunningCore } from './runningCore.ts';

/** A client's end of some transport: what the tables of protocol rules need of it, and no more. */
export interface ProtocolLink {
  /** Sends a value as JSON, or a text as it is, and waits for the message that answers it; for a batch that is an array. */
  ask(message: unknown): Promise<JsonObject>;
  /** Sends what has no answer. */
  tell(message: unknown): Promise<void>;
  /** The next message that answers nothing: a notification, or a request of the server. */
  next(): Promise<JsonObject>;
}

export interface ProtocolTransport {
  readonly name: string;
  /** A fresh connection; it ends with the peers of the core. */
  open(core: RunningCore): Promise<ProtocolLink>;
}

/** Messages in the order they came; who waits longest gets the first. */
export class Inbox {
  readonly #messages: JsonObject[] = [];
  readonly #waiting: ((message: JsonObject) => void)[] = [];

  put(message: JsonObject): void {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) {
      this.#messages.push(message);
    } else {
      waiting(message);
    }
  }

  next(): Promise<JsonObject> {
    const message = this.#messages.shift();
    return message === undefined ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(message);
  }
}

export const streamableHttp: ProtocolTransport = {
  name: '/mcp',
  open: async (core) => {
    const peer = core.peer();
    const inbox = new Inbox();
    const ask = async (message: unknown): Promise<JsonObject> => {
      const isOpening = typeof message === 'object' && message !== null && 'method' in message && message.method === 'initialize';
      if (!isOpening && peer.sessionId !== undefined) {
        return await askByStream(peer, inbox, message);
      }
      const answer = await peer.post(message);
      if (isOpening && typeof answer.headers['mcp-session-id'] === 'string') {
        peer.sessionId = answer.headers['mcp-session-id'];
        await pumpStanding(peer, inbox);
      }
      return answer.json;
    };
    const tell = async (message: unknown): Promise<void> => {
      await peer.post(message);
    };
    return { ask, tell, next: () => inbox.next() };
  },
};

async function askByStream(peer: HttpPeer, inbox: Inbox, message: unknown): Promise<JsonObject> {
  return readAnswer(await peer.openPost(message), inbox);
}

/** What comes before the answer goes to the inbox. */
export async function readAnswer(reader: EventReader, inbox: Inbox): Promise<JsonObject> {
  if (reader.headers['content-type'] !== 'text/event-stream') {
    return (await reader.json()) as JsonObject;
  }
  for (;;) {
    const each = await reader.nextMessage();
    if (Array.isArray(each) || each.method === undefined) {
      return each;
    }
    inbox.put(each);
  }
}

async function pumpStanding(peer: HttpPeer, inbox: Inbox): Promise<void> {
  pump(await peer.stream(), (message) => inbox.put(message));
}

function pump(stream: EventReader, take: (message: JsonObject) => void): void {
  void (async () => {
    for (let event = await stream.next(); event !== undefined; event = await stream.next()) {
      take(JSON.parse(event.data) as JsonObject);
    }
  })();
}

export const httpSse: ProtocolTransport = {
  name: '/sse',
  open: async (core) => {
    const peer = core.peer();
    const inbox = new Inbox();
    const answers = new Inbox();
    const stream = await peer.stream('/sse');
    const endpoint = (await stream.next())?.data ?? '';
    pump(stream, (message) => (Array.isArray(message) || message.method === undefined ? answers : inbox).put(message));
    const send = (message: unknown): ReturnType<HttpPeer['send']> =>
      peer.send('POST', endpoint, jsonHeaders, typeof message === 'string' ? message : JSON.stringify(message));
    const ask = async (message: unknown): Promise<JsonObject> => {
      const { status, json } = await send(message);
      if (status === 202) {
        return answers.next();
      }
      if (json.id === null) {
        return json;
      }
      // It is on the stream as well, unless somebody who waits for the same id took it: then this is theirs.
      const answer = await answers.next();
      return answer.error === undefined ? answer : json;
    };
    const tell = async (message: unknown): Promise<void> => {
      await send(message);
    };
    return { ask, tell, next: () => inbox.next() };
  },
};

/** The chat's link; it has no text on the way that could be malformed. */
export const inMemory: ProtocolTransport = {
  name: 'the in-memory link',
  open: async (core) => {
    const inbox = new Inbox();
    const answers = new Inbox();
    const end = core.server.connectInMemory();
    end.onmessage = (message) => (message.method === undefined ? answers : inbox).put(message);
    await end.start();
    const tell = (message: unknown): Promise<void> => end.send(message as JsonObject);
    const ask = async (message: unknown): Promise<JsonObject> => {
      await tell(message);
      return answers.next();
    };
    return { ask, tell, next: () => inbox.next() };
  },
};
