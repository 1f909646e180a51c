import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { WebSocketConnection } from '../../../../../src/server/wire/transports/webSocketConnection.ts';

/** A socket that notes in which order it is written to, held back and let go. */
class NotedSocket extends EventEmitter {
  readonly OPEN = 1;
  readonly readyState = 1;
  readonly did: string[] = [];
  bufferedAmount = 0;

  cork(): void {
    this.did.push('hold back');
  }

  uncork(): void {
    this.did.push('let go');
    this.bufferedAmount = 0;
  }

  send(text: string): void {
    this.did.push(text.slice(0, 10));
    this.bufferedAmount += text.length;
  }

  terminate(): void {
    this.did.push('terminate');
  }
}

function answering(answer: (text: string) => string): NotedSocket {
  const socket = new NotedSocket();
  const connection = new WebSocketConnection(socket as unknown as WebSocket, socket);
  connection.onText((text) => connection.send(answer(text)));
  return socket;
}

function say(socket: NotedSocket, ...texts: readonly string[]): void {
  texts.forEach((text) => socket.emit('message', Buffer.from(text), false));
}

describe('Answers on a WebSocket', () => {
  it('to messages that came together go out together, and the next ones by themselves', async () => {
    const socket = answering((text) => `to ${text}`);
    say(socket, 'a', 'b', 'c');
    await turn();
    say(socket, 'd');
    await turn();
    assert.deepEqual(socket.did, ['hold back', 'to a', 'to b', 'to c', 'let go', 'hold back', 'to d', 'let go']);
  });

  it('that are large wait for no others, and do not count as unread', async () => {
    const socket = answering((text) => text.repeat(5 * 1024 * 1024));
    say(socket, 'a', 'b', 'c');
    await turn();
    assert.deepEqual(
      socket.did.filter((what) => what === 'terminate'),
      [],
    );
    assert.deepEqual(socket.did.slice(0, 3), ['hold back', 'aaaaaaaaaa', 'let go']);
    assert.equal(socket.did.filter((what) => what === 'hold back').length, socket.did.filter((what) => what === 'let go').length);
  });
});
