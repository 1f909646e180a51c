import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import { OauthStore } from '../../../src/editor/oauthStore.ts';
import type { SignInRecord } from '../../../src/host/auth/authPorts.ts';
import { FakeSecrets } from './fakeSecrets.ts';

const issuer = 'https://auth.example';

function record(accessToken: string): SignInRecord {
  return {
    issuer,
    serverUrl: 'https://mcp.example/mcp',
    endpoints: { authorizationServerUrl: issuer, tokenEndpoint: `${issuer}/token` },
    client: { clientId: 'client', redirectUrl: 'http://127.0.0.1:1/oauth/callback', origin: 'registered' },
    accessToken,
    refreshToken: 'refresh',
  };
}

describe('The store of sign-ins', () => {
  let folder: string;
  let shared: Map<string, string>;

  beforeEach(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'duplex-oauth-store-'));
    shared = new Map();
  });

  afterEach(async () => {
    await fs.rm(folder, { recursive: true });
  });

  it('gives back what was kept, by server and issuer, and forgets what was deleted', async () => {
    const store = new OauthStore(new FakeSecrets(shared), folder);
    await store.set('a', record('token'));
    assert.deepEqual(await store.get('a', issuer), record('token'));
    assert.equal(await store.issuerOf('a'), issuer);
    assert.equal(await store.get('b', issuer), undefined);
    assert.equal(await store.get('a', 'https://other.example'), undefined);
    await store.delete('a', issuer);
    assert.deepEqual([await store.get('a', issuer), await store.issuerOf('a'), shared.size], [undefined, undefined, 0]);
  });

  it('writes no token into a file', async () => {
    await new OauthStore(new FakeSecrets(shared), folder).set('a', record('token'));
    const texts = await Promise.all((await fs.readdir(folder)).map((name) => fs.readFile(path.join(folder, name), 'utf8')));
    assert.equal(texts.length, 1);
    assert.doesNotMatch(texts.join(), /token|refresh|client/);
  });

  it('waits for what another window has just written instead of giving the old tokens', async () => {
    const here = new OauthStore(new FakeSecrets(shared), folder);
    await here.set('a', record('old'));
    const late = new FakeSecrets(shared);
    const there = new OauthStore(late, folder, 10_000);
    assert.equal((await there.get('a', issuer))?.accessToken, 'old');
    await here.set('a', record('new'));
    const reading = there.get('a', issuer);
    late.arrive();
    assert.equal((await reading)?.accessToken, 'new');
  });

  it('waits only once for secrets that were lost', async () => {
    await new OauthStore(new FakeSecrets(shared), folder).set('a', record('token'));
    const secrets = new FakeSecrets(new Map());
    const forgetful = new OauthStore(secrets, folder, 100);
    assert.equal(await forgetful.get('a', issuer), undefined);
    const before = secrets.reads;
    assert.equal(await forgetful.get('a', issuer), undefined);
    assert.deepEqual([before > 1, secrets.reads - before], [true, 1]);
  });
});
