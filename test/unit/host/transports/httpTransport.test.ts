import assert from 'node:assert/strict';
import type { RequestListener, ServerResponse } from 'node:http';
import { toDisposable } from '../../../../src/base/lifecycle.ts';
import { silentLog } from '../../../../src/base/log.ts';
import { fromSdkError } from '../../../../src/host/shared/failures.ts';
import type { JSONRPCMessage } from '../../../../src/host/shared/sdk.ts';
import { HttpTransport, type HttpTransportOptions } from '../../../../src/host/transports/httpTransport.ts';
import { deferred } from '../../server/support/deferred.ts';
import { Cleanup, readJson, sendJson, startPeer, type HttpPeer } from '../remoteSupport.ts';
import { endOf, ping, pong, record, withCode } from './recorder.ts';

const greeting = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
const initialize: JSONRPCMessage = { jsonrpc: '2.0', id: 1, method: 'initialize', params: greeting };
const eventStream = { 'content-type': 'text/event-stream' };

describe('An HTTP transport', () => {
  const cleanup = new Cleanup();
  let peer: HttpPeer;
  let onPost: RequestListener;
  let onGet: RequestListener;
  let letGo: number;

  beforeEach(async () => {
    letGo = 0;
    onPost = (_, response) => sendJson(response, pong);
    onGet = (_, response) => void response.writeHead(405).end();
    peer = cleanup.add(
      await startPeer((request, response) => {
        (request.method === 'POST' ? onPost : onGet)(request, response);
      }),
    );
  });
  afterEach(() => cleanup.run());

  function create(type: HttpTransportOptions['type'], timeoutMs = 5_000): { transport: HttpTransport; told: string[] } {
    const owned = toDisposable(() => (letGo += 1));
    const options = { url: peer.url, type, headers: {}, timeoutMs, log: silentLog, fetch, owned };
    const transport = cleanup.add(new HttpTransport(options));
    const told = record(transport);
    // The SDK's transports tell every refusal there as well, in words of their own.
    transport.onerror = undefined;
    return { transport, told };
  }

  it('loses one request, and not the connection, when nothing came for so long that the platform gives it up', async () => {
    const gaveUp = (code: string): Error => new TypeError('fetch failed', { cause: Object.assign(new Error('Timeout Error'), { code }) });
    const failures = [gaveUp('UND_ERR_HEADERS_TIMEOUT'), gaveUp('UND_ERR_BODY_TIMEOUT')];
    const transport = cleanup.add(
      new HttpTransport({
        url: peer.url,
        type: 'http',
        headers: {},
        timeoutMs: 5_000,
        log: silentLog,
        fetch: (url, init) => {
          const failure = failures.shift();
          return failure === undefined ? fetch(url, init) : Promise.reject(failure);
        },
      }),
    );
    const told = record(transport);
    transport.onerror = undefined;
    await transport.start();
    for (let count = 0; count < 2; count += 1) {
      const error: unknown = await transport.send(ping).catch((reason: unknown) => reason);
      assert.equal(fromSdkError(error, undefined, 600_000).code, 'host.silentTooLong');
    }
    await transport.send(ping);
    assert.deepEqual([told.includes('closed'), transport.end], [false, undefined]);
  });

  /** HTTP+SSE: refuses what is posted to the first address, answers on the stream. */
  function speakSse(): { stream(): ServerResponse | undefined } {
    let stream: ServerResponse | undefined;
    onGet = (_, response) => {
      stream = response;
      response.writeHead(200, eventStream).write('event: endpoint\ndata: /messages\n\n');
    };
    onPost = (request, response) => {
      const isEndpoint = request.url === '/messages';
      response.writeHead(isEndpoint ? 202 : 404).end();
      if (isEndpoint) {
        stream?.write(`data: ${JSON.stringify(pong)}\n\n`);
      }
    };
    return { stream: () => stream };
  }

  const untilTold = (transport: HttpTransport, event: 'onclose' | 'onmessage'): Promise<void> =>
    new Promise((resolve) => {
      const before = transport[event] as ((message?: unknown) => void) | undefined;
      transport[event] = (message?: unknown) => {
        before?.(message);
        resolve();
      };
    });

  for (const type of ['auto', 'http', 'sse'] as const) {
    it(`of type ${type} takes no message before it was started`, async () => {
      await assert.rejects(create(type).transport.send(ping), withCode('host.connectionClosed'));
      assert.deepEqual(peer.requests, []);
    });

    it(`of type ${type} that is closed twice, at once and later, tells so once and lets go once`, async () => {
      speakSse();
      const { transport, told } = create(type);
      await transport.start();
      await Promise.all([transport.close(), transport.close()]);
      await transport.close();
      assert.deepEqual([told, letGo, transport.end], [['closed'], 1, undefined]);
      await assert.rejects(transport.send(ping), withCode('host.connectionClosed'));
    });

    it(`of type ${type} that is closed before it was started takes no message`, async () => {
      const { transport, told } = create(type);
      await transport.close();
      await assert.rejects(
        transport.start().then(() => transport.send(ping)),
        withCode('host.connectionClosed'),
      );
      assert.deepEqual([told, letGo, peer.requests.includes('POST /mcp'), transport.end], [['closed'], 1, false, undefined]);
    });
  }

  it('that is closed while an event stream is opened gives it up', async () => {
    const arrived = deferred();
    const gone = deferred();
    onGet = (_, response) => {
      response.once('close', gone.resolve);
      response.writeHead(200, eventStream).write(': hello\n\n');
      arrived.resolve();
    };
    const { transport, told } = create('sse');
    const starting = assert.rejects(transport.start(), withCode('host.connectionClosed'));
    await arrived.promise;
    await transport.close();
    await starting;
    await gone.promise;
    assert.deepEqual([told, letGo, transport.end], [['closed'], 1, undefined]);
  });

  it('becomes one of HTTP+SSE when the server refuses the other, and ends with its stream', async () => {
    const server = speakSse();
    const { transport, told } = create('auto');
    await transport.start();
    assert.equal(transport.hasPerRequestStream, true);
    const answered = untilTold(transport, 'onmessage');
    await transport.send(ping);
    await answered;
    assert.equal(transport.hasPerRequestStream, false);
    const closed = untilTold(transport, 'onclose');
    server.stream()?.end();
    await closed;
    assert.deepEqual([told, endOf(transport)], [[JSON.stringify(pong), 'closed'], 'host.closedByServer']);
    assert.deepEqual(peer.requests, ['POST /mcp', 'GET /mcp', 'POST /messages']);
  });

  it('stays what it was when the server refuses both, and may ask again', async () => {
    onPost = (_, response) => void response.writeHead(404).end('no');
    const { transport, told } = create('auto');
    await transport.start();
    await assert.rejects(transport.send(ping), /404|no/);
    assert.deepEqual([transport.hasPerRequestStream, told, transport.end], [true, [], undefined]);
    speakSse();
    const answered = untilTold(transport, 'onmessage');
    await transport.send(ping);
    await answered;
    assert.deepEqual(told, [JSON.stringify(pong)]);
  });

  it('that is closed while it tries HTTP+SSE gives it up', async () => {
    const arrived = deferred();
    onPost = (_, response) => void response.writeHead(404).end();
    onGet = (_, response) => {
      response.writeHead(200, eventStream).write(': hello\n\n');
      arrived.resolve();
    };
    const { transport, told } = create('auto');
    await transport.start();
    const sending = assert.rejects(transport.send(ping));
    await arrived.promise;
    await transport.close();
    await sending;
    assert.deepEqual([told, letGo, transport.end], [['closed'], 1, undefined]);
    await assert.rejects(transport.send(ping), withCode('host.connectionClosed'));
  });

  it('does not try HTTP+SSE once a message was accepted', async () => {
    const { transport, told } = create('auto');
    await transport.start();
    await transport.send(ping);
    onPost = (_, response) => void response.writeHead(404).end();
    await assert.rejects(transport.send(ping));
    assert.deepEqual([peer.requests, told, transport.end], [['POST /mcp', 'POST /mcp'], [JSON.stringify(pong)], undefined]);
  });

  it('answers in the place of a server whose stream ends without an answer', async () => {
    onPost = (_, response) => void response.writeHead(200, eventStream).end(': nothing\n\n');
    const { transport, told } = create('http');
    await transport.start();
    const answered = untilTold(transport, 'onmessage');
    await transport.send(ping);
    await answered;
    assert.deepEqual(told, ['{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"The connection broke before the answer came."}}']);
  });

  it('that is closed does not answer in the place of its server', async () => {
    onPost = (_, response) => void response.writeHead(200, eventStream).write(': working\n\n');
    const { transport, told } = create('http');
    await transport.start();
    await transport.send(ping);
    await transport.close();
    assert.deepEqual(told, ['closed']);
  });

  it('ends with the first reason, and tells it to whoever sends afterwards', async () => {
    onPost = (_, response) => void response.writeHead(401).end();
    const { transport, told } = create('http');
    await transport.start();
    await assert.rejects(transport.send(ping));
    await transport.close();
    assert.deepEqual([told, letGo, endOf(transport)], [['closed'], 1, 'host.unauthorized']);
    await assert.rejects(transport.send(ping), withCode('host.unauthorized'));
  });

  it('tells the server that the session is over when it is closed, but not when the server has forgotten it', async () => {
    onPost = (request, response) => {
      void readJson(request).then(() => sendJson(response, pong, { 'mcp-session-id': 's1' }));
    };
    const closed = create('http').transport;
    await closed.start();
    await closed.send(initialize);
    assert.equal(closed.sessionId, 's1');
    await closed.close();
    assert.deepEqual(peer.requests.splice(0), ['POST /mcp', 'DELETE /mcp']);

    const forgotten = create('http').transport;
    await forgotten.start();
    await forgotten.send(initialize);
    onPost = (_, response) => void response.writeHead(404).end();
    await assert.rejects(forgotten.send(ping));
    await forgotten.close();
    assert.equal(endOf(forgotten), 'host.sessionExpired');
    assert.deepEqual(peer.requests, ['POST /mcp', 'POST /mcp']);
  });
});
