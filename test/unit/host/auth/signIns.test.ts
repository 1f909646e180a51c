import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { FolderLock } from '../../../../src/platform/files/fileLock.ts';
import { readRecord } from '../../../../src/host/auth/tokens.ts';
import { SignInSecrets } from '../../../../src/editor/storage/signInSecrets.ts';
import type { Browser } from '../../../../src/host/auth/authPorts.ts';
import { openLoopbackReceiver } from '../../../../src/host/auth/loopbackReceiver.ts';
import { SignIns } from '../../../../src/host/auth/signIns.ts';
import type { Disposable } from '../../../../src/base/lifecycle.ts';
import { silentLog } from '../../../../src/base/log.ts';
import type { PreparedRemote } from '../../../../src/definitions/prepareRemote.ts';
import type { ScopeWish } from '../../../../src/host/shared/serverState.ts';
import { openRemoteLink } from '../../../../src/host/transports/remoteLink.ts';
import { PersonAtBrowser } from '../../../fixtures/authorizationServer/personAtBrowser.ts';
import { ProtectedServer } from '../../../fixtures/authorizationServer/protectedServer.ts';
import { FakeSecrets } from '../../editor/fakeSecrets.ts';
import { pageTexts } from './support.ts';

describe('The sign-ins of a window', () => {
  let folder: string;
  let server: ProtectedServer;
  const shared = new Map<string, string>();
  let person: PersonAtBrowser;
  let signIns: SignIns;
  let listening: Disposable | undefined;

  beforeEach(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'duplex-auth-'));
    server = await ProtectedServer.start();
    shared.clear();
    person = new PersonAtBrowser();
    signIns = newWindow();
  });

  afterEach(async () => {
    listening?.dispose();
    signIns.dispose();
    await server.close();
    await fs.rm(folder, { recursive: true });
  });

  const newWindow = (browser: Browser = person): SignIns => {
    const store = new SignInSecrets({ secrets: new FakeSecrets(shared), machine: 'here', folder, readRecord });
    const openReceiver = (preferred: string | undefined): ReturnType<typeof openLoopbackReceiver> =>
      openLoopbackReceiver(preferred, pageTexts);
    return new SignIns({ store, lock: new FolderLock(folder, 5_000), browser, openReceiver, log: silentLog });
  };

  /** What the definitions room hands over, as far as connecting needs it. */
  const remote = (headers: Record<string, string> = {}): PreparedRemote =>
    ({
      definition: { id: 'user:notes' },
      url: server.url,
      type: 'http',
      headers,
      tls: undefined,
      auth: undefined,
      timeoutMs: 10_000,
      isUnencrypted: false,
      mayUseSecretsOverPlainHttp: false,
    }) as unknown as PreparedRemote;

  const connected = async <T>(window: SignIns, work: (client: Client) => Promise<T>): Promise<T> => {
    const target = remote();
    const { signal } = new AbortController();
    const link = await openRemoteLink(target, { log: silentLog, signal, auth: window.authFor(target) });
    const client = new Client({ name: 'test', version: '1.0.0' });
    try {
      await client.connect(link.transport);
      return await work(client);
    } catch (error) {
      throw link.end ?? error;
    } finally {
      await client.close();
      await link.transport.close();
    }
  };

  const listTools = async (window: SignIns): Promise<number> =>
    connected(window, async (client) => (await client.listTools()).tools.length);

  const call = async (name: string): Promise<unknown> => connected(signIns, async (client) => (await client.callTool({ name })).content);

  /** Signs in and keeps what servers want beyond that. */
  const signedIn = async (): Promise<ScopeWish[]> => {
    const wishes: ScopeWish[] = [];
    listening = signIns.onDidWantMore((wish) => wishes.push(wish));
    signIns.authFor(remote());
    await signIns.signIn('user:notes');
    await person.settled();
    return wishes;
  };

  const lastAsked = (): string | null | undefined => person.opened.at(-1)?.searchParams.get('scope');

  it('open no browser by themselves, connect after the person signed in, and hold in a new window', async () => {
    await assert.rejects(listTools(signIns), { code: 'host.unauthorized' });
    assert.deepEqual(person.opened, []);
    assert.deepEqual(await signIns.state('user:notes'), { kind: 'signedOut' });

    assert.deepEqual(await signIns.signIn('user:notes'), { kind: 'signedIn', issuer: server.authorization.issuer });
    await person.settled();
    assert.equal(await listTools(signIns), 2);

    const later = newWindow();
    assert.equal(await listTools(later), 2);
    assert.equal(person.opened.length, 1);
    later.dispose();
  });

  it('end by signing out, also in a window that never connected', async () => {
    signIns.authFor(remote());
    await signIns.signIn('user:notes');
    await person.settled();
    const later = newWindow();
    const changes: string[] = [];
    const subscription = later.onDidChange((id) => changes.push(id));
    assert.deepEqual(await later.signOut('user:notes'), { revoked: true });
    assert.deepEqual(changes, ['user:notes']);
    assert.deepEqual(await signIns.state('user:notes'), { kind: 'signedOut' });
    subscription.dispose();
    later.dispose();
  });

  it('tell why a sign-in failed, and can be cancelled', async () => {
    const unknown = await signIns.signIn('user:other');
    assert.equal(unknown.kind === 'failed' && unknown.error.code, 'auth.unknownServer');
    signIns.dispose();
    const browser = {
      open: () => {
        signIns.cancelSignIn('user:notes');
        return Promise.resolve(true);
      },
    };
    signIns = newWindow(browser);
    signIns.authFor(remote());
    const cancelled = await signIns.signIn('user:notes');
    assert.equal(cancelled.kind === 'failed' && cancelled.error.code, 'auth.cancelled');
  });

  it('say at a look who is signed in, also where another window did it', async () => {
    signIns.authFor(remote());
    assert.equal(signIns.canSignIn('user:notes'), true);
    assert.equal(signIns.isSignedIn('user:notes'), false);
    await signIns.signIn('user:notes');
    await person.settled();
    assert.equal(signIns.isSignedIn('user:notes'), true);

    const later = newWindow();
    const changes: string[] = [];
    const subscription = later.onDidChange((id) => changes.push(id));
    assert.equal(later.isSignedIn('user:notes'), false);
    await later.look(['user:notes', 'user:other']);
    await later.look(['user:notes', 'user:other']);
    assert.equal(later.isSignedIn('user:notes'), true);
    assert.equal(later.isSignedIn('user:other'), false);
    assert.deepEqual(changes, ['user:notes']);
    subscription.dispose();
    later.dispose();
  });

  it('open a new page when the person asks again, and end what was open', async () => {
    signIns.dispose();
    let pages = 0;
    let opened = (): void => undefined;
    const isOpen = new Promise<void>((resolve) => (opened = resolve));
    const browser = {
      // The first page is lost; on the second one the person agrees.
      open: (url: URL) => {
        pages += 1;
        opened();
        return pages === 1 ? Promise.resolve(true) : person.open(url);
      },
    };
    signIns = newWindow(browser);
    signIns.authFor(remote());
    const first = signIns.signIn('user:notes');
    await isOpen;
    assert.deepEqual(await signIns.state('user:notes'), { kind: 'signingIn' });
    const second = await signIns.signIn('user:notes');
    await person.settled();
    const lost = await first;
    assert.equal(lost.kind === 'failed' && lost.error.code, 'auth.cancelled');
    assert.equal(second.kind, 'signedIn');
    assert.equal(pages, 2);
  });

  it('tell of a wish for more scope without waiting, and are widened when the person signs in', async () => {
    const wishes = await signedIn();
    await assert.rejects(call('write'), /scope/i);
    assert.deepEqual(wishes, [{ serverId: 'user:notes', scope: 'notes:write' }]);
    assert.equal(person.opened.length, 1);

    await signIns.signIn('user:notes');
    await person.settled();
    assert.equal(lastAsked(), 'notes:read notes:write');
    assert.deepEqual(await call('write'), [{ type: 'text', text: 'write done' }]);
    assert.equal(wishes.length, 1);
  });

  it('are widened by the scope that the person agreed to, whatever the server wants meanwhile', async () => {
    server.switches.scopeOfTool = { read: 'notes:all', write: 'notes:write' };
    const wishes = await signedIn();
    await assert.rejects(call('write'), /scope/i);
    await assert.rejects(call('read'), /scope/i);
    assert.deepEqual(
      wishes.map(({ scope }) => scope),
      ['notes:write', 'notes:all'],
    );
    await signIns.signIn('user:notes', 'notes:write');
    await person.settled();
    assert.equal(lastAsked(), 'notes:read notes:write');
  });

  it('still ask for the missing scope after a sign-out', async () => {
    await signedIn();
    await assert.rejects(call('write'), /scope/i);
    await signIns.signOut('user:notes');
    await assert.rejects(listTools(signIns), { code: 'host.unauthorized' });
    await signIns.signIn('user:notes');
    await person.settled();
    assert.equal(lastAsked(), 'notes:read notes:write');
    assert.deepEqual(await call('write'), [{ type: 'text', text: 'write done' }]);
  });

  it('still ask for the missing scope after a renewal', async () => {
    await signedIn();
    await assert.rejects(call('write'), /scope/i);
    server.authorization.tokens.expireAccessTokens();
    assert.equal(await listTools(signIns), 2);
    await signIns.signIn('user:notes');
    await person.settled();
    assert.equal(lastAsked(), 'notes:read notes:write');
  });

  it('survive a reconnection, and leave servers with a configured credential alone', () => {
    assert.equal(signIns.authFor(remote()), signIns.authFor(remote()));
    assert.equal(signIns.authFor(remote({ authorization: 'Bearer mine' })), undefined);
  });
});
