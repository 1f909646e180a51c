import assert from 'node:assert/strict';
import { TextInMemory } from '../../../../src/base/sharedStorage.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { silentLog } from '../../../../src/base/log.ts';
import { IssuedTokensFile, type OauthState } from '../../../../src/server/oauth/issuedTokens.ts';

const stateWith = (...ids: readonly string[]): OauthState => ({
  registrations: ids.map((clientId) => ({ clientId, name: clientId, redirectUris: [], registeredAt: 1 })),
  grants: [],
});

describe('IssuedTokensFile', () => {
  it('writes what the last save says, however slow the write before it is', async () => {
    let text: string | undefined;
    let release = (): void => undefined;
    const slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    const storage = {
      read: () => Promise.resolve(text),
      modify: async (change: (current: string | undefined) => string): Promise<void> => {
        await slow;
        text = change(text);
      },
    };
    const store = await IssuedTokensFile.open(storage, 5, { log: silentLog, clock: new FakeClock() });
    store.save(() => stateWith('a'));
    await Promise.resolve();
    // The second is asked for its state only after the third came: by then the provider is empty.
    store.save(() => stateWith());
    store.save(() => stateWith('a', 'b'));
    release();
    await store.settled();
    assert.deepEqual(JSON.parse(text ?? ''), { version: 1, ports: { 5: stateWith('a', 'b') } });
  });

  it('knows what was given although the file could not be read for a moment', async () => {
    const clock = new FakeClock();
    const text = new TextInMemory();
    await text.modify(() => JSON.stringify({ version: 1, ports: { 5: stateWith('a') } }));
    let failures = 3;
    const read = (): Promise<string | undefined> =>
      (failures -= 1) >= 0 ? Promise.reject(new Error('EMFILE: too many open files')) : text.read();
    const opening = IssuedTokensFile.open({ read, modify: (change) => text.modify(change) }, 5, { log: silentLog, clock });
    while (failures >= 0) {
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(100);
    }
    assert.deepEqual([(await opening).initial, clock.pending], [stateWith('a'), 0]);
  });

  it('writes what a full disk refused once there is room', async () => {
    const clock = new FakeClock();
    const text = new TextInMemory();
    let isFull = true;
    const modify = (change: (current: string | undefined) => string): Promise<void> =>
      isFull ? Promise.reject(new Error('ENOSPC: no space left on device')) : text.modify(change);
    const store = await IssuedTokensFile.open({ read: () => text.read(), modify }, 5, { log: silentLog, clock });
    store.save(() => stateWith('a'));
    while (clock.pending === 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    isFull = false;
    clock.advance(5_000);
    await store.settled();
    assert.deepEqual(JSON.parse((await text.read()) ?? ''), { version: 1, ports: { 5: stateWith('a') } });
    assert.equal(clock.pending, 0);
  });
});
