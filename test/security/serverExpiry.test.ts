import assert from 'node:assert/strict';
import type { Disposable } from '../../src/base/lifecycle.ts';
import type { Role } from '../../src/contract/questions/rolesAndClaims.ts';
import { hashToken } from '../../src/server/access/credentials.ts';
import { accessMs } from '../../src/server/oauth/issuedTokens.ts';
import { FakeClock } from '../support/fakeClock.ts';
import { allowReader, FakeApproval } from '../unit/server/support/fakePorts.ts';
import type { EventReader, HttpPeer } from '../unit/server/support/httpPeer.ts';
import { modernHeaders, modernMeta } from '../unit/server/support/modernLinks.ts';
import { runServer, type RunningServer } from '../unit/server/support/runningServer.ts';
import { WsPeer } from '../unit/server/support/wsPeer.ts';
import { OauthClient, textOf } from '../unit/server/oauth/oauthClient.ts';

const expiredClose = { code: 1008, reason: 'the token expired' };

describe('What an access token opened', () => {
  let clock: FakeClock;
  let running: RunningServer;
  let client: OauthClient;
  const admitted: Disposable[] = [];

  beforeEach(async () => {
    clock = new FakeClock();
    running = await runServer({ approval: new FakeApproval(), limits: { oauthPerSecond: 10_000 }, clock });
    client = new OauthClient(running.port);
  });
  afterEach(async () => {
    client.close();
    admitted.splice(0).forEach((credential) => credential.dispose());
    await running.close();
  });

  async function signIn(): Promise<{ readonly access: string; readonly refresh: string }> {
    await client.register();
    const code = await client.obtainCode(async () => {
      await running.approval.untilAsked(1);
      running.approval.answer(allowReader);
    });
    const { json } = await client.redeem(code);
    return { access: textOf(json.access_token), refresh: textOf(json.refresh_token) };
  }

  /** Rejects if the stream says anything more than what it begins with. */
  async function end(stream: EventReader, beginning: number): Promise<void> {
    for (let event = 0; event < beginning; event += 1) {
      assert.notEqual(await stream.next(), undefined);
    }
    assert.equal(await stream.next(), undefined);
  }

  function listen(peer: HttpPeer): Promise<EventReader> {
    const params = { notifications: { toolsListChanged: true }, _meta: modernMeta() };
    const message = { jsonrpc: '2.0', id: 'l', method: 'subscriptions/listen', params };
    return peer.openPost(message, modernHeaders(message));
  }

  function admit(roles: readonly Role[], isExpired: () => boolean): string {
    const token = `token-for-${roles.join('-')}`;
    admitted.push(running.server.credentials.admit(hashToken(token), { id: 'oauth-9', kind: 'oauth', roles }, isExpired));
    return token;
  }

  it('ends with it: sockets, silent ones too, and streams of every transport', async () => {
    const { access } = await signIn();
    const socket = await WsPeer.open(running.port, access);
    await socket.initialize();
    const silent = await WsPeer.open(running.port, access);
    const bystander = await WsPeer.open(running.port, running.token);
    await bystander.initialize();
    const peer = running.peer(access);
    await peer.initialize();
    const standing = await peer.stream();
    const sse = await running.peer(access).stream('/sse');
    const listening = await listen(running.peer(access));
    assert.deepEqual([standing.status, sse.status, listening.status], [200, 200, 200]);
    clock.advance(accessMs);
    assert.deepEqual(await Promise.all([socket.closed, silent.closed]), [expiredClose, expiredClose]);
    await Promise.all([end(standing, 0), end(sse, 1), end(listening, 1)]);
    assert.deepEqual((await bystander.request('ping')).result, {});
    await bystander.close();
  });

  it('stays for as long as the client refreshes it, and no longer', async () => {
    const first = await signIn();
    const socket = await WsPeer.open(running.port, first.access);
    await socket.initialize();
    clock.advance(accessMs - 1_000);
    await client.refresh(first.refresh);
    clock.advance(accessMs - 1_000);
    assert.deepEqual((await socket.request('ping')).result, {});
    clock.advance(1_000);
    assert.deepEqual(await socket.closed, expiredClose);
  });

  it('does not stay because another token of the client, made for less, is valid', async () => {
    let isOver = false;
    const wide = await WsPeer.open(
      running.port,
      admit(['reader', 'editor'], () => isOver),
    );
    const narrow = await WsPeer.open(
      running.port,
      admit(['reader'], () => false),
    );
    await narrow.initialize();
    isOver = true;
    clock.advance(15_000);
    assert.deepEqual(await wide.closed, expiredClose);
    assert.deepEqual((await narrow.request('ping')).result, {});
    await narrow.close();
  });
});
