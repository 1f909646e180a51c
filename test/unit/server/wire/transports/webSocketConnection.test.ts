import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { SpreadWork } from '../../../../../src/server/access/spreadWork.ts';
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

  close(): void {
    this.did.push('close');
  }

  isPaused = false;

  pause(): void {
    this.isPaused = true;
    this.did.push('pause');
  }

  resume(): void {
    this.isPaused = false;
    this.did.push('resume');
  }
}

function answering(answer: (text: string) => string): NotedSocket {
  const socket = new NotedSocket();
  const connection = new WebSocketConnection(socket as unknown as WebSocket, socket, new SpreadWork(() => false));
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

describe('Messages of a WebSocket that are too many for one turn', () => {
  /** Takes two messages a turn, and notes them with what is done to the socket. */
  function hearing(hear: (text: string, connection: WebSocketConnection) => void = () => undefined): NotedSocket {
    const socket = new NotedSocket();
    const connection = new WebSocketConnection(socket as unknown as WebSocket, socket, new SpreadWork((done) => done >= 2));
    connection.onText((text) => {
      socket.did.push(text);
      hear(text, connection);
    });
    return socket;
  }

  const heard = ({ did }: NotedSocket): readonly string[] => did.filter((what) => what !== 'hold back' && what !== 'let go');

  async function turns(count = 10): Promise<void> {
    for (let each = 0; each < count; each += 1) {
      await turn();
    }
  }

  it('wait for the next ones in their order, and nothing more is read until all are handled', async () => {
    const socket = hearing();
    say(socket, 'a', 'b', 'c', 'd', 'e');
    assert.deepEqual(heard(socket), ['a', 'b', 'pause']);
    await turns();
    assert.deepEqual(heard(socket), ['a', 'b', 'pause', 'c', 'd', 'resume', 'e']);
    say(socket, 'f');
    assert.equal(heard(socket).at(-1), 'f');
  });

  it('are handled although the client closes the socket meanwhile', async () => {
    const socket = hearing();
    say(socket, 'a', 'b', 'c');
    Object.assign(socket, { readyState: 2 });
    await turns();
    assert.deepEqual(heard(socket), ['a', 'b', 'pause', 'resume', 'c']);
  });

  it('are not handled any more once the server has closed it', async () => {
    const socket = hearing((text, connection) => {
      if (text === 'b') {
        connection.close(1008, 'enough');
      }
    });
    say(socket, 'a', 'b', 'c');
    await turns();
    assert.deepEqual(heard(socket), ['a', 'b', 'close', 'pause', 'resume']);
  });
});
