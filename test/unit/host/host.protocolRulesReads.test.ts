import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { ResourceReads } from '../../../src/host/features/resources.ts';
import type { Client } from '../../../src/host/shared/sdk.ts';
import { legacyAnswer, readJson, sendJson, startPeer, type HttpPeer } from './remoteSupport.ts';
import { createTestHost, failureOf, type TestHost } from './support.ts';

const signal = new AbortController().signal;

function methodOf({ method }: JsonObject): string {
  return typeof method === 'string' ? method : '';
}

describe('A server that cannot answer for a moment', () => {
  let host: TestHost;
  let peer: HttpPeer;
  /** How often each method came. */
  let came: Map<string, number>;
  /** How often it is refused from now on. */
  let refusals: Map<string, number>;

  const answers: Readonly<Record<string, JsonObject>> = {
    'resources/list': { resources: [{ uri: 'test://one', name: 'one' }] },
    'resources/templates/list': { resourceTemplates: [] },
    'resources/read': { contents: [{ uri: 'test://one', text: 'one' }] },
    'prompts/list': { prompts: [{ name: 'greet' }] },
    'prompts/get': { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }] },
  };

  function answer(message: JsonObject): JsonObject | undefined {
    const result = answers[methodOf(message)];
    if (result !== undefined) {
      return { jsonrpc: '2.0', id: message['id'] ?? null, result };
    }
    const usual = legacyAnswer(message);
    const capabilities = { tools: {}, resources: {}, prompts: {} };
    return message['method'] === 'initialize' ? { ...usual, result: { ...(usual?.['result'] as JsonObject), capabilities } } : usual;
  }

  beforeEach(async () => {
    came = new Map();
    refusals = new Map();
    peer = await startPeer((request, response) => {
      if (request.method !== 'POST') {
        response.writeHead(405).end();
        return;
      }
      void readJson(request).then((message) => {
        const method = methodOf(message);
        came.set(method, (came.get(method) ?? 0) + 1);
        const left = refusals.get(method) ?? 0;
        refusals.set(method, left - 1);
        const body = answer(message);
        if (left > 0) {
          response.writeHead(503).end('Later.');
        } else if (body === undefined) {
          response.writeHead(202).end();
        } else {
          sendJson(response, body);
        }
      });
    });
    host = await createTestHost();
  });
  afterEach(async () => {
    await host.close();
    await peer.close();
  });

  async function start(): Promise<string> {
    await host.configure({ scripted: { url: peer.url.href, type: 'http' } });
    const { id } = host.server('scripted');
    const state = await host.registry.start(id, { ask: host.ask, signal });
    assert.equal(state.kind, 'ready', JSON.stringify(state));
    await host.registry.features(id).listed;
    return id;
  }

  it('is asked again for its lists', async () => {
    const lists = ['tools/list', 'resources/list', 'prompts/list'];
    lists.forEach((method) => refusals.set(method, 2));
    await start();
    const { tools, resources, prompts } = host.server('scripted');
    assert.deepEqual([tools.length, resources.length, prompts.length], [1, 1, 1]);
    assert.deepEqual(
      lists.map((method) => came.get(method)),
      [3, 3, 3],
    );
  });

  it('is asked again for a resource and a prompt, and not for ever', async () => {
    const features = host.registry.features(await start());
    refusals.set('resources/read', 2).set('prompts/get', 1);
    assert.equal((await features.readResource('test://one', { signal })).length, 1);
    assert.equal((await features.getPrompt('greet', {}, { signal })).messages.length, 1);
    assert.deepEqual([came.get('resources/read'), came.get('prompts/get')], [3, 2]);
    refusals.set('resources/read', 100);
    await assert.rejects(features.readResource('test://one', { signal }), { code: 'host.unavailable' });
    assert.equal(came.get('resources/read'), 6);
  });

  it('is never asked twice to run a tool', async () => {
    await start();
    refusals.set('tools/call', 1);
    assert.equal(failureOf(await host.call('echo')).code, 'host.unavailable');
    assert.equal(came.get('tools/call'), 1);
    assert.equal((await host.call('echo')).kind, 'result');
  });
});

describe('What was read from a server', () => {
  let now = 0;
  let sent = 0;
  let ttlMs: number | undefined;
  let whileReading: () => void;
  const client = {
    readResource: async ({ uri }: { uri: string }) => {
      sent += 1;
      whileReading();
      return { contents: [{ uri, text: `read ${sent}` }], ttlMs };
    },
  } as unknown as Client;

  let reads: ResourceReads;
  beforeEach(() => {
    now = 0;
    sent = 0;
    ttlMs = 1_000;
    whileReading = () => undefined;
    reads = new ResourceReads(() => now);
  });
  const read = async (uri = 'test://one'): Promise<string> => {
    const [first] = await reads.read(client, uri, { timeout: 1_000, signal });
    return first?.kind === 'text' ? first.text : '';
  };

  it('is kept for the time the server says and not a moment longer', async () => {
    assert.equal(await read(), 'read 1');
    now = 999;
    assert.equal(await read(), 'read 1');
    now = 1_000;
    assert.equal(await read(), 'read 2');
  });

  it('is not kept when the server says nothing, or nonsense', async () => {
    for (const value of [undefined, 0, -5, Number.NaN]) {
      ttlMs = value;
      const before = sent;
      await read();
      await read();
      assert.equal(sent - before, 2, String(value));
    }
  });

  it('is dropped when the server tells of a change, and nothing else is', async () => {
    assert.deepEqual([await read('test://one'), await read('test://two')], ['read 1', 'read 2']);
    reads.drop('test://one');
    assert.deepEqual([await read('test://one'), await read('test://two')], ['read 3', 'read 2']);
  });

  it('is dropped when the server tells of a change inside of it, and not of what only begins like it', async () => {
    assert.deepEqual([await read('test://one'), await read('test://one/part'), await read('test://on')], ['read 1', 'read 2', 'read 3']);
    reads.drop('test://one/part/of/it');
    assert.deepEqual([await read('test://one'), await read('test://one/part'), await read('test://on')], ['read 4', 'read 5', 'read 3']);
    reads.drop('test://one');
    assert.deepEqual([await read('test://one'), await read('test://one/part')], ['read 6', 'read 5']);
  });

  it('is not kept when the change was told before the answer came', async () => {
    whileReading = () => reads.drop('test://one');
    assert.equal(await read(), 'read 1');
    whileReading = () => undefined;
    assert.equal(await read(), 'read 2');
  });

  it('is not kept when the change of something inside of it was told before the answer came', async () => {
    whileReading = () => reads.drop('test://one/part');
    assert.equal(await read(), 'read 1');
    whileReading = () => reads.drop('test://one-of-all');
    assert.deepEqual([await read(), await read()], ['read 2', 'read 2']);
  });
});
