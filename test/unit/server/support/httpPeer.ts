import { Agent, request, type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import type { JsonObject } from '../../../../src/base/json.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON; for a stream, the data of its last event. */
  readonly json: JsonObject;
}

export interface SseEvent {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: string;
}

/** A client made of nothing but node:http: what it sends is exactly what a test says. */
export class HttpPeer {
  readonly #port: number;
  readonly #token: string;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #streams: EventReader[] = [];
  sessionId: string | undefined;
  #nextId = 0;

  constructor(port: number, token: string) {
    this.#port = port;
    this.#token = token;
  }

  close(): void {
    for (const stream of this.#streams) {
      stream.close();
    }
    this.#agent.destroy();
  }

  /** Any request; headers given as `undefined` are left out. */
  send(method: string, path: string, headers: OutgoingHttpHeaders = {}, body?: string): Promise<Answer> {
    return this.#open(method, path, headers, body).then(
      (response) =>
        new Promise((resolve, reject) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => (text += chunk));
          response.on('error', reject);
          response.on('end', () => resolve(toAnswer(response, text)));
        }),
    );
  }

  /** POSTs to `/mcp` with this peer's session. */
  post(body: unknown, headers: OutgoingHttpHeaders = {}): Promise<Answer> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return this.send('POST', '/mcp', { ...this.#sessionHeaders(), ...jsonHeaders, ...headers }, text);
  }

  /** The same, read while it comes. */
  async openPost(body: unknown, headers: OutgoingHttpHeaders = {}): Promise<EventReader> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const reader = new EventReader(await this.#open('POST', '/mcp', { ...this.#sessionHeaders(), ...jsonHeaders, ...headers }, text));
    this.#streams.push(reader);
    return reader;
  }

  request(method: string, params?: JsonObject, headers?: OutgoingHttpHeaders): Promise<Answer> {
    this.#nextId += 1;
    return this.post({ jsonrpc: '2.0', id: this.#nextId, method, ...(params !== undefined && { params }) }, headers);
  }

  callTool(name: string, args: JsonObject = {}, more: JsonObject = {}): Promise<Answer> {
    return this.request('tools/call', { name, arguments: args, ...more });
  }

  async initialize(protocolVersion = '2025-11-25'): Promise<Answer> {
    const answer = await this.request('initialize', initializeParams(protocolVersion));
    this.sessionId = answer.headers['mcp-session-id'] as string | undefined;
    await this.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return answer;
  }

  /** Opens a stream; `/mcp` with this peer's session, or any path. */
  async stream(path = '/mcp', headers: OutgoingHttpHeaders = {}): Promise<EventReader> {
    const response = await this.#open('GET', path, { ...this.#sessionHeaders(), accept: 'text/event-stream', ...headers });
    const reader = new EventReader(response);
    this.#streams.push(reader);
    return reader;
  }

  #sessionHeaders(): OutgoingHttpHeaders {
    return this.sessionId === undefined ? {} : { 'mcp-session-id': this.sessionId };
  }

  #open(method: string, path: string, headers: OutgoingHttpHeaders, body?: string): Promise<IncomingMessage> {
    const all: OutgoingHttpHeaders = { authorization: `Bearer ${this.#token}`, ...headers };
    const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
    return new Promise((resolve, reject) => {
      const outgoing = request({ host: '127.0.0.1', port: this.#port, method, path, headers: given, agent: this.#agent }, resolve);
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }
}

export const jsonHeaders = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

export function initializeParams(protocolVersion: string): JsonObject {
  return { protocolVersion, capabilities: {}, clientInfo: { name: 'peer', version: '9' } };
}

function toAnswer(response: IncomingMessage, text: string): Answer {
  const isStream = response.headers['content-type'] === 'text/event-stream';
  const last = isStream ? parseEvents(text).at(-1)?.data : text;
  let json: JsonObject = {};
  try {
    json = JSON.parse(last ?? '') as JsonObject;
  } catch {
    // Some answers are empty.
  }
  return { status: response.statusCode ?? 0, headers: response.headers, text, json };
}

export function parseEvents(text: string): SseEvent[] {
  return text
    .split('\n\n')
    .filter((block) => /^(id|event|data):/m.test(block))
    .map((block) => {
      const field = (name: string): string | undefined => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1];
      return { id: field('id'), event: field('event'), data: field('data') ?? '' };
    });
}

/** Reads events one by one, as they come. */
export class EventReader {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly #response: IncomingMessage;
  readonly #events: SseEvent[] = [];
  #rest = '';
  #wake: (() => void) | undefined;
  #isOver = false;

  constructor(response: IncomingMessage) {
    this.status = response.statusCode ?? 0;
    this.headers = response.headers;
    this.#response = response;
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      this.#rest += chunk;
      const end = this.#rest.lastIndexOf('\n\n');
      if (end !== -1) {
        this.#events.push(...parseEvents(this.#rest.slice(0, end)));
        this.#rest = this.#rest.slice(end + 2);
        this.#wake?.();
      }
    });
    const over = (): void => {
      this.#isOver = true;
      this.#wake?.();
    };
    response.on('end', over).on('close', over).on('error', over);
  }

  /** The next event that carries something; `undefined` when the stream has ended. */
  async next(): Promise<SseEvent | undefined> {
    for (;;) {
      const event = this.#events.shift();
      if (event !== undefined && event.data !== '') {
        return event;
      }
      if (event === undefined) {
        if (this.#isOver) {
          return undefined;
        }
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    }
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Reads on without keeping anything. */
  async untilOver(): Promise<void> {
    while (!this.#isOver) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** For an answer that is no stream after all. */
  async json(): Promise<unknown> {
    await this.untilOver();
    return this.#rest === '' ? {} : JSON.parse(this.#rest);
  }

  async nextMessage(): Promise<JsonObject> {
    const event = await this.next();
    if (event === undefined) {
      throw new Error('The stream has ended.');
    }
    return JSON.parse(event.data) as JsonObject;
  }

  close(): void {
    this.#response.destroy();
  }
}
