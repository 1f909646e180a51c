import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Emitter } from '../../../../src/base/events.ts';
import { silentLog } from '../../../../src/base/log.ts';
import { type SharedText, TextInMemory } from '../../../../src/base/sharedStorage.ts';
import { SharedFile } from '../../../../src/platform/files/sharedFile.ts';
import { ClientTokens } from '../../../../src/server/access/clientTokens.ts';
import { CredentialStore } from '../../../../src/server/access/credentials.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { initializeParams } from '../support/httpPeer.ts';
import { runServer } from '../support/runningServer.ts';

/** One window: its view of the shared file and its server's credentials. */
interface Window {
  readonly tokens: ClientTokens;
  readonly credentials: CredentialStore;
  close(): void;
}

describe('client tokens', () => {
  let folder: string;
  let file: string;
  const windows: Window[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'duplex-tokens-'));
    file = join(folder, 'clientTokens.json');
  });
  afterEach(async () => {
    windows.splice(0).forEach((window) => window.close());
    // A note of the last use may still be on its way to the disk.
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  });

  async function openWindow(usageMs?: number): Promise<Window> {
    const storage = await SharedFile.open(file, silentLog);
    const tokens = await ClientTokens.open({ storage, log: silentLog, usageMs });
    const credentials = new CredentialStore();
    const admitted = tokens.admitTo(credentials);
    const window = {
      tokens,
      credentials,
      close: () => {
        admitted.dispose();
        tokens.dispose();
        storage.dispose();
        credentials.dispose();
      },
    };
    windows.push(window);
    return window;
  }

  async function until(condition: () => boolean): Promise<void> {
    const deadline = performance.now() + 15_000;
    while (!condition()) {
      assert.ok(performance.now() < deadline, 'not in time');
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  it('a token made in one window is valid in every window, and is stored as a hash only', async () => {
    const [one, other] = [await openWindow(), await openWindow()];
    const { id, token } = await one.tokens.mint('Cursor');
    assert.deepEqual(one.credentials.verify(token), { id, kind: 'clientToken', label: 'Cursor' });
    await until(() => other.credentials.verify(token)?.id === id);
    const text = await readFile(file, 'utf8');
    assert.ok(!text.includes(token));
    assert.equal((await stat(file)).mode & 0o077, 0);
    const later = await openWindow();
    assert.equal(later.credentials.verify(token)?.id, id);
  });

  it('a revocation in one window holds in every window within a second', async () => {
    const [one, other] = [await openWindow(), await openWindow()];
    const { id, token } = await one.tokens.mint('Cursor');
    await until(() => other.credentials.verify(token) !== undefined);
    const revoked: string[] = [];
    const listening = other.credentials.onDidRevoke((each) => revoked.push(each));
    await one.tokens.revoke(id);
    assert.equal(one.credentials.verify(token), undefined);
    await until(() => other.credentials.verify(token) === undefined);
    assert.deepEqual(revoked, [id]);
    listening.dispose();
    assert.deepEqual(other.tokens.list(), []);
  });

  it('a credential revoked in a server is revoked for good', async () => {
    const [one, other] = [await openWindow(), await openWindow()];
    const { id, token } = await one.tokens.mint('Cursor');
    await until(() => other.credentials.verify(token) !== undefined);
    other.credentials.revoke(id);
    await until(() => one.credentials.verify(token) === undefined);
    assert.equal((await openWindow()).credentials.verify(token), undefined);
  });

  it('a revocation that a full disk refused holds at once, and is written once there is room', async () => {
    const clock = new FakeClock();
    const text = new TextInMemory();
    let isFull = false;
    const storage: SharedText = {
      read: () => text.read(),
      modify: (change) => (isFull ? Promise.reject(new Error('ENOSPC: no space left on device')) : text.modify(change)),
      setAside: () => text.setAside(),
      onDidChange: text.onDidChange,
    };
    const tokens = await ClientTokens.open({ storage, log: silentLog, clock });
    const credentials = new CredentialStore();
    const admitted = tokens.admitTo(credentials);
    const { id, token } = await tokens.mint('Cursor');
    isFull = true;
    await assert.rejects(tokens.revoke(id));
    // Also in a server that starts anew, and after the file was read once more.
    await text.modify((current) => current ?? '');
    const restarted = new CredentialStore();
    const again = tokens.admitTo(restarted);
    assert.deepEqual([credentials.verify(token), restarted.verify(token), tokens.list()], [undefined, undefined, []]);
    assert.match((await text.read()) ?? '', new RegExp(id));
    isFull = false;
    clock.advance(5_000);
    await until(() => clock.pending === 0);
    while ((await text.read())?.includes(id) === true) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    [admitted, again, tokens, credentials, restarted].forEach((each) => each.dispose());
  });

  it('stay valid while the file cannot be read for a moment, end when that lasts, and come back with it', async () => {
    const clock = new FakeClock();
    const text = new TextInMemory();
    let isUnreadable = false;
    const storage: SharedText = {
      read: () => (isUnreadable ? Promise.reject(new Error('EMFILE: too many open files')) : text.read()),
      modify: (change) => text.modify(change),
      setAside: () => text.setAside(),
      onDidChange: text.onDidChange,
    };
    const tokens = await ClientTokens.open({ storage, log: silentLog, clock });
    const credentials = new CredentialStore();
    const admitted = tokens.admitTo(credentials);
    const revoked: string[] = [];
    const listening = credentials.onDidRevoke((id) => revoked.push(id));
    const { id, token } = await tokens.mint('Cursor');
    const pass = async (ms: number): Promise<void> => {
      for (let left = ms; left > 0; left -= 100) {
        clock.advance(100);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    isUnreadable = true;
    await text.modify((current) => current ?? '');
    await pass(700);
    assert.deepEqual([credentials.verify(token)?.id, revoked], [id, []]);
    await pass(200);
    assert.deepEqual([credentials.verify(token), revoked], [undefined, [id]]);
    await pass(60_000);
    isUnreadable = false;
    await pass(5_000);
    assert.deepEqual([credentials.verify(token)?.id, revoked, clock.pending], [id, [id], 0]);
    [listening, admitted, tokens, credentials].forEach((each) => each.dispose());
  });

  it('the last use is noted', async () => {
    const window = await openWindow(10);
    const { token } = await window.tokens.mint('Cursor');
    assert.equal(window.tokens.list()[0]?.lastUsedAt, undefined);
    window.credentials.verify(token);
    await until(() => window.tokens.list()[0]?.lastUsedAt !== undefined);
  });

  it('a damaged file is put aside and lets nobody in', async () => {
    await writeFile(file, '{"version": 1, "tokens": [{"id"');
    const window = await openWindow();
    assert.deepEqual(window.tokens.list(), []);
    const { token } = await window.tokens.mint('Cursor');
    assert.notEqual(window.credentials.verify(token), undefined);
  });

  it('its sessions end with it, and the next request is 401', async () => {
    const running = await runServer();
    const window = await openWindow();
    const admitted = window.tokens.admitTo(running.server.credentials);
    const { id, token } = await window.tokens.mint('Cursor');
    const peer = running.peer(token);
    await peer.initialize();
    const stream = await peer.stream();
    await window.tokens.revoke(id);
    assert.equal(await stream.next(), undefined);
    assert.equal((await peer.request('initialize', initializeParams('2025-11-25'))).status, 401);
    admitted.dispose();
    await running.close();
  });

  it('a revoked token stays revoked when the file was being read at that moment', async () => {
    let text: string | undefined;
    let finishReading: (() => void) | undefined;
    const changed = new Emitter<void>();
    const storage = {
      read: () => {
        const current = text;
        return finishReading === undefined && text === undefined
          ? Promise.resolve(current)
          : new Promise<string | undefined>((resolve) => (finishReading = () => resolve(current)));
      },
      modify: (change: (current: string | undefined) => string) => {
        text = change(text);
        return Promise.resolve();
      },
      setAside: () => Promise.resolve(),
      onDidChange: changed.event,
    };
    const tokens = await ClientTokens.open({ storage, log: silentLog });
    const { id } = await tokens.mint('Cursor');
    changed.fire();
    await tokens.revoke(id);
    finishReading?.();
    await new Promise(setImmediate);
    assert.deepEqual(tokens.list(), []);
    tokens.dispose();
  });
});
