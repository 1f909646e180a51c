import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ConnectionPlaces, maxStrangers } from '../../../../../src/server/wire/http/connectionPlaces.ts';

class FakeSocket extends EventEmitter {
  readonly remotePort: number;
  isDestroyed = false;
  looks = 0;

  constructor(remotePort: number) {
    super();
    this.remotePort = remotePort;
  }

  get remoteAddress(): string {
    this.looks += 1;
    return '127.0.0.1';
  }

  destroy(): void {
    this.isDestroyed = true;
    this.emit('close');
  }
}

const asSocket = (socket: FakeSocket): Socket => socket as unknown as Socket;
const answer = (isOut: boolean): ServerResponse => ({ closed: isOut }) as ServerResponse;

describe('The places of connections', () => {
  function connect(places: ConnectionPlaces, ports: readonly number[]): FakeSocket[] {
    return ports.map((port) => {
      const socket = new FakeSocket(port);
      places.take(asSocket(socket));
      return socket;
    });
  }

  const gone = (sockets: readonly FakeSocket[]): number[] =>
    sockets.filter(({ isDestroyed }) => isDestroyed).map(({ remotePort }) => remotePort);

  it('beyond the limit an idle one of whoever has most goes, and none that is being answered', () => {
    const places = new ConnectionPlaces(4);
    const sockets = connect(places, [1, 2, 3, 4]);
    const owners = ['most', 'most', 'most', 'other'];
    const isOut = [false, true, true, true];
    sockets.forEach((socket, index) => places.know(asSocket(socket), owners[index] ?? '', answer(isOut[index] ?? false)));
    connect(places, [5]);
    assert.deepEqual(gone(sockets), [2]);
  });

  it('a connection counts as busy by its last request alone, whose answer goes out last', () => {
    const places = new ConnectionPlaces(2);
    const sockets = connect(places, [1, 2]);
    const [first, second] = sockets.map(asSocket);
    assert.ok(first !== undefined && second !== undefined);
    places.know(first, 'one', answer(false));
    places.know(first, 'one', answer(true));
    places.know(second, 'one', answer(true));
    places.know(second, 'one', answer(false));
    connect(places, [3]);
    assert.deepEqual(gone(sockets), [1]);
  });

  it('of those that have shown no credential the oldest goes', () => {
    const places = new ConnectionPlaces(10_000);
    const ports = Array.from({ length: maxStrangers + 1 }, (_, index) => index + 1);
    assert.deepEqual(gone(connect(places, ports)), [1]);
  });

  it('one whose requests keep coming is looked for by its address once', () => {
    const places = new ConnectionPlaces(10);
    const [socket] = connect(places, [1]);
    assert.ok(socket !== undefined);
    places.know(asSocket(socket), 'one', answer(true));
    const { looks } = socket;
    places.know(asSocket(socket), 'one', answer(true));
    assert.equal(socket.looks, looks);
  });
});
