import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { WebSocketTransport, type WebSocketOptions } from '../../../../src/host/transports/webSocketTransport.ts';
import { deferred } from '../../server/support/deferred.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { Cleanup, startPeer, type HttpPeer } from '../remoteSupport.ts';
import { endOf, ping, pong, record, withCode } from './recorder.ts';

type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

const refuse: Upgrade = (_, socket) => void socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');

describe('A WebSocket transport', () => {
  const cleanup = new Cleanup();
  let peer: HttpPeer;
  let sockets: WebSocketServer;
  let upgrades: number;
  /** An HTTP server does not close what it has handed over. */
  let handedOver: Duplex[];
  /** What the server does with the next handshakes; those after them succeed. */
  let special: Upgrade[];
  let onConnection: (socket: WebSocket) => void;

  beforeEach(async () => {
    upgrades = 0;
    handedOver = [];
    special = [];
    onConnection = () => undefined;
    peer = cleanup.add(await startPeer((_, response) => void response.writeHead(426).end()));
    sockets = new WebSocketServer({ noServer: true, autoPong: false });
    peer.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      upgrades += 1;
      handedOver.push(socket);
      const next = special.shift() ?? ((): void => sockets.handleUpgrade(request, socket, head, (open) => onConnection(open)));
      next(request, socket, head);
    });
  });
  afterEach(async () => {
    handedOver.forEach((socket) => socket.destroy());
    await cleanup.run();
  });

  function create(options: Partial<WebSocketOptions> = {}): { transport: WebSocketTransport; told: string[] } {
    const url = new URL(peer.url);
    url.protocol = 'ws:';
    const transport = cleanup.add(
      new WebSocketTransport({ url, headers: () => Promise.resolve({}), tls: {}, timeoutMs: 5_000, clock: new FakeClock(), ...options }),
    );
    return { transport, told: record(transport) };
  }

  it('passes on what the server says the moment it is open', async () => {
    onConnection = (socket) => socket.send(JSON.stringify(ping));
    const { transport, told } = create();
    const heard = new Promise((resolve) => (transport.onmessage = resolve));
    await transport.start();
    assert.deepEqual(await heard, ping);
    assert.deepEqual(told, []);
  });

  it('takes no message before it was started', async () => {
    await assert.rejects(create().transport.send(ping), withCode('host.connectionClosed'));
  });

  it('that is closed before it was started opens nothing', async () => {
    const { transport, told } = create();
    await transport.close();
    await assert.rejects(transport.start(), withCode('host.connectionClosed'));
    assert.deepEqual([told, upgrades, transport.end], [['closed'], 0, undefined]);
  });

  it('that is closed while its headers are gathered opens nothing', async () => {
    const asked = deferred();
    const gate = deferred();
    const headers = async (): Promise<Record<string, string>> => {
      asked.resolve();
      await gate.promise;
      return {};
    };
    const { transport, told } = create({ headers });
    const starting = assert.rejects(transport.start(), withCode('host.connectionClosed'));
    await asked.promise;
    await transport.close();
    gate.resolve();
    await starting;
    assert.deepEqual([told, upgrades, transport.end], [['closed'], 0, undefined]);
  });

  it('whose headers cannot be had fails with that reason and can be closed', async () => {
    const { transport, told } = create({ headers: () => Promise.reject(new Error('no token')) });
    await assert.rejects(transport.start(), /no token/);
    assert.deepEqual(told, []);
    await transport.close();
    assert.deepEqual(told, ['closed']);
  });

  it('that is closed during the handshake gives it up', async () => {
    const arrived = deferred();
    special = [arrived.resolve];
    const { transport, told } = create();
    const starting = assert.rejects(transport.start(), withCode('host.connectionClosed'));
    await arrived.promise;
    await transport.close();
    await starting;
    assert.deepEqual([told, transport.end], [['closed'], undefined]);
  });

  it('that was refused tries again after the sign-in', async () => {
    special = [refuse];
    let signIns = 0;
    const { transport, told } = create({ onUnauthorized: async () => (signIns += 1) > 0 });
    await transport.start();
    assert.deepEqual([told, upgrades, signIns, transport.end], [[], 2, 1, undefined]);
  });

  it('that is refused again after the sign-in fails with that reason', async () => {
    special = [refuse, refuse];
    const { transport, told } = create({ onUnauthorized: () => Promise.resolve(true) });
    await assert.rejects(transport.start(), withCode('host.unauthorized'));
    assert.deepEqual([told, upgrades, endOf(transport)], [['closed'], 2, 'host.unauthorized']);
  });

  it('that was refused does not try again when the sign-in makes no difference', async () => {
    special = [refuse];
    const { transport, told } = create({ onUnauthorized: () => Promise.resolve(false) });
    await assert.rejects(transport.start(), withCode('host.unauthorized'));
    assert.deepEqual([told, upgrades, endOf(transport)], [['closed'], 1, 'host.unauthorized']);
  });

  it('that is closed during the sign-in does not try again', async () => {
    special = [refuse];
    const asked = deferred();
    const gate = deferred();
    const onUnauthorized = async (): Promise<boolean> => {
      asked.resolve();
      await gate.promise;
      return true;
    };
    const { transport, told } = create({ onUnauthorized });
    const starting = assert.rejects(transport.start(), withCode('host.unauthorized'));
    await asked.promise;
    await transport.close();
    gate.resolve();
    await starting;
    assert.deepEqual([told, upgrades, endOf(transport)], [['closed'], 1, 'host.unauthorized']);
  });

  it('that is closed twice, at once and later, tells so once', async () => {
    const { transport, told } = create();
    await transport.start();
    await Promise.all([transport.close(), transport.close()]);
    await transport.close();
    assert.deepEqual([told, transport.end], [['closed'], undefined]);
    await assert.rejects(transport.send(ping), withCode('host.connectionClosed'));
  });

  it('still passes on what was on its way when it was closed', async () => {
    onConnection = (socket) => socket.on('message', () => socket.send(JSON.stringify(pong)));
    const { transport, told } = create();
    await transport.start();
    await transport.send(ping);
    await transport.close();
    assert.deepEqual(told, [JSON.stringify(pong), 'closed']);
  });

  it('says with which code the server left, and that it left once', async () => {
    onConnection = (socket) => socket.on('message', () => socket.close(1001));
    const { transport, told } = create();
    await transport.start();
    const closed = new Promise<void>((resolve) => {
      transport.onclose = () => {
        told.push('closed');
        resolve();
      };
    });
    await transport.send(ping);
    await closed;
    assert.deepEqual([endOf(transport), transport.end?.args], ['host.closedByServer', { code: 1001 }]);
    await assert.rejects(transport.send(ping), withCode('host.closedByServer'));
    await transport.close();
    assert.deepEqual(told, ['closed']);
  });

  it('passes on nothing behind a message that ended it', async () => {
    const deep = '['.repeat(1_000);
    onConnection = (socket) => {
      socket.on('error', () => undefined);
      socket.on('message', () => [deep, JSON.stringify(pong), deep].forEach((text) => socket.send(text)));
    };
    const { transport, told } = create();
    await transport.start();
    const [socket] = sockets.clients;
    assert.ok(socket);
    await transport.send(ping);
    await once(socket, 'close');
    await transport.close();
    assert.deepEqual([told, endOf(transport)], [['closed'], 'host.messageTooDeep']);
  });

  it('ends when the server does not answer a ping before the next one is due', async () => {
    const clock = new FakeClock();
    const { transport, told } = create({ clock });
    await transport.start();
    clock.advance(30_000);
    assert.deepEqual([told, endOf(transport)], [[], undefined]);
    clock.advance(30_000);
    assert.deepEqual([told, endOf(transport)], [['closed'], 'host.unhealthy']);
    assert.equal(clock.pending, 0);
  });

  it('lets a server be too busy for pings while it works on a request', async () => {
    const clock = new FakeClock();
    const { transport, told } = create({ clock });
    await transport.start();
    await transport.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'build' } });
    clock.advance(150_000);
    assert.deepEqual([told, endOf(transport)], [[], undefined]);
    await transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    clock.advance(60_000);
    assert.deepEqual([told, endOf(transport)], [['closed'], 'host.unhealthy']);
  });

  it('goes on as long as pings are answered', async () => {
    const clock = new FakeClock();
    const { transport, told } = create({ clock });
    await transport.start();
    const [socket] = sockets.clients;
    assert.ok(socket);
    for (let round = 0; round < 3; round += 1) {
      const asked = once(socket, 'ping');
      clock.advance(30_000);
      await asked;
      // A message behind the pong shows that the pong has arrived.
      const heard = new Promise((resolve) => (transport.onmessage = resolve));
      socket.pong();
      socket.send(JSON.stringify(ping));
      await heard;
    }
    await transport.close();
    assert.deepEqual([told, transport.end, clock.pending], [['closed'], undefined, 0]);
  });
});
