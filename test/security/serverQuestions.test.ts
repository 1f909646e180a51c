import assert from 'node:assert/strict';
import type { JsonObject } from '../../src/base/json.ts';
import { maxUnapprovedSessions } from '../../src/server/protocol/sessionDirectory.ts';
import { FakeClock } from '../support/fakeClock.ts';
import { FakeApproval } from '../unit/server/support/fakePorts.ts';
import type { HttpPeer } from '../unit/server/support/httpPeer.ts';
import { runServer, type RunningServer } from '../unit/server/support/runningServer.ts';

describe('a program that wants to be asked about again and again', () => {
  let running: RunningServer;
  let clock: FakeClock;
  beforeEach(async () => {
    clock = new FakeClock();
    running = await runServer({ clock, approval: new FakeApproval() });
  });
  afterEach(() => running.close());

  async function peer(token?: string): Promise<HttpPeer> {
    const opened = running.peer(token);
    await opened.initialize();
    return opened;
  }

  it('has one question open, however many sessions it opens', async () => {
    const peers = await Promise.all(Array.from({ length: 8 }, () => peer()));
    const calls = peers.map((each) => each.callTool('list_open_editors'));
    await Promise.all(peers.map((each) => each.request('ping')));
    assert.equal(running.approval.asked.length, 1);
    running.approval.answer({ kind: 'allowed', role: 'reader' });
    await running.approval.untilAsked(2);
    running.approval.answer({ kind: 'denied' });
    clock.advance(25_000);
    await Promise.allSettled(calls);
  });

  it('does not keep the question of another credential from being asked', async () => {
    const [flooder, other] = [await peer(), await peer(running.otherToken())];
    const calls = [flooder.callTool('list_open_editors'), other.callTool('list_open_editors')];
    await running.approval.untilAsked(2);
    running.approval.answer({ kind: 'allowed', role: 'reader' });
    await Promise.all(calls);
  });

  it('waits after a denial, longer each time, also in a new session, and is told why', async () => {
    for (const seconds of [10, 20, 40]) {
      const asked = running.approval.asked.length;
      const session = await peer();
      const call = session.callTool('list_open_editors');
      await running.approval.untilAsked(asked + 1);
      running.approval.answer({ kind: 'denied' });
      assert.equal(textOf((await call).json), 'denied by the person in VS Code');

      const next = await peer();
      const later = next.request('resources/read', { uri: 'workspace://folders' });
      await next.request('ping');
      clock.advance(Math.min(25_000, seconds * 1_000 - 1));
      await next.request('ping');
      assert.equal(running.approval.asked.length, asked + 1, `nothing is asked within ${seconds} s`);
      await next.send('DELETE', '/mcp', { 'mcp-session-id': next.sessionId });
      clock.advance(seconds * 1_000);
      await later.catch(() => undefined);
    }
    const session = await peer();
    const call = session.callTool('list_open_editors');
    await running.approval.untilAsked(4);
    running.approval.answer({ kind: 'denied' });
    await call;
    const last = await peer();
    const read = last.request('resources/read', { uri: 'workspace://folders' });
    await last.request('ping');
    clock.advance(25_000);
    const { error } = (await read).json as { error: { message: string; data: JsonObject } };
    assert.deepEqual(error.data, { reason: 'waiting' });
    assert.match(error.message, /^waiting for approval in VS Code: .*opens in 55 s; repeat this identical call then$/);
  });

  it('does not make a question flicker by taking it back', async () => {
    for (let count = 0; count < 5; count += 1) {
      const session = await peer();
      const call = session.callTool('list_open_editors');
      await session.request('ping');
      await session.send('DELETE', '/mcp', { 'mcp-session-id': session.sessionId });
      await call.catch(() => undefined);
    }
    assert.equal(running.approval.asked.length, 1);
  });

  it('keeps no newcomer out with sessions that wait to be asked about', async () => {
    const waiting = await Promise.all(Array.from({ length: maxUnapprovedSessions }, () => peer()));
    const calls = waiting.map((each) => each.callTool('list_open_editors').catch(() => undefined));
    await Promise.all(waiting.map((each) => each.request('ping')));
    const [asked] = running.approval.asked;
    const newcomer = running.peer();
    assert.equal((await newcomer.initialize()).status, 200);
    const sessions = running.server.clients.snapshot().map(({ sessionId }) => sessionId);
    assert.ok(sessions.includes(asked?.sessionId ?? ''), 'the one whose question is open stays');
    clock.advance(25_000);
    await Promise.all(calls);
  });
});

function textOf({ result }: JsonObject): string | undefined {
  return (result as { content?: readonly { text: string }[] } | undefined)?.content?.[0]?.text;
}
