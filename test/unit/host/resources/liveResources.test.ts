import assert from 'node:assert/strict';
import path from 'node:path';
import type { Disposable } from '../../../../src/base/lifecycle.ts';
import { silentLog } from '../../../../src/base/log.ts';
import type { AuditRecord } from '../../../../src/consent/audit/auditLog.ts';
import { ContentReader } from '../../../../src/host/resources/contentReader.ts';
import { LiveResources, type ReadResource, type ResourceRef } from '../../../../src/host/resources/liveResources.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { createTestHost, type TestHost } from '../support.ts';

const featuresServer = path.join(import.meta.dirname, '../../../fixtures/servers/featuresServer.mjs');
const { signal } = new AbortController();

describe('A resource that is open', () => {
  let host: TestHost;
  let clock: FakeClock;
  let live: LiveResources;
  let records: AuditRecord[];
  let changes: string[];
  let first: ResourceRef;
  let listening: Disposable;

  beforeEach(async () => {
    host = await createTestHost();
    await host.configure({ scripted: { command: 'node', args: [featuresServer] } });
    const { id } = host.server('scripted');
    await host.registry.start(id, { ask: host.ask, signal });
    first = { serverId: id, uri: 'test://first' };
    clock = new FakeClock();
    records = [];
    changes = [];
    const note = (record: AuditRecord): void => void records.push(record);
    const write = async (record: AuditRecord): Promise<void> => {
      await Promise.resolve();
      note(record);
    };
    const reader = new ContentReader(host.registry, { note, write });
    const recordedAs = (uri: string): Promise<string> => Promise.resolve(`of ${uri}`);
    live = new LiveResources({ registry: host.registry, reader, recordedAs, log: silentLog, clock });
    listening = live.onDidChange(({ uri }) => changes.push(uri));
  });
  afterEach(async () => {
    listening.dispose();
    live.dispose();
    await host.close();
  });

  const textOf = ({ contents }: ReadResource): string => contents.map((content) => (content.kind === 'text' ? content.text : '')).join('');
  const announce = async (uri: string, times = 1): Promise<void> => {
    await host.call('notify', { method: 'notifications/resources/updated', params: { uri }, times });
  };
  const received = async (method: string): Promise<string[]> => {
    const outcome = await host.call('received');
    const [said] = outcome.kind === 'result' ? outcome.result.content : [];
    return (JSON.parse(said?.['text'] as string) as string[]).filter((line) => line.startsWith(method));
  };

  it('is read once, on record as the person’s, and kept', async () => {
    const opened = await live.open(first, signal);
    assert.equal(textOf(opened), 'read 1');
    assert.equal(await live.content(first), opened);
    assert.deepEqual(
      records.map(({ principal, action, subject, outcome, decidedBy }) => [principal, action, subject, outcome, decidedBy]),
      [
        ['palette', 'readResource', 'of test://first', 'started', 'person'],
        ['palette', 'readResource', 'of test://first', 'succeeded', 'person'],
      ],
    );
  });

  it('is subscribed to before it is read, so that no change falls between', async () => {
    await live.open(first, signal);
    const asked = (await received('resources/')).filter((line) => line.includes('test://'));
    assert.deepEqual(asked, ['resources/subscribe test://first', 'resources/read test://first']);
  });

  it('is read again when its server says that it changed, and tells so', async () => {
    const { changedAt } = await live.open(first, signal);
    await announce('test://first');
    await host.until(() => changes.length === 1, 'the change');
    const now = await live.content(first);
    assert.deepEqual([textOf(now), changes], ['read 2', ['test://first']]);
    assert.ok(now.changedAt > changedAt, 'the editor sees that it is another');
  });

  it('is read again for what is inside of it, and not for what only begins like it', async () => {
    await live.open(first, signal);
    await announce('test://first-of-all');
    await announce('test://first/part');
    await host.until(() => changes.length === 1, 'the change');
    clock.advance(1_000);
    assert.deepEqual(await received('resources/read'), ['resources/read test://first', 'resources/read test://first']);
  });

  it('is read again for what is inside of it, even where its server said how long the answer holds', async () => {
    const kept = { ...first, uri: 'test://kept' };
    await live.open(kept, signal);
    await announce('test://kept/part');
    await host.until(() => changes.length === 1, 'the change');
    assert.equal(textOf(await live.content(kept)), 'read 2');
  });

  it('that changes all the time is read now and then, and the last change is seen', async () => {
    await live.open(first, signal);
    await announce('test://first', 500);
    await host.until(() => changes.length === 1 && clock.pending > 0, 'the first change');
    clock.advance(250);
    await host.until(() => changes.length === 2, 'the last change');
    assert.equal((await received('resources/read')).length, 3);
  });

  it('is read ever more seldom while its server keeps telling, and stands on record once a minute', async () => {
    await live.open(first, signal);
    await announce('test://first');
    let readings = 0;
    for (const gapMs of [250, 500, 1_000, 2_000, 4_000, 5_000, 5_000]) {
      readings += 1;
      await host.until(() => changes.length === readings && clock.pending === 2, `reading ${readings}`);
      await announce('test://first');
      clock.advance(gapMs - 1);
      assert.equal((await received('resources/read')).length, 1 + readings, `within ${gapMs} ms`);
      clock.advance(1);
    }
    await host.until(() => changes.length === readings + 1, 'the last reading');
    assert.equal(records.length, 2, 'the opening alone');
    clock.advance(60_000);
    await host.until(() => records.length > 2, 'the line of this minute');
    assert.deepEqual(
      records.slice(2).map(({ peer, subject, outcome, decidedBy }) => [peer, subject, outcome, decidedBy]),
      [['scripted', 'of test://first again, 8 times', 'succeeded', 'nobody']],
    );
  });

  it('is read at once again after a rest, and what was read stands on record when it is closed', async () => {
    await live.open(first, signal);
    for (let reading = 1; reading <= 3; reading += 1) {
      await announce('test://first');
      await host.until(() => changes.length === reading && clock.pending === 2, `reading ${reading}`);
      clock.advance(10_000);
    }
    live.close(first);
    await host.until(() => records.length > 2, 'the line');
    assert.deepEqual([records.length, records[2]?.subject], [3, 'of test://first again, 3 times']);
  });

  it('is read again when its server comes back, and is subscribed to anew', async () => {
    await live.open(first, signal);
    await host.registry.restart(first.serverId, { ask: host.ask, signal });
    await host.until(() => clock.pending === 2, 'the second reading, with its pause and its line');
    assert.deepEqual(await received('resources/subscribe'), ['resources/subscribe test://first']);
    await announce('test://first');
    clock.advance(250);
    await host.until(() => changes.length > 0, 'a change of the new connection');
  });

  it('of a window that begins waits for its server', async () => {
    await host.registry.stop(first.serverId);
    const waiting = live.content(first);
    await host.registry.start(first.serverId, { ask: host.ask, signal });
    assert.equal(textOf(await waiting), 'read 1');
  });

  it('that nobody looks at any more is not subscribed to, and not read', async () => {
    await live.open(first, signal);
    live.close(first);
    await announce('test://first');
    assert.deepEqual(await received('resources/unsubscribe'), ['resources/unsubscribe test://first']);
    assert.equal((await received('resources/read')).length, 1);
  });

  it('that cannot be read is said to be that, and leaves nothing behind', async () => {
    const huge = { ...first, uri: 'test://huge' };
    await assert.rejects(live.open(huge, signal), { code: 'host.resourceTooLarge' });
    assert.deepEqual(await received('resources/unsubscribe'), ['resources/unsubscribe test://huge']);
  });
});
