import assert from 'node:assert/strict';
import { FakeClock } from '../support/fakeClock.ts';
import { initializeParams } from '../unit/server/support/httpPeer.ts';
import { allowReader, FakeApproval } from '../unit/server/support/fakePorts.ts';
import { runServer, type RunningServer } from '../unit/server/support/runningServer.ts';
import { nextOf, OauthClient, pairingCodeOf, redirectUri, textOf } from '../unit/server/oauth/oauthClient.ts';

const minute = 60_000;

describe('the OAuth paths of the embedded server', () => {
  let running: RunningServer;
  let client: OauthClient;
  const start = async (options: Parameters<typeof runServer>[0] = {}): Promise<void> => {
    running = await runServer({ approval: new FakeApproval(), limits: { oauthPerSecond: 10_000 }, ...options });
    client = new OauthClient(running.port);
  };
  const answerWith = (kind: 'allowed' | 'denied') => async (): Promise<void> => {
    await running.approval.untilAsked(running.approval.asked.length || 1);
    running.approval.answer(kind === 'allowed' ? allowReader : { kind: 'denied' });
  };
  const signIn = async (): Promise<{ readonly access: string; readonly refresh: string }> => {
    const { json } = await client.redeem(await client.obtainCode(answerWith('allowed')));
    return { access: textOf(json.access_token), refresh: textOf(json.refresh_token) };
  };
  const statusOf = async (token: string): Promise<number> =>
    (await running.peer(token).request('initialize', initializeParams('2025-11-25'))).status;
  afterEach(async () => {
    client.close();
    await running.close();
  });

  it('a flood of registrations ends at fifty, costs no question, and is over in ten minutes', async () => {
    const clock = new FakeClock();
    await start({ clock });
    const statuses = [];
    for (let count = 0; count < 60; count += 1) {
      statuses.push((await client.register()).status);
    }
    assert.deepEqual([statuses.filter((status) => status === 201).length, statuses.filter((status) => status === 429).length], [50, 10]);
    assert.equal(running.approval.asked.length, 0);
    clock.advance(10 * minute);
    assert.equal((await client.register()).status, 201);
  });

  it('everybody together gets so many answers per second, and is told when to come back', async () => {
    const clock = new FakeClock();
    await start({ clock, limits: {} });
    const statuses = [];
    for (let count = 0; count < 12; count += 1) {
      statuses.push((await client.register()).status);
    }
    assert.deepEqual(statuses, [...Array<number>(10).fill(201), 429, 429]);
    const refused = await client.send('GET', client.authorizePath('v'.repeat(43)));
    assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '1']);
    // Who has a token is not held up by it.
    assert.equal(await statusOf(running.token), 200);
    clock.advance(1_000);
    assert.equal((await client.register()).status, 201);
  });

  it('a flood of questions about the server keeps nobody from signing in', async () => {
    await start({ clock: new FakeClock(), limits: {} });
    const statuses = [];
    for (let count = 0; count < 12; count += 1) {
      statuses.push((await client.send('GET', '/.well-known/oauth-authorization-server')).status);
    }
    assert.deepEqual(statuses, [...Array<number>(10).fill(200), 429, 429]);
    assert.equal((await client.register()).status, 201);
  });

  it('registrations are small JSON objects, whatever a page can send', async () => {
    await start();
    const body = JSON.stringify({ redirect_uris: [redirectUri] });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/jsonx', undefined]) {
      const answer = await client.send('POST', '/register', { 'content-type': type }, body);
      assert.deepEqual([type, answer.status], [type, 415]);
    }
    const json = { 'content-type': 'application/json' };
    const large = JSON.stringify({ redirect_uris: [redirectUri], client_name: 'x'.repeat(20_000) });
    assert.equal((await client.send('POST', '/register', json, large)).status, 413);
    for (const bad of [
      '',
      '{',
      '[]',
      'null',
      '{}',
      '{"redirect_uris":"x"}',
      '{"redirect_uris":[]}',
      `${'['.repeat(8_000)}${']'.repeat(8_000)}`,
    ]) {
      assert.deepEqual([bad.slice(0, 20), (await client.send('POST', '/register', json, bad)).status], [bad.slice(0, 20), 400]);
    }
  });

  it('no page of another origin reaches any of the paths', async () => {
    await start({ allowedOrigins: ['https://friend.example'] });
    const paths = ['/register', '/authorize', '/token', '/revoke', '/.well-known/oauth-authorization-server'];
    for (const path of paths) {
      for (const origin of ['https://evil.example', 'null', 'http://localhost:3000', `http://127.0.0.1:${running.port + 1}`]) {
        for (const method of ['GET', 'POST', 'OPTIONS']) {
          const answer = await client.send(
            method,
            path,
            { origin, 'content-type': 'application/json' },
            method === 'POST' ? '{}' : undefined,
          );
          assert.deepEqual(
            [path, origin, method, answer.status, answer.headers['access-control-allow-origin']],
            [path, origin, method, 403, undefined],
          );
        }
      }
      const rebound = await client.send('GET', path, { host: 'evil.example' });
      assert.deepEqual([path, rebound.status], [path, 403]);
    }
    const own = await client.send('GET', '/.well-known/oauth-authorization-server', { origin: client.base });
    assert.equal(own.status, 200);
    assert.equal((await client.send('POST', '/mcp', { origin: client.base, authorization: `Bearer ${running.token}` })).status, 403);
  });

  it('an address that would run something or leads to another machine in the clear is no redirect', async () => {
    await start();
    for (const uri of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'java\nscript:alert(1)',
      ' javascript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      'file:///etc/passwd',
      'blob:https://a.example/x',
      'ms-msdt:/id',
      'search-ms:query=x',
      'res://ieframe.dll/acr.htm',
      'mhtml:https://evil.example/x.mht',
      'msdt:/id PCWDiagnostic',
      'wscript:x',
      'command:workbench.action.terminal.sendSequence',
      'myprogram:/callback',
      'x-apple.systempreferences:com.apple.preference',
      'microsoft.windows.camera:',
      'microsoft.windows.camera:x',
      'com.example.app:',
      'vscode:mcp/install?x',
      'vscode://file/etc/passwd',
      'vscode:extension/publisher.name',
      'http://evil.example/callback',
      'http://127.0.0.1.evil.example/callback',
      'http://127.0.0.1@evil.example/callback',
      'http://localhost:80@evil.example/',
      'https://user:password@evil.example/',
      'https://a.example/#fragment',
      'https:\\\\evil.example',
      '//evil.example',
      'x',
    ]) {
      const answer = await client.register({ redirect_uris: [redirectUri, uri] });
      assert.deepEqual([uri, answer.status, answer.json.error], [uri, 400, 'invalid_redirect_uri']);
    }
    for (const uri of [
      'cursor://anysphere.cursor-retrieval/oauth/callback',
      'vscode-insiders://publisher.name/callback',
      'com.example.app:/oauth2redirect',
    ]) {
      assert.deepEqual([uri, (await client.register({ redirect_uris: [uri] })).status], [uri, 201]);
    }
  });

  it('a foreign redirect gets a page and nothing else; only the port of this machine is free', async () => {
    await start();
    await client.register();
    for (const given of [
      'https://evil.example/',
      'http://127.0.0.1:7777/callback2',
      'http://127.0.0.1:7777/callback?x=1',
      'http://127.0.0.1:7777/callback/',
      'http://127.0.0.1:7777/../callback',
      'http://localhost:7777/callback',
      'http://127.0.0.1:7777@evil.example/callback',
      'javascript:alert(1)',
      undefined,
    ]) {
      const answer = await client.authorize({ redirect_uri: given });
      assert.deepEqual([given, answer.status, answer.headers.location], [given, 400, undefined]);
    }
    assert.equal((await client.authorize({ client_id: 'oauth-unknown' })).status, 400);
    assert.equal(running.approval.asked.length, 0);
    assert.equal((await client.authorize({ redirect_uri: 'http://127.0.0.1:5555/callback' })).status, 200);
  });

  it('a frame, a script, an image or a prefetch opens no question', async () => {
    await start();
    await client.register();
    for (const headers of [
      { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
      { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'object' },
      { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
      { 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-mode': 'no-cors' },
      { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
      { accept: 'application/json' },
      { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' },
      { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-purpose': 'prefetch' },
    ]) {
      assert.deepEqual([headers, (await client.authorize({}, headers)).status], [headers, 403]);
    }
    for (const method of ['POST', 'HEAD', 'PUT']) {
      assert.equal((await client.send(method, client.authorizePath('v'.repeat(43)))).status, 405);
    }
    assert.equal(running.approval.asked.length, 0);
    assert.equal((await client.authorize({}, { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' })).status, 200);
    assert.equal(running.approval.asked.length, 1);
  });

  it('weaker or missing proof of possession is refused before anybody is asked', async () => {
    await start();
    await client.register();
    for (const changes of [
      { code_challenge_method: 'plain' },
      { code_challenge_method: undefined },
      { code_challenge: undefined },
      { code_challenge: 'short' },
      { response_type: 'token' },
      { response_type: undefined },
    ]) {
      const { headers } = await client.authorize(changes);
      const location = new URL(headers.location ?? 'about:blank');
      assert.deepEqual([changes, location.searchParams.has('error'), location.searchParams.has('code')], [changes, true, false]);
      assert.equal(location.searchParams.get('iss'), client.base);
    }
    assert.equal(running.approval.asked.length, 0);
  });

  it('a token is asked for this server or not at all', async () => {
    await start();
    await client.register();
    for (const resource of [
      'https://evil.example/mcp',
      `http://127.0.0.1:${running.port + 1}/mcp`,
      `${client.base}/mcp/../x`,
      `${client.base}.evil.example`,
    ]) {
      const { headers } = await client.authorize({ resource });
      assert.equal(new URL(headers.location ?? 'about:blank').searchParams.get('error'), 'invalid_target', resource);
    }
    const code = await client.obtainCode(answerWith('allowed'), { resource: `http://localhost:${running.port}/mcp` });
    const mismatch = await client.redeem(code, { resource: 'https://evil.example/mcp' });
    assert.equal(mismatch.json.error, 'invalid_target');
    const other = await client.redeem(code, { resource: `${client.base}/sse` });
    assert.equal(other.json.error, 'invalid_target');
  });

  it('a code is good once: its replay ends the tokens it gave', async () => {
    await start();
    await client.register();
    const code = await client.obtainCode(answerWith('allowed'));
    const { json } = await client.redeem(code);
    const peer = running.peer(textOf(json.access_token));
    await peer.initialize();
    const replay = await client.redeem(code);
    assert.deepEqual([replay.status, replay.json.error], [400, 'invalid_grant']);
    assert.equal((await peer.request('ping')).status, 401);
    assert.equal((await client.refresh(json.refresh_token)).json.error, 'invalid_grant');
  });

  it('a stolen code is useless without its verifier, for another client, and after a minute', async () => {
    const clock = new FakeClock();
    await start({ clock });
    await client.register();
    const code = await client.obtainCode(answerWith('allowed'));
    assert.equal((await client.redeem({ ...code, verifier: client.newVerifier() })).json.error, 'invalid_grant');
    // The theft was noticed: nobody gets anything for this code.
    assert.equal((await client.redeem(code)).json.error, 'invalid_grant');
    for (const changes of [{ code_verifier: undefined }, { redirect_uri: 'https://evil.example' }]) {
      assert.equal((await client.redeem(await client.obtainCode(answerWith('allowed')), changes)).json.error, 'invalid_grant');
    }
    const foreign = await client.obtainCode(answerWith('allowed'));
    const thief = new OauthClient(running.port);
    await thief.register();
    assert.equal((await thief.redeem(foreign)).json.error, 'invalid_grant');
    thief.close();
    const late = await client.obtainCode(answerWith('allowed'));
    clock.advance(minute);
    assert.equal((await client.redeem(late)).json.error, 'invalid_grant');
  });

  it('a spent refresh token ends everything its client has', async () => {
    await start();
    await client.register();
    const { access, refresh } = await signIn();
    const next = await client.refresh(refresh);
    assert.equal(await statusOf(textOf(next.json.access_token)), 200);
    assert.equal((await client.refresh(refresh)).json.error, 'invalid_grant');
    assert.deepEqual([await statusOf(textOf(next.json.access_token)), await statusOf(access)], [401, 401]);
    assert.equal((await client.refresh(next.json.refresh_token)).json.error, 'invalid_grant');
  });

  it('an expired, a revoked, a foreign and an invented token look the same', async () => {
    const clock = new FakeClock();
    await start({ clock });
    await client.register();
    const expired = await signIn();
    clock.advance(10 * minute);
    const revoked = await signIn();
    assert.equal(await statusOf(revoked.access), 200);
    assert.deepEqual([(await client.revoke(revoked.refresh)).status, (await client.revoke('nothing')).status], [200, 200]);
    const elsewhere = await runServer({ approval: new FakeApproval(allowReader) });
    const stranger = new OauthClient(elsewhere.port);
    await stranger.register();
    const foreign = await stranger.redeem(await stranger.obtainCode(() => undefined));
    const answers = [];
    for (const token of [expired.access, revoked.access, textOf(foreign.json.access_token), 'invented', expired.refresh]) {
      const { status, text, headers } = await running.peer(token).request('initialize', initializeParams('2025-11-25'));
      answers.push(JSON.stringify([status, text, headers['www-authenticate']]));
    }
    stranger.close();
    await elsewhere.close();
    assert.equal(new Set(answers).size, 1);
    assert.match(answers[0] ?? '', /^\[401/);
  });

  it('there is one question at a time, and each page has its own pairing code', async () => {
    await start();
    await client.register();
    const second = new OauthClient(running.port);
    await second.register({ client_name: 'Second' });
    const first = await client.authorize();
    const refused = await second.authorize();
    assert.deepEqual([refused.status, pairingCodeOf(refused), running.approval.asked.length], [429, undefined, 1]);
    running.approval.answer({ kind: 'denied' });
    await client.follow(first);
    const page = await second.authorize();
    assert.equal(page.status, 200);
    assert.notEqual(pairingCodeOf(page), pairingCodeOf(first));
    assert.equal(pairingCodeOf(page), running.approval.asked[1]?.pairingCode);
    second.close();
  });

  it('a client denied twice waits ten minutes, also under a new registration', async () => {
    const clock = new FakeClock();
    await start({ clock });
    await client.register();
    await client.obtainCode(answerWith('denied'));
    await client.obtainCode(answerWith('denied'));
    for (const register of [false, true]) {
      if (register) {
        await client.register();
      }
      const { headers } = await client.authorize();
      assert.equal(new URL(headers.location ?? 'about:blank').searchParams.get('error'), 'access_denied');
    }
    assert.equal(running.approval.asked.length, 2);
    clock.advance(10 * minute);
    await client.register();
    assert.equal((await client.authorize()).status, 200);
    assert.equal(running.approval.asked.length, 3);
  });

  it('a page nobody watches takes its question with it', async () => {
    const clock = new FakeClock();
    await start({ clock });
    await client.register();
    const page = await client.authorize();
    await running.approval.untilAsked(1);
    clock.advance(30_000);
    assert.deepEqual(running.approval.withdrawn, [client.clientId]);
    assert.equal((await client.send('GET', nextOf(page))).status, 404);
    assert.equal((await client.authorize()).status, 200);
  });

  it('the answer is handed out once', async () => {
    await start();
    await client.register();
    const page = await client.authorize();
    await running.approval.untilAsked(1);
    running.approval.answer(allowReader);
    assert.equal((await client.follow(page)).searchParams.has('code'), true);
    assert.equal((await client.send('GET', nextOf(page))).status, 404);
  });

  it('a parameter given twice is refused', async () => {
    await start();
    await client.register();
    const path = `${client.authorizePath('v'.repeat(43))}&redirect_uri=https://evil.example`;
    assert.equal((await client.send('GET', path)).status, 400);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await client.send('POST', '/token', form, 'grant_type=refresh_token&grant_type=authorization_code');
    assert.deepEqual([answer.status, answer.json.error], [400, 'invalid_request']);
  });

  it('tokens are given for forms only, never for JSON or text', async () => {
    await start();
    for (const type of ['application/json', 'text/plain', undefined]) {
      assert.equal((await client.send('POST', '/token', { 'content-type': type }, '{}')).status, 415);
    }
    for (const method of ['GET', 'PUT', 'DELETE']) {
      assert.equal((await client.send(method, '/token?grant_type=authorization_code')).status, 405);
    }
  });
});
