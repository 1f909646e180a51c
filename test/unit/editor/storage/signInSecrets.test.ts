import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import { SignInSecrets } from '../../../../src/editor/storage/signInSecrets.ts';
import type { SignInRecord } from '../../../../src/host/auth/authPorts.ts';
import { readRecord } from '../../../../src/host/auth/tokens.ts';
import { FakeSecrets } from '../fakeSecrets.ts';

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
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'duplex-sign-ins-'));
    shared = new Map();
  });

  afterEach(async () => {
    await fs.rm(folder, { recursive: true });
  });

  function storeOf(secrets: FakeSecrets, patienceMs?: number): SignInSecrets {
    return new SignInSecrets({ secrets, machine: 'here', folder, readRecord, patienceMs });
  }

  it('gives back what was kept, by server and issuer, and forgets what was deleted', async () => {
    const store = storeOf(new FakeSecrets(shared));
    await store.set('a', record('token'));
    assert.deepEqual(await store.get('a', issuer), record('token'));
    assert.equal(await store.issuerOf('a'), issuer);
    assert.equal(await store.get('b', issuer), undefined);
    assert.equal(await store.get('a', 'https://other.example'), undefined);
    await store.delete('a', issuer);
    assert.deepEqual([await store.get('a', issuer), await store.issuerOf('a'), shared.size], [undefined, undefined, 0]);
  });

  it('goes by the newest sign-in in this window where the file beside it cannot be written', async () => {
    const nowhere = path.join(folder, 'file');
    await fs.writeFile(nowhere, '');
    const store = new SignInSecrets({ secrets: new FakeSecrets(shared), machine: 'here', folder: nowhere, readRecord, patienceMs: 0 });
    await store.set('a', record('token'));
    assert.deepEqual([await store.get('a', issuer), await store.issuerOf('a')], [record('token'), issuer]);
    await store.delete('a', issuer);
    assert.equal(await store.get('a', issuer), undefined);
  });

  it('of one container is not touched by another that has the same workspace at the same path', async () => {
    const secrets = new FakeSecrets(shared);
    const here = storeOf(secrets, 0);
    await here.set('a', record('here'));
    const elsewhere = await fs.mkdtemp(path.join(folder, 'other-'));
    const there = new SignInSecrets({ secrets, machine: 'there', folder: elsewhere, readRecord, patienceMs: 0 });
    await there.set('a', record('there'));
    await there.delete('a', issuer);
    assert.deepEqual(await here.get('a', issuer), record('here'));
  });

  it('writes no token into a file', async () => {
    await storeOf(new FakeSecrets(shared)).set('a', record('token'));
    const texts = await Promise.all((await fs.readdir(folder)).map((name) => fs.readFile(path.join(folder, name), 'utf8')));
    assert.equal(texts.length, 1);
    assert.doesNotMatch(texts.join(), /token|refresh|client/);
  });

  it('removes what a window that was killed has left half-written, and nothing that somebody may still write', async () => {
    const [old, young, foreign] = [`${'a'.repeat(32)}.json.${randomUUID()}.tmp`, `.${'0'.repeat(16)}.tmp`, 'notes.tmp'];
    for (const name of [old, young, foreign]) {
      await fs.writeFile(path.join(folder, name), '{');
    }
    const longAgo = new Date(Date.now() - 120_000);
    await fs.utimes(path.join(folder, old), longAgo, longAgo);
    await fs.utimes(path.join(folder, foreign), longAgo, longAgo);
    const store = storeOf(new FakeSecrets(shared));
    await store.set('a', record('token'));
    const left = await fs.readdir(folder);
    assert.deepEqual([left.includes(old), left.includes(young), left.includes(foreign), left.length], [false, true, true, 3]);
    assert.deepEqual(await store.get('a', issuer), record('token'));
  });

  it('waits for what another window has just written instead of giving the old tokens', async () => {
    const here = storeOf(new FakeSecrets(shared));
    await here.set('a', record('old'));
    const late = new FakeSecrets(shared);
    const there = storeOf(late, 10_000);
    assert.equal((await there.get('a', issuer))?.accessToken, 'old');
    await here.set('a', record('new'));
    const reading = there.get('a', issuer);
    late.arrive();
    assert.equal((await reading)?.accessToken, 'new');
  });

  it('gives what another window has renewed also when it is asked before the file beside it is written', async () => {
    const secrets = new FakeSecrets(shared);
    const [here, there] = [storeOf(secrets), storeOf(secrets)];
    await there.set('a', record('first'));
    const [store, get] = [secrets.store.bind(secrets), secrets.get.bind(secrets)];
    let asked: Promise<SignInRecord | undefined> | undefined;
    secrets.store = async (key, value) => {
      await store(key, value);
      await new Promise<void>((resolve) => {
        let looks = 0;
        secrets.get = (wanted) => {
          looks += 1;
          if (looks === 2) {
            resolve();
          }
          return get(wanted);
        };
        asked = here.get('a', issuer);
      });
    };
    await there.set('a', record('second'));
    assert.equal((await asked)?.accessToken, 'second');
  });

  it('waits only once for secrets that were lost', async () => {
    await storeOf(new FakeSecrets(shared)).set('a', record('token'));
    const secrets = new FakeSecrets(new Map());
    const forgetful = storeOf(secrets, 100);
    assert.equal(await forgetful.get('a', issuer), undefined);
    const before = secrets.reads;
    assert.equal(await forgetful.get('a', issuer), undefined);
    assert.deepEqual([before > 1, secrets.reads - before], [true, 1]);
  });
});
