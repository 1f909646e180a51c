import assert from 'node:assert/strict';
import { TextInMemory } from '../../../../src/base/sharedStorage.ts';
import { initializeParams } from '../support/httpPeer.ts';
import { postHead } from '../support/lateBody.ts';
import { allowReader, FakeApproval } from '../support/fakePorts.ts';
import { runServer, type RunningServer } from '../support/runningServer.ts';
import { OauthClient, pairingCodeOf, redirectUri, textOf } from './oauthClient.ts';
import { findFreePort } from '../../../support/peers/peerProcess.mjs';

describe('OAuth in the embedded server', () => {
  let running: RunningServer;
  let client: OauthClient;
  const start = async (options: Parameters<typeof runServer>[0] = {}): Promise<void> => {
    running = await runServer({ approval: new FakeApproval(), limits: { oauthPerSecond: 1_000 }, ...options });
    client = new OauthClient(running.port);
  };
  const allow = async (): Promise<void> => {
    await running.approval.untilAsked(1);
    running.approval.answer(allowReader);
  };
  afterEach(async () => {
    client.close();
    await running.close();
  });

  it('a refusal leads a client by its own spelling of the address to a sign-in, and the sign-in to a session', async () => {
    await start();
    for (const host of [`127.0.0.1:${running.port}`, `localhost:${running.port}`]) {
      const base = `http://${host}`;
      const refusal = await client.send('POST', '/mcp', { host, 'content-type': 'application/json' }, '{}');
      assert.equal(refusal.headers['www-authenticate'], `Bearer resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"`);
      const resource = await client.send('GET', '/.well-known/oauth-protected-resource/mcp', { host });
      assert.deepEqual(resource.json, {
        resource: `${base}/mcp`,
        authorization_servers: [base],
        scopes_supported: ['reader', 'editor', 'runner'],
        bearer_methods_supported: ['header'],
        resource_name: 'Duplex',
      });
      const server = await client.send('GET', '/.well-known/oauth-authorization-server', { host });
      assert.deepEqual(
        [server.json.issuer, server.json.code_challenge_methods_supported, server.json.authorization_response_iss_parameter_supported],
        [base, ['S256'], true],
      );
    }
    await client.register();
    const page = await client.send('GET', client.authorizePath('v'.repeat(43)));
    const code = pairingCodeOf(page);
    await running.approval.untilAsked(1);
    assert.deepEqual(running.approval.asked, [
      {
        credentialId: client.clientId,
        credentialKind: 'oauth',
        sessionId: undefined,
        callsItself: 'Test Client',
        transport: 'http',
        pairingCode: code,
        roles: ['reader', 'editor', 'runner'],
      },
    ]);
    running.approval.answer({ kind: 'allowed', role: 'editor' });
    const location = await client.follow(page);
    assert.equal(`${location.origin}${location.pathname}`, redirectUri);
    assert.deepEqual([...location.searchParams.keys()].sort(), ['code', 'iss', 'state']);
    assert.deepEqual([location.searchParams.get('iss'), location.searchParams.get('state')], [client.base, 'some-state']);
    const answer = await client.redeem({ code: location.searchParams.get('code') ?? '', verifier: 'v'.repeat(43), location });
    assert.deepEqual(
      [answer.status, answer.json.token_type, answer.json.expires_in, answer.json.scope],
      [200, 'Bearer', 600, 'reader editor'],
    );
    const peer = running.peer(textOf(answer.json.access_token));
    assert.equal((await peer.initialize()).status, 200);
    const [entry] = running.server.clients.snapshot();
    assert.deepEqual([entry?.credentialKind, entry?.credentialId], ['oauth', client.clientId]);
  });

  it('the page that waits has no script, cannot be framed, and says who asks', async () => {
    await start();
    await client.register({ client_name: '<script>alert(1)</script>\u202Eevil' });
    const page = await client.authorize();
    assert.equal(page.headers['x-frame-options'], 'DENY');
    assert.match(String(page.headers['content-security-policy']), /default-src 'none'.*frame-ancestors 'none'/);
    assert.doesNotMatch(page.text, /<script/);
    assert.match(page.text, /&#60;script&#62;alert\(1\)&#60;\/script&#62;⟨U\+202E⟩evil/);
  });

  it('a denial goes back to the client as access_denied', async () => {
    await start();
    await client.register();
    const { location } = await client.obtainCode(async () => {
      await running.approval.untilAsked(1);
      running.approval.answer({ kind: 'denied' });
    });
    assert.deepEqual([location.searchParams.get('error'), location.searchParams.get('code')], ['access_denied', null]);
  });

  it('refresh tokens rotate, and a narrower token can be asked for', async () => {
    await start();
    await client.register();
    const first = await client.redeem(
      await client.obtainCode(async () => {
        await running.approval.untilAsked(1);
        running.approval.answer({ kind: 'allowed', role: 'runner' });
      }),
    );
    const second = await client.refresh(first.json.refresh_token, { scope: 'reader' });
    assert.deepEqual([second.status, second.json.scope], [200, 'reader']);
    assert.notEqual(second.json.refresh_token, first.json.refresh_token);
    const wider = await client.refresh(second.json.refresh_token, { scope: 'reader runner' });
    assert.deepEqual([wider.status, wider.json.scope], [200, 'reader runner']);
  });

  it('a token with none of the scopes is 403 insufficient_scope', async () => {
    await start();
    await client.register();
    const answer = await client.redeem(await client.obtainCode(allow, { scope: 'openid profile' }));
    assert.deepEqual([answer.status, answer.json.scope], [200, '']);
    const refused = await running.peer(textOf(answer.json.access_token)).request('initialize', initializeParams('2025-11-25'));
    assert.equal(refused.status, 403);
    assert.match(String(refused.headers['www-authenticate']), /error="insufficient_scope", scope="reader"/);
  });

  it('the address of the WebSocket is a resource too, as a client of it spells it', async () => {
    await start();
    await client.register();
    const resource = `ws://127.0.0.1:${running.port}/ws`;
    const answer = await client.redeem(await client.obtainCode(allow, { resource }), { resource });
    assert.equal(answer.status, 200);
    const ofUpgrade = await client.authorize({ resource: `ws://localhost:${running.port}/mcp` });
    const others = [`ws://127.0.0.1:${running.port}/sse`, `wss://127.0.0.1:${running.port}/ws`, 'ws://127.0.0.1:1/ws'];
    const refused = await Promise.all(others.map((other) => client.authorize({ resource: other })));
    assert.deepEqual(
      [ofUpgrade, ...refused].map(({ headers: { location } }) => location !== undefined && new URL(location).searchParams.get('error')),
      [false, 'invalid_target', 'invalid_target', 'invalid_target'],
    );
  });

  it('the role the person gives limits the scopes', async () => {
    await start();
    await client.register();
    const answer = await client.redeem(await client.obtainCode(allow, { scope: 'editor' }));
    assert.equal(answer.json.scope, 'reader');
    assert.deepEqual(running.approval.asked[0]?.roles, ['reader', 'editor']);
  });

  it('a listener that stops withdraws the question', async () => {
    await start();
    await client.register();
    const page = await client.authorize();
    await running.approval.untilAsked(1);
    assert.equal(running.approval.withdrawn.length, 0);
    await running.server.stop();
    assert.deepEqual(running.approval.withdrawn, [client.clientId]);
    assert.equal(page.status, 200);
  });

  it('revoking the credential in the editor ends its sessions at once, and refreshing too', async () => {
    await start();
    await client.register();
    const { json } = await client.redeem(await client.obtainCode(allow));
    const peer = running.peer(textOf(json.access_token));
    await peer.initialize();
    const stream = await peer.stream();
    running.server.credentials.revoke(client.clientId);
    assert.equal(await stream.next(), undefined);
    assert.equal((await peer.request('ping')).status, 401);
    assert.equal((await client.refresh(json.refresh_token)).json.error, 'invalid_grant');
  });

  it('revoking the credential also ends a code that was not fetched yet', async () => {
    await start();
    await client.register();
    const code = await client.obtainCode(allow);
    running.server.credentials.revoke(client.clientId);
    const { status, json } = await client.redeem(code);
    assert.deepEqual([status, json.error], [400, 'invalid_grant']);
  });

  it('a listener that stops issues no token, although the head of the request came before', async () => {
    await start();
    await client.register();
    const { code, verifier } = await client.obtainCode(allow);
    const send = await postHead(running.port, '/token', { 'content-type': 'application/x-www-form-urlencoded' });
    const stopped = running.server.stop();
    const form = { grant_type: 'authorization_code', client_id: client.clientId, code, code_verifier: verifier };
    const status = await send(new URLSearchParams(form).toString());
    await stopped;
    assert.equal(status, undefined);
  });

  it('with a fixed port tokens outlive the listener as hashes; with another port they die', async () => {
    const port = await findFreePort();
    const oauthStorage = new TextInMemory();
    await start({ port, oauthStorage });
    await client.register();
    const { json } = await client.redeem(await client.obtainCode(allow));
    await running.server.stop();
    const stored = (await oauthStorage.read()) ?? '';
    assert.ok(stored.includes(client.clientId));
    assert.ok(!stored.includes(textOf(json.access_token)) && !stored.includes(textOf(json.refresh_token)));
    await running.server.start({ port });
    const again = await running.peer(textOf(json.access_token)).request('initialize', initializeParams('2025-11-25'));
    assert.equal(again.status, 200);
    const refreshed = await client.refresh(json.refresh_token);
    assert.equal(refreshed.status, 200);
    await running.server.stop();
    await running.server.start({ port: 0 });
    const state = running.server.state;
    const other = new OauthClient(state.kind === 'listening' ? state.port : 0);
    const answer = await other.send('POST', '/mcp', { authorization: `Bearer ${textOf(refreshed.json.access_token)}` });
    other.close();
    assert.equal(answer.status, 401);
  });

  it('without a fixed port nothing is stored', async () => {
    const oauthStorage = new TextInMemory();
    await start({ oauthStorage });
    await client.register();
    await client.redeem(await client.obtainCode(allow));
    await running.server.stop();
    assert.equal(await oauthStorage.read(), undefined);
  });
});
