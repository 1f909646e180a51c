import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { SseConnection } from '../../../../../src/server/wire/transports/streamHub.ts';

/** Takes what is written and never says that it went out. */
class StuckSocket extends Socket {
  override _write(): void {
    // for ever
  }
  override _writev(): void {
    // for ever
  }
}

describe('A stream whose client does not read', () => {
  for (const how of ['expire', 'giveWay'] as const) {
    it(`frees its place at once (${how})`, async () => {
      const socket = new StuckSocket();
      const response = new ServerResponse(new IncomingMessage(socket));
      response.assignSocket(socket);
      const connection = new SseConnection(response);
      const closed = new Promise<void>((resolve) => connection.onClose(resolve));
      connection.message('{}');
      connection[how]();
      assert.equal(response.destroyed, true);
      await closed;
    });
  }
});
