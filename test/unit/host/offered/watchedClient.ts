import * as path from 'node:path';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { Answer, EventReader, HttpPeer } from '../../server/support/httpPeer.ts';
import { modernHeaders } from '../../server/support/modernLinks.ts';
import { modern } from '../../server/support/modernRules.ts';
import { repositoryRoot } from '../support.ts';
import { type GatewayBench, resultText } from './gatewayBench.ts';

export const toldServer = path.join(repositoryRoot, 'test/fixtures/servers/toldServer.mjs');

/** What a told server says. */
export interface Told {
  readonly prompts?: readonly object[];
  readonly resources?: readonly object[];
  readonly templates?: readonly object[];
  readonly reads?: Readonly<Record<string, readonly object[]>>;
  readonly errors?: Readonly<Record<string, string>>;
  readonly stderr?: string;
  readonly many?: number;
  readonly env?: Readonly<Record<string, string>>;
}

const neverAborted = new AbortController().signal;

/** Configures servers that say what they are told, starts them, and offers them. */
export async function offerTold({ host, offers }: GatewayBench, servers: Readonly<Record<string, Told>>): Promise<void> {
  const names = Object.keys(servers);
  const entryOf = ({ env = {}, ...told }: Told): object => ({ command: 'node', args: [toldServer, JSON.stringify(told)], env });
  await host.configure(Object.fromEntries(names.map((name) => [name, entryOf(servers[name] ?? {})])));
  for (const name of names) {
    const { id } = host.server(name);
    await host.registry.start(id, { ask: host.ask, signal: neverAborted });
    await host.registry.features(id).listed;
    await offers.offer(id);
  }
  host.asked.length = 0;
}

/** A client that keeps every byte it is sent. */
export class WatchedClient {
  readonly peer: HttpPeer;
  readonly token: string;
  readonly received: string[] = [];
  #stream: EventReader | undefined;
  #reading: Promise<void> = Promise.resolve();

  private constructor(peer: HttpPeer, token: string) {
    this.peer = peer;
    this.token = token;
  }

  /** Connects under a name, and is let in. */
  static async connect({ served }: GatewayBench, name: string, token = served.otherToken()): Promise<WatchedClient> {
    const client = new WatchedClient(served.peer(token), token);
    const { headers } = await client.ask('initialize', {
      ...{ protocolVersion: '2025-11-25', capabilities: {} },
      clientInfo: { name, version: '1' },
    });
    client.peer.sessionId = headers['mcp-session-id'] as string | undefined;
    await client.peer.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await client.call('list_workspace_folders');
    return client;
  }

  async ask(method: string, params: JsonObject = {}): Promise<Answer> {
    return this.#keep(await this.peer.request(method, params));
  }

  async post(message: JsonObject): Promise<Answer> {
    return this.#keep(await this.peer.post({ jsonrpc: '2.0', ...message }));
  }

  /** A request of the revision without sessions. */
  async askModern(method: string, params: JsonObject = {}): Promise<JsonObject> {
    const message = modern(1, method, params);
    return this.#keep(await this.peer.post(message, modernHeaders(message))).json;
  }

  call(tool: string, args: JsonObject = {}, more: JsonObject = {}): Promise<Answer> {
    return this.ask('tools/call', { name: tool, arguments: args, ...more });
  }

  read(uri: string): Promise<Answer> {
    return this.ask('resources/read', { uri });
  }

  /** Keeps what the server says by itself from now on. */
  async listen(): Promise<void> {
    const stream = await this.peer.stream();
    this.#stream = stream;
    const pump = async (): Promise<void> => {
      for (let event = await stream.next(); event !== undefined; event = await stream.next()) {
        this.received.push(event.data);
      }
    };
    this.#reading = pump();
  }

  async hangUp(): Promise<void> {
    this.#stream?.close();
    await this.#reading;
  }

  /** The notifications of one method that came so far. */
  told(method: string): readonly JsonObject[] {
    return this.received
      .filter((text) => text.startsWith('{'))
      .map((text) => JSON.parse(text) as JsonObject)
      .filter((message) => message.method === method);
  }

  get everything(): string {
    return this.received.join('\n');
  }

  #keep(answer: Answer): Answer {
    this.received.push(JSON.stringify(answer.headers), answer.text);
    return answer;
  }
}

export function errorOf({ json }: { readonly json: JsonObject }): {
  readonly code: number;
  readonly message: string;
  readonly data?: JsonObject;
} {
  return json.error as unknown as { code: number; message: string; data?: JsonObject };
}

/** All pages of a list. */
export async function listAll(client: WatchedClient, method: string, member: string): Promise<readonly JsonObject[]> {
  const all: JsonObject[] = [];
  let cursor: unknown;
  do {
    const { json } = await client.ask(method, cursor === undefined ? {} : { cursor: cursor as string });
    const result = json.result as JsonObject;
    all.push(...(result[member] as unknown as readonly JsonObject[]));
    cursor = result.nextCursor;
  } while (cursor !== undefined);
  return all;
}

/** Every line that a told server was sent so far, as it says itself. */
export async function linesSentTo({ host }: GatewayBench, name: string): Promise<string> {
  const outcome = await host.call('received', {}, { serverId: host.server(name).id });
  if (outcome.kind !== 'result') {
    throw new Error(`The server ${name} said nothing: ${outcome.kind}`);
  }
  return resultText({ json: { result: { content: outcome.result.content } } });
}
