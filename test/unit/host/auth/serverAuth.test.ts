import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import { FolderLock } from '../../../../src/platform/files/fileLock.ts';
import type { AuthPorts, Lock } from '../../../../src/host/auth/authPorts.ts';
import { openLoopbackReceiver } from '../../../../src/host/auth/loopbackReceiver.ts';
import { ProtectedServer } from '../../../fixtures/authorizationServer/protectedServer.ts';
import type { Switches } from '../../../fixtures/authorizationServer/switches.ts';
import { connect, MemoryStore, never, openWindow, pageTexts } from './support.ts';

describe('Signing in to a remote server', () => {
  let server: ProtectedServer;
  const closing: (() => Promise<void>)[] = [];

  const start = async (switches: Partial<Switches> = {}): Promise<ProtectedServer> => {
    server = await ProtectedServer.start(switches);
    closing.push(() => server.close());
    return server;
  };

  const connected = async (...args: Parameters<typeof connect>): Promise<Awaited<ReturnType<typeof connect>>> => {
    const client = await connect(...args);
    closing.push(() => client.close());
    return client;
  };

  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) {
      await close();
    }
  });

  it('goes through the browser with PKCE, state and resource, and then the tools answer', async () => {
    await start();
    const { auth, person } = openWindow(server.url);
    const client = await connected(server.url, auth);
    const { tools } = await client.listTools();
    await person.settled();
    assert.deepEqual(
      tools.map((tool) => tool.name),
      ['read', 'write'],
    );
    assert.deepEqual(
      person.pages.map((page) => page.status),
      [200],
    );
    const asked = person.opened[0]?.searchParams;
    assert.equal(asked?.get('resource'), server.url.href);
    assert.equal(asked.get('scope'), 'notes:read');
    assert.equal(asked.get('code_challenge_method'), 'S256');
    assert.ok((asked.get('state') ?? '').length >= 43);
    const [exchange] = server.authorization.requests('/token', 'authorization_code');
    assert.equal(new URLSearchParams(exchange?.body).get('resource'), server.url.href);
  });

  it('finds the authorization server through OpenID Connect discovery too', async () => {
    await start({ metadata: 'openid' });
    const { auth, person } = openWindow(server.url);
    await auth.signIn(never());
    await person.settled();
    assert.notEqual(await auth.token(), undefined);
  });

  it('looks for the endpoints of a server from before metadata at its fixed paths', async () => {
    await start({ hasResourceMetadata: false, metadata: 'none' });
    const { auth } = openWindow(server.url);
    // The MCP server's origin is taken for the authorization server; this one has no such paths.
    await assert.rejects(auth.signIn(never()), { code: 'auth.registrationRefused' });
    assert.equal(server.seen.at(-1)?.path, '/register');
  });

  it('uses the configured client and its secret, and registers none', async () => {
    await start({ hasRegistration: false, authMethods: ['client_secret_basic'] });
    server.authorization.addClient('mine', { secret: 's3cret', redirectUris: ['http://127.0.0.1/oauth/callback'] });
    const configured = { clientId: 'mine', clientSecret: 's3cret', scopes: ['notes:read', 'notes:write'] };
    const store = new MemoryStore();
    const { auth, person } = openWindow(server.url, { configured, ports: { store } });
    await auth.signIn(never());
    await person.settled();
    assert.equal(person.opened[0]?.searchParams.get('scope'), 'notes:read notes:write');
    assert.equal(JSON.stringify([...store.records]).includes('s3cret'), false, 'the secret stays where the person put it');
  });

  it('says that a client must be configured where none can be registered', async () => {
    await start({ hasRegistration: false });
    const { auth, person } = openWindow(server.url);
    await assert.rejects(auth.signIn(never()), { code: 'auth.clientNeeded' });
    assert.deepEqual(person.opened, []);
  });

  it('is not started by a refusal when the person is not to be asked', async () => {
    await start();
    const { auth, person } = openWindow(server.url, { ports: { maySignIn: () => Promise.resolve(false) } });
    await assert.rejects(connect(server.url, auth), { code: 'host.unauthorized' });
    assert.deepEqual(person.opened, []);
    assert.deepEqual(server.authorization.seen, []);
  });

  it('tells a refusal by the authorization server with its own word', async () => {
    await start({ errorInRedirect: 'access_denied' });
    const { auth, person } = openWindow(server.url);
    await assert.rejects(auth.signIn(never()), {
      code: 'auth.refused',
      args: { host: new URL(server.authorization.issuer).host, reason: 'access_denied' },
    });
    await person.settled();
  });

  it('ends after a while when nobody comes back from the browser, and when it is cancelled', async () => {
    await start();
    const browser = { open: () => Promise.resolve(true) };
    await assert.rejects(openWindow(server.url, { waitMs: 50, ports: { browser } }).auth.signIn(never()), { code: 'auth.timeout' });
    const cancel = new AbortController();
    const cancelling = {
      open: () => {
        cancel.abort();
        return Promise.resolve(true);
      },
    };
    await assert.rejects(openWindow(server.url, { ports: { browser: cancelling } }).auth.signIn(cancel.signal), { code: 'auth.cancelled' });
  });

  it('opens no page when it is cancelled just before', async () => {
    await start();
    const cancel = new AbortController();
    // The second sign-in takes the client of the first: nothing but the page is left to do once the receiver is open.
    const openReceiver: AuthPorts['openReceiver'] = async (preferred) => {
      const receiver = await openLoopbackReceiver(preferred, pageTexts);
      if (preferred !== undefined) {
        cancel.abort();
      }
      return receiver;
    };
    const { auth, person } = openWindow(server.url, { ports: { openReceiver } });
    await auth.signIn(never());
    await person.settled();
    await assert.rejects(auth.signIn(cancel.signal), { code: 'auth.cancelled' });
    assert.equal(person.opened.length, 1);
  });

  it('is renewed before the token ends, with the newest refresh token each time', async () => {
    await start({ accessTokenSeconds: 100 });
    let now = Date.now();
    const { auth, person } = openWindow(server.url, { ports: { now: () => now } });
    await auth.signIn(never());
    await person.settled();
    const first = await auth.token();
    now += 80_000;
    const second = await auth.token();
    now += 80_000;
    const third = await auth.token();
    assert.equal(new Set([first, second, third]).size, 3);
    assert.equal(server.authorization.requests('/token', 'refresh_token').length, 2);
    assert.equal(person.opened.length, 1);
  });

  it('is renewed when the server refuses the token, without the browser', async () => {
    await start();
    const { auth, person } = openWindow(server.url);
    const client = await connected(server.url, auth);
    await person.settled();
    server.authorization.tokens.expireAccessTokens();
    const results = await Promise.all([client.callTool({ name: 'read' }), client.callTool({ name: 'read' }), client.listTools()]);
    assert.equal(results.length, 3);
    assert.equal(server.authorization.requests('/token', 'refresh_token').length, 1);
    assert.equal(person.opened.length, 1);
  });

  it('is asked for again when the refresh token no longer works', async () => {
    await start();
    const store = new MemoryStore();
    const { auth, person } = openWindow(server.url, { ports: { store } });
    await auth.signIn(never());
    await person.settled();
    const [record] = store.records.values();
    server.authorization.tokens.revoke(record?.refreshToken ?? '');
    const silent = openWindow(server.url, { ports: { store, maySignIn: () => Promise.resolve(false) } });
    await assert.rejects(connect(server.url, silent.auth), { code: 'host.unauthorized' });
    assert.equal(store.records.size, 0);
  });

  it('is renewed once for two windows that share it', async () => {
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'duplex-oauth-'));
    closing.push(() => fs.rm(folder, { recursive: true }));
    await start();
    const store = new MemoryStore();
    let asked = 0;
    const ports = (): Pick<AuthPorts, 'store' | 'lock'> => {
      const lock = new FolderLock(folder, 10_000);
      const run: Lock['run'] = (name, work) => {
        asked++;
        return lock.run(name, work);
      };
      return { store, lock: { run } };
    };
    const [here, there] = [openWindow(server.url, { ports: ports() }), openWindow(server.url, { ports: ports() })];
    const clientHere = await connected(server.url, here.auth);
    const clientThere = await connected(server.url, there.auth);
    await here.person.settled();
    assert.equal(there.person.opened.length, 0, 'the second window uses the sign-in of the first');

    server.authorization.tokens.expireAccessTokens();
    const before = asked;
    // The first refresh is answered only when both windows want one: without the lock both would be under way.
    server.switches.beforeRefresh = async () => {
      while (asked < before + 2) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    await Promise.all([clientHere.listTools(), clientThere.listTools()]);
    assert.equal(server.authorization.requests('/token', 'refresh_token').length, 1);
  });

  it('is widened when a tool needs more, keeps what was granted and registers no second client', async () => {
    await start();
    const { auth, person } = openWindow(server.url);
    const client = await connected(server.url, auth);
    const result = await client.callTool({ name: 'write' });
    await person.settled();
    assert.deepEqual(result.content, [{ type: 'text', text: 'write done' }]);
    assert.equal(person.opened[1]?.searchParams.get('scope'), 'notes:read notes:write');
    assert.equal(server.authorization.requests('/register').length, 1);
  });

  it('is not widened when the person is not to be asked', async () => {
    await start();
    const maySignIn = ({ reason }: { reason: string }): Promise<boolean> => Promise.resolve(reason === 'unauthorized');
    const { auth, person } = openWindow(server.url, { ports: { maySignIn } });
    const client = await connected(server.url, auth);
    await assert.rejects(client.callTool({ name: 'write' }), /scope/i);
    await person.settled();
    assert.equal(person.opened.length, 1);
  });

  it('asks for what was missing when the person signs in later, and a failed try ends no connection', async () => {
    await start();
    const { auth, person } = openWindow(server.url);
    const client = await connected(server.url, auth);
    server.switches.errorInRedirect = 'access_denied';
    await assert.rejects(client.callTool({ name: 'write' }), /scope/i);
    assert.equal((await client.listTools()).tools.length, 2);
    server.switches.errorInRedirect = undefined;
    await auth.signIn(never());
    await person.settled();
    assert.equal(person.opened.at(-1)?.searchParams.get('scope'), 'notes:read notes:write');
    await client.callTool({ name: 'write' });
  });

  it('is not renewed at an authorization server that the server no longer names', async () => {
    await start();
    const store = new MemoryStore();
    const { auth, person } = openWindow(server.url, { ports: { store } });
    await auth.signIn(never());
    await person.settled();
    const other = await ProtectedServer.start();
    closing.push(() => other.close());
    server.authorization.tokens.expireAccessTokens();
    server.switches.resourceMetadata = { authorization_servers: [other.authorization.issuer] };
    const silent = openWindow(server.url, { ports: { store, maySignIn: () => Promise.resolve(false) } });
    await assert.rejects(connect(server.url, silent.auth), { code: 'host.unauthorized' });
    assert.deepEqual(server.authorization.requests('/token', 'refresh_token'), []);
    assert.deepEqual(other.authorization.seen, []);
  });

  it('is revoked at both ends by signing out', async () => {
    await start();
    const store = new MemoryStore();
    const { auth, person } = openWindow(server.url, { ports: { store } });
    await auth.signIn(never());
    await person.settled();
    const token = (await auth.token()) ?? '';
    assert.notEqual(server.authorization.tokens.grantOf(token), undefined);
    assert.deepEqual(await auth.signOut(), { revoked: true });
    assert.equal(server.authorization.tokens.grantOf(token), undefined);
    assert.equal(store.records.size, 0);
    assert.equal(await auth.token(), undefined);
    const hints = server.authorization.requests('/revoke').map((seen) => new URLSearchParams(seen.body).get('token_type_hint'));
    assert.deepEqual(hints, ['refresh_token', 'access_token']);
  });

  it('is forgotten by signing out even when the authorization server is gone', async () => {
    await start();
    const { auth, person } = openWindow(server.url);
    await auth.signIn(never());
    await person.settled();
    await server.authorization.close();
    closing.splice(0);
    assert.deepEqual(await auth.signOut(), { revoked: false });
    assert.equal(await auth.token(), undefined);
    await server.close().catch(() => undefined);
  });
});
