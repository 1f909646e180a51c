import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { CredentialStore } from '../../../../../src/server/access/credentials.ts';
import { type HeldConnection, SseConnection, StreamHub } from '../../../../../src/server/wire/transports/streamHub.ts';
import { FakeClock } from '../../../../support/fakeClock.ts';

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

describe('Many open streams', () => {
  it('are kept alive in portions, and those that ended meanwhile are left alone', async () => {
    const [clock, credentials] = [new FakeClock(), new CredentialStore()];
    const hub = new StreamHub(1_000, clock, 100, credentials);
    const { credential, withdraw } = credentials.mint({ id: 'a', kind: 'clientToken' });
    const kept: number[] = [];
    const releases = Array.from({ length: 120 }, (_, index) => {
      const none = (): void => undefined;
      const connection: HeldConnection = { keepAlive: () => kept.push(index), end: none, expire: none, giveWay: none };
      return hub.hold(connection, { credential, client: {}, isApproved: () => true });
    });
    await turn();
    clock.advance(100);
    assert.equal(kept.length, 25);
    releases.at(-1)?.();
    for (let each = 0; each < 10; each += 1) {
      await turn();
    }
    assert.deepEqual(kept, Array.from(releases.keys()).slice(0, 119));
    hub.dispose();
    withdraw.dispose();
    credentials.dispose();
  });
});
