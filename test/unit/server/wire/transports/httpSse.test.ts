import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../../src/base/json.ts';
import { FakeClock } from '../../../../support/fakeClock.ts';
import { initializeParams, jsonHeaders, type EventReader, type HttpPeer } from '../../support/httpPeer.ts';
import { postHead } from '../../support/lateBody.ts';
import { runServer, type RunningServer } from '../../support/runningServer.ts';

interface SseClient {
  readonly stream: EventReader;
  readonly endpoint: string;
  send(message: unknown): Promise<number>;
}

async function connect(peer: HttpPeer): Promise<SseClient> {
  const stream = await peer.stream('/sse');
  const endpoint = await stream.next();
  assert.equal(endpoint?.event, 'endpoint');
  const send = async (message: unknown): Promise<number> =>
    (await peer.send('POST', endpoint.data, jsonHeaders, JSON.stringify(message))).status;
  return { stream, endpoint: endpoint.data, send };
}

const initialize = (version = '2024-11-05'): JsonObject => ({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: initializeParams(version),
});

describe('HTTP+SSE as of 2024-11-05', () => {
  let running: RunningServer;
  afterEach(() => running.close());

  /** Closes the stream, and waits until the session has ended. */
  async function leave(client: SseClient): Promise<void> {
    const { clients } = running.server;
    await new Promise<void>((resolve) => {
      const listening = clients.onDidChange(() => {
        if (clients.snapshot().length === 0) {
          listening.dispose();
          resolve();
        }
      });
      client.stream.close();
    });
  }

  it('names its endpoint on the same origin first and answers by the stream', async () => {
    running = await runServer();
    const client = await connect(running.peer());
    assert.match(client.endpoint, /^\/messages\?sessionId=[0-9a-f-]{36}$/);
    assert.equal(await client.send(initialize()), 202);
    assert.equal(((await client.stream.nextMessage()).result as JsonObject).protocolVersion, '2024-11-05');
    await client.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_workspace_folders' } });
    const messages = [];
    for (;;) {
      const message = await client.stream.nextMessage();
      messages.push(message.method);
      if (message.id === 1) {
        assert.deepEqual(message.result, { content: [{ type: 'text', text: JSON.stringify({ folders: running.editor.folders }) }] });
        break;
      }
    }
  });

  it('POST /sse is 405 with Allow: GET', async () => {
    running = await runServer();
    const answer = await running.peer().send('POST', '/sse', jsonHeaders, '{}');
    assert.deepEqual([answer.status, answer.headers.allow], [405, 'GET']);
  });

  it('a request before initialize is -32600, in the POST and on the stream', async () => {
    running = await runServer();
    const client = await connect(running.peer());
    assert.equal(await client.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' }), 400);
    assert.equal(((await client.stream.nextMessage()).error as JsonObject).code, -32600);
    await client.send({ jsonrpc: '2.0', id: 2, method: 'ping' });
    assert.deepEqual((await client.stream.nextMessage()).result, {});
  });

  it('a batch is answered by one array', async () => {
    running = await runServer();
    const client = await connect(running.peer());
    await client.send(initialize());
    await client.stream.nextMessage();
    await client.send([
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', id: 2, method: 'ping' },
    ]);
    const ids = ((await client.stream.nextMessage()) as unknown as { id: number }[]).map(({ id }) => id);
    assert.deepEqual(ids, [1, 2]);
  });

  it('a closed stream ends the session', async () => {
    running = await runServer();
    const client = await connect(running.peer());
    await leave(client);
    assert.equal(await client.send(initialize()), 404);
  });

  for (const [what, requestsPerSecond] of [
    ['', 5_000],
    [', past the rate limit too', 1],
  ] as const) {
    it(`a session that ends while the body of a message is on its way does not get it${what}`, async () => {
      running = await runServer({ clock: new FakeClock(), limits: { requestsPerSecond } });
      const client = await connect(running.peer());
      await client.send(initialize());
      await client.stream.nextMessage();
      const send = await postHead(running.port, client.endpoint, { ...jsonHeaders, authorization: `Bearer ${running.token}` });
      await leave(client);
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_workspace_folders' } };
      assert.equal(await send(JSON.stringify(call)), 404);
      assert.deepEqual(running.approval.asked, []);
    });
  }

  it('messages without a session are 400, with an unknown one 404', async () => {
    running = await runServer();
    const peer = running.peer();
    const statuses = [];
    for (const path of ['/messages', '/messages?sessionId=', '/messages?sessionId=x']) {
      statuses.push((await peer.send('POST', path, jsonHeaders, '{}')).status);
    }
    assert.deepEqual(statuses, [400, 404, 404]);
  });

  it('a request past the rate limit is told so on the stream', async () => {
    running = await runServer({ clock: new FakeClock(), limits: { requestsPerSecond: 2 } });
    const client = await connect(running.peer());
    await client.send(initialize());
    await client.stream.nextMessage();
    await client.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    await client.stream.nextMessage();
    assert.equal(await client.send({ jsonrpc: '2.0', id: 2, method: 'tools/list' }), 202);
    const refused = await client.stream.nextMessage();
    assert.deepEqual(refused.error, { code: -32603, message: 'too many requests', data: { reason: 'rateLimited' } });
  });
});
