import { randomUUID } from 'node:crypto';
import * as http from 'node:http';
import { WebSocket } from 'ws';
import { metaKey, modernRevision } from '../../src/contract/protocolNames.ts';
import { check, initialize, openSession, post, protocolVersion } from './httpPost.ts';
import type { Target } from './roundTrips.ts';

export interface OpenTarget extends Target {
  /** As `call`, with the text of the answer. */
  readonly ask: () => Promise<string>;
  readonly close?: () => void;
}

const clientInfo = { name: 'bench', version: '1.0.0' };
let nextId = 1;
const call = { name: 'get_diagnostics', arguments: {} };
const toolCall = (id: number, params: object = call): string => JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });

function target(name: string, ask: () => Promise<string>, close?: () => void): OpenTarget {
  const call = async (): Promise<void> => {
    const text = await ask();
    if (!text.includes('"structuredContent"')) {
      throw new Error(`Not a result: ${text.slice(0, 300)}`);
    }
  };
  return { name, ask, call, ...(close !== undefined && { close }) };
}

/** The bare echo of what `sessionTarget` sends. */
export function bareTarget(name: string, url: string, token: string): OpenTarget {
  return postTarget(name, url, token, { 'mcp-session-id': randomUUID(), 'mcp-protocol-version': protocolVersion });
}

export async function sessionTarget(name: string, url: string, token: string): Promise<OpenTarget> {
  return postTarget(name, url, token, await openSession(url, token));
}

/** Also its bare echo, which reads no header. */
export function statelessTarget(name: string, url: string, token: string): OpenTarget {
  const headers = { 'mcp-protocol-version': modernRevision, 'mcp-method': 'tools/call', 'mcp-name': call.name };
  const _meta = { [metaKey.protocolVersion]: modernRevision, [metaKey.clientInfo]: clientInfo, [metaKey.clientCapabilities]: {} };
  return postTarget(name, url, token, headers, { ...call, _meta });
}

function postTarget(name: string, url: string, token: string, headers: Record<string, string>, params?: object): OpenTarget {
  return target(name, async () => {
    const answer = await post(url, token, toolCall(nextId++, params), headers);
    check(answer, 200);
    return answer.body;
  });
}

/** Requests whose answers come elsewhere, by their ids. None waits longer than its connection lasts. */
class Waiting {
  readonly #open = new Map<number, { readonly resolve: (text: string) => void; readonly reject: (error: Error) => void }>();
  #end: Error | undefined;

  answerTo(id: number): Promise<string> {
    return new Promise((resolve, reject) => {
      if (this.#end === undefined) {
        this.#open.set(id, { resolve, reject });
      } else {
        reject(this.#end);
      }
    });
  }

  take(text: string): void {
    const id = Number(/"id":(\d+)/.exec(text)?.[1]);
    this.#open.get(id)?.resolve(text);
    this.#open.delete(id);
  }

  end(reason: string): void {
    this.#end ??= new Error(reason);
    for (const { reject } of this.#open.values()) {
      reject(this.#end);
    }
    this.#open.clear();
  }
}

/** `opens`: with the handshake; the bare echo has none. */
export async function sseTarget(name: string, url: string, token: string, opens: boolean): Promise<OpenTarget> {
  const waiting = new Waiting();
  const { endpoint, close } = await openStream(url, token, waiting);
  const ask = async (id: number, body: string): Promise<string> => {
    const answer = waiting.answerTo(id);
    answer.catch(() => undefined);
    check(await post(endpoint, token, body), 202);
    return answer;
  };
  if (opens) {
    const id = nextId++;
    await orClose(ask(id, initialize(id)), close);
    check(await orClose(post(endpoint, token, initialized), close), 202);
  }
  return target(name, () => ask(nextId, toolCall(nextId++)), close);
}

const initialized = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });

/** A connection whose handshake fails is not left open. */
function orClose<T>(work: Promise<T>, close: () => void): Promise<T> {
  return work.catch((error: unknown) => {
    close();
    throw error;
  });
}

function openStream(url: string, token: string, waiting: Waiting): Promise<{ endpoint: string; close: () => void }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
    const outgoing = http.get(url, { headers }, (incoming) => {
      const { statusCode } = incoming;
      if (statusCode !== 200) {
        incoming.resume();
        reject(new Error(`The stream is answered with ${statusCode}.`));
        return;
      }
      incoming.on('error', () => undefined); // the event 'close' follows
      incoming.once('close', () => {
        waiting.end('The stream ended.');
        reject(new Error('The stream ended before it said where messages go.'));
      });
      readEvents(incoming, (name, data) => {
        if (name === 'endpoint') {
          resolve({ endpoint: new URL(data, url).href, close: () => outgoing.destroy() });
        } else {
          waiting.take(data);
        }
      });
    });
    outgoing.on('error', reject);
  });
}

function readEvents(incoming: http.IncomingMessage, take: (name: string, data: string) => void): void {
  let buffer = '';
  incoming.setEncoding('utf8');
  incoming.on('data', (chunk: string) => {
    buffer += chunk;
    for (let end = buffer.indexOf('\n\n'); end !== -1; end = buffer.indexOf('\n\n')) {
      const event = buffer.slice(0, end);
      buffer = buffer.slice(end + 2);
      const at = event.indexOf('data: ');
      if (at !== -1) {
        take(event.startsWith('event: endpoint') ? 'endpoint' : 'message', event.slice(at + 6));
      }
    }
  });
}

/** `opens`: with the handshake; the bare echo has none. */
export async function webSocketTarget(name: string, url: string, token: string, opens: boolean): Promise<OpenTarget> {
  const waiting = new Waiting();
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` }, perMessageDeflate: false });
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  socket.on('error', () => undefined); // the event 'close' follows
  socket.on('close', (code, reason) => waiting.end(`The WebSocket was closed with ${code} ${reason.toString()}`));
  socket.on('message', (data: Buffer) => waiting.take(data.toString()));
  const ask = (id: number, text: string): Promise<string> => {
    const answer = waiting.answerTo(id);
    socket.send(text);
    return answer;
  };
  const close = (): void => socket.terminate();
  if (opens) {
    const id = nextId++;
    await orClose(ask(id, initialize(id)), close);
    socket.send(initialized);
  }
  return target(name, () => ask(nextId, toolCall(nextId++)), close);
}
