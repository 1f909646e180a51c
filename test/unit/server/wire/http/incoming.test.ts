import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { accepts, readBody, type BodyReading } from '../../../../../src/server/wire/http/incoming.ts';

describe('What a request accepts', () => {
  const streams = (accept: string | undefined): boolean => accepts(accept, 'text/event-stream');

  it('is read without regard to capitals, with wildcards, and is anything if nothing is said', () => {
    const accepted = [undefined, 'text/event-stream', 'Text/Event-Stream', 'TEXT/*', '*/*', 'application/json, text/event-stream;q=0.5'];
    assert.deepEqual(accepted.filter(streams), accepted);
    assert.deepEqual(['application/json', 'Application/*', ''].filter(streams), []);
  });
});

/** In a frame of its own, which holds nothing afterwards. */
function sendPiece(request: EventEmitter): WeakRef<Buffer> {
  const piece = Buffer.alloc(1_000_000, 'x');
  request.emit('data', piece);
  return new WeakRef(piece);
}

describe('The body of a request', () => {
  /** What is read of what a client sends before it goes. */
  async function readingsOf(sent: string, limit: number): Promise<BodyReading[]> {
    const readings: BodyReading[] = [];
    const server = createServer();
    const closed = new Promise<void>((resolve) => {
      server.on('request', (request) => {
        request.once('close', resolve);
        readBody(request, limit, (reading) => readings.push(reading));
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => undefined);
    client.end(sent);
    await closed;
    client.destroy();
    await once(client, 'close');
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    return readings;
  }

  const head = (length: string): string => `POST / HTTP/1.1\r\nHost: here\r\n${length}\r\n\r\n`;

  it('is let go of once it is read, however long its request is remembered', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const request = Object.assign(new EventEmitter(), { headers: {} });
    const readings: string[] = [];
    readBody(request as unknown as IncomingMessage, 10_000_000, ({ kind }) => readings.push(kind));
    const bodies = [1, 2].map(() => sendPiece(request));
    request.emit('end');
    assert.deepEqual(readings, ['read']);
    return new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      collect();
      assert.deepEqual(
        bodies.map((each) => each.deref()),
        [undefined, undefined],
      );
      assert.ok(request.listenerCount('data') > 0, 'the request is still there');
    });
  });

  it('is read whole, however it comes', async () => {
    assert.deepEqual(await readingsOf(`${head('Content-Length: 5')}hello`, 5), [{ kind: 'read', text: 'hello' }]);
    const chunks = `${head('Transfer-Encoding: chunked')}3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n`;
    assert.deepEqual(await readingsOf(chunks, 5), [{ kind: 'read', text: 'hello' }]);
    assert.deepEqual(await readingsOf(head('Content-Length: 0'), 5), [{ kind: 'read', text: '' }]);
  });

  it('that is too large is told once, by what is announced or by what comes', async () => {
    assert.deepEqual(await readingsOf(`${head('Content-Length: 6')}hello!`, 5), [{ kind: 'tooLarge' }]);
    const chunks = `${head('Transfer-Encoding: chunked')}6\r\nhello!\r\n6\r\nhello!\r\n0\r\n\r\n`;
    assert.deepEqual(await readingsOf(chunks, 5), [{ kind: 'tooLarge' }]);
  });

  it('that breaks off is told nobody, and fails nothing', async () => {
    assert.deepEqual(await readingsOf(`${head('Content-Length: 10')}hello`, 10), []);
  });
});
