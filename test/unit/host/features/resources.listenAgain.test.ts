import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { isJsonObject, type JsonObject } from '../../../../src/base/json.ts';
import { createTestHost, type TestHost } from '../support.ts';
import { type HttpPeer, readJson, sendJson, startPeer } from '../remoteSupport.ts';

const { signal } = new AbortController();
const fresh = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };

/** A server of 2026-07-28 over HTTP that is asked for its changes. */
class ChangingPeer {
  readonly tools = ['first'];
  readonly prompts: string[] = [];
  /** What each request to listen asked for. */
  readonly listened: unknown[] = [];
  /** How often the tools were listed. */
  listings = 0;
  /** How many more requests to listen are refused. */
  refusals = 0;
  /** The methods that are answered with 503. */
  readonly busy = new Set<unknown>();
  readonly #streams: ServerResponse[] = [];
  #peer: HttpPeer | undefined;

  async start(): Promise<URL> {
    this.#peer = await startPeer((request, response) => void readJson(request).then((message) => this.#answer(message, response)));
    return this.#peer.url;
  }

  /** Ends the stream of changes as a server or something between does, without a word. */
  endStream(): void {
    this.#streams.splice(0).forEach((stream) => stream.end());
  }

  async close(): Promise<void> {
    await this.#peer?.close();
  }

  #answer(message: JsonObject, response: ServerResponse): void {
    const { id, method } = message;
    if (id === undefined) {
      response.writeHead(202).end();
    } else if (this.busy.has(method)) {
      response.writeHead(503).end('later');
    } else if (method === 'subscriptions/listen') {
      this.#listen(message, response);
    } else if (method === 'tools/call') {
      // The answer comes after the word that the tools changed.
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      say(response, { jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
      say(response, { jsonrpc: '2.0', id, result: { ...fresh, content: [] } });
      response.end();
    } else {
      sendJson(response, { jsonrpc: '2.0', id, result: { ...fresh, ...this.#result(method) } });
    }
  }

  #listen({ id, params }: JsonObject, response: ServerResponse): void {
    const notifications = isJsonObject(params) ? (params['notifications'] ?? {}) : {};
    this.listened.push(notifications);
    if (this.refusals > 0) {
      this.refusals -= 1;
      response.writeHead(503).end('later');
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const _meta = { 'io.modelcontextprotocol/subscriptionId': id ?? '' };
    say(response, { jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: { _meta, notifications } });
    this.#streams.push(response);
  }

  #result(method: unknown): JsonObject {
    switch (method) {
      case 'server/discover':
        return {
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: { listChanged: true }, prompts: { listChanged: true }, resources: { subscribe: true } },
          serverInfo: { name: 'changing', version: '1' },
        };
      case 'tools/list':
        this.listings += 1;
        return { tools: this.tools.map((name) => ({ name, inputSchema: { type: 'object' } })) };
      case 'prompts/list':
        return { prompts: this.prompts.map((name) => ({ name })) };
      case 'resources/list':
        return { resources: [] };
      default:
        return { resourceTemplates: [] };
    }
  }
}

function say(response: ServerResponse, message: JsonObject): void {
  response.write(`data: ${JSON.stringify(message)}\n\n`);
}

describe('The stream of changes of a server of 2026-07-28', () => {
  let host: TestHost;
  let peer: ChangingPeer;
  let id: string;
  beforeEach(async () => {
    peer = new ChangingPeer();
    const url = (await peer.start()).href;
    const noProcess = (): never => assert.fail('a remote server has no process');
    host = await createTestHost({ starter: { start: noProcess } });
    await host.configure({ far: { url } });
    id = host.server('far').id;
  });
  afterEach(async () => {
    await host.close();
    await peer.close();
  });

  async function start(): Promise<void> {
    const state = await host.registry.start(id, { ask: host.ask, signal });
    assert.equal(state.kind === 'ready' ? state.protocolVersion : JSON.stringify(state), '2026-07-28');
    await host.registry.features(id).listed;
  }
  const namesOf = (kind: 'tools' | 'prompts'): readonly string[] => host.server('far')[kind].map(({ name }) => name);

  it('is opened again when it ends, with all that is wanted, and what changed meanwhile is seen', async () => {
    await start();
    const features = host.registry.features(id);
    const updates: string[] = [];
    const watching = features.onDidUpdateResource((uri) => updates.push(uri));
    const subscription = await features.subscribe('test://one');
    const wanted = { toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: ['test://one'] };
    assert.deepEqual(peer.listened.slice(1), [wanted]);
    peer.endStream();
    peer.tools.push('second');
    peer.prompts.push('third');
    await host.until(() => namesOf('tools').includes('second') && namesOf('prompts').includes('third'), 'what changed');
    assert.deepEqual([peer.listened.slice(2), updates], [[wanted], ['test://one']]);
    peer.endStream();
    await host.until(() => peer.listened.length === 4, 'the stream after the next end');
    watching.dispose();
    subscription.dispose();
  });

  it('is no change of the lists by itself when it is opened again', async () => {
    await start();
    peer.prompts.push('always');
    peer.endStream();
    await host.until(() => namesOf('prompts').length === 1 && peer.listings === 2, 'the lists that were read again');
    const seen: string[] = [];
    const watching = host.registry.onDidChange(() => seen.push([...namesOf('tools'), ...namesOf('prompts')].join(' ')));
    peer.endStream();
    await host.until(() => peer.listings === 3, 'the lists that were read once more');
    peer.tools.push('second');
    await host.call('first', {}, { serverId: id });
    await host.until(() => namesOf('tools').includes('second'), 'the tool that was added');
    watching.dispose();
    assert.deepEqual(seen, ['first second always']);
  });

  it('leaves the lists as they were when they cannot be read after its end, until they can be', async () => {
    peer.prompts.push('always');
    await start();
    peer.busy.add('prompts/list').add('resources/list').add('resources/templates/list');
    peer.endStream();
    const unread = (): number => host.logged.filter((line) => /The list of \w+ could not be read/.test(line)).length;
    await host.until(() => unread() === 3, 'the lists that could not be read');
    assert.deepEqual(namesOf('prompts'), ['always']);
    peer.busy.clear();
    peer.prompts.push('later');
    peer.endStream();
    await host.until(() => namesOf('prompts').includes('later'), 'the list that can be read again');
  });

  it('that is refused when it is opened again is asked for until it opens', async () => {
    await start();
    await host.until(() => peer.listened.length === 1, 'the first stream');
    peer.refusals = 2;
    peer.endStream();
    peer.tools.push('second');
    await host.until(() => namesOf('tools').includes('second'), 'the tool that was added');
    assert.equal(peer.listened.length, 4);
  });

  it('that was refused from the first is asked for once', async () => {
    peer.refusals = Infinity;
    await start();
    // The tools are read again after the same pause that another request for the stream would have.
    await host.call('first', {}, { serverId: id });
    await host.until(() => peer.listings === 2, 'the second look at the tools');
    assert.equal(peer.listened.length, 1);
  });
});
