import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Approval, ApprovalOptions } from '../../../src/host/approval/approval.ts';
import { ManagedServer } from '../../../src/host/managedServer.ts';
import { PeerInMemory, sessionOptions } from './peerInMemory.ts';

const { signal } = new AbortController();
const ask = (): never => assert.fail('the approval of this test asks nobody');

function serverOf(approve: (options: ApprovalOptions) => Promise<Approval>): ManagedServer {
  const initial = { kind: 'stopped', reason: 'neverStarted' } as const;
  return new ManagedServer({ id: 'one', name: 'one', initial, riskOf: () => 'unknown', session: sessionOptions(), approve });
}

describe('A start of a server', () => {
  let server: ManagedServer;
  afterEach(async () => {
    await server.stop();
    server.dispose();
  });

  it('that others joined can be left by each, and goes on for whoever still wants it', async () => {
    const approvals: ApprovalOptions[] = [];
    server = serverOf((options) => {
      approvals.push(options);
      return approvals.length === 1
        ? new Promise((_, reject) => options.signal.addEventListener('abort', () => reject(options.signal.reason as Error)))
        : Promise.resolve({ kind: 'approved', open: async () => Promise.resolve(new PeerInMemory({}).link) });
    });
    const [turn, tab] = [new AbortController(), new AbortController()];
    const first = server.start({ ask, signal: turn.signal });
    const left = server.start({ ask, signal: tab.signal });
    const own = (): never => assert.fail('nothing is asked');
    const stays = server.start({ ask: own, signal });
    tab.abort();
    assert.equal((await left).kind, 'stopped');
    turn.abort();
    assert.deepEqual(await first, { kind: 'stopped', reason: 'needsConsent' });
    assert.equal((await stays).kind, 'ready');
    assert.deepEqual(
      approvals.map((each) => each.ask === own),
      [false, true],
    );
  });

  it('while it is still stopping waits for that, also for the second of two stops, and is not lost', async () => {
    let opened = 0;
    let end = (): void => undefined;
    const closing = (): Promise<void> => (opened === 1 ? new Promise((resolve) => (end = resolve)) : Promise.resolve());
    const open = async (): Promise<PeerInMemory['link']> => {
      opened += 1;
      return Promise.resolve(new PeerInMemory({}, closing).link);
    };
    server = serverOf(() => Promise.resolve({ kind: 'approved', open }));
    await server.start({ ask, signal });
    const stopping = [server.stop(), server.stop()];
    await sleep(0);
    const starting = server.start({ ask, signal });
    const other = serverOf(() => Promise.resolve({ kind: 'approved', open: async () => Promise.resolve(new PeerInMemory({}).link) }));
    assert.equal((await other.start({ ask, signal })).kind, 'ready');
    assert.equal(opened, 1, 'a start that waits for nothing would be over as well');
    await other.stop();
    other.dispose();
    end();
    assert.equal((await starting).kind, 'ready');
    await Promise.all(stopping);
    assert.deepEqual([server.state.kind, opened, server.connection.session !== undefined], ['ready', 2, true]);
  });
});
