import assert from 'node:assert/strict';
import { silentLog } from '../../../../src/base/log.ts';
import { TextInMemory } from '../../../../src/base/sharedStorage.ts';
import { KnownTools } from '../../../../src/host/byHand/knownTools.ts';
import type { ServerSnapshot, ToolInfo } from '../../../../src/host/shared/serverState.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { snapshotOf } from '../snapshots.ts';

const ready = { kind: 'ready', serverName: 's', version: '1', protocolVersion: '2025-11-25', capabilities: [] } as const;
const toolNamed = (name: string, more: Partial<ToolInfo> = {}): ToolInfo => ({
  name,
  title: undefined,
  description: '',
  inputSchema: {},
  outputSchema: undefined,
  annotations: undefined,
  ...more,
});
const running = (id: string, ...tools: ToolInfo[]): ServerSnapshot => ({ ...snapshotOf(id, ready), tools });

describe('The tools of a server that does not run', () => {
  let storage: TextInMemory;
  let known: KnownTools;
  const make = (): KnownTools => new KnownTools({ storage, clock: new FakeClock(), log: silentLog });

  beforeEach(() => {
    storage = new TextInMemory();
    known = make();
  });
  afterEach(() => known.dispose());

  it('are known as they were when it last ran, also after a restart', async () => {
    const roll = toolNamed('roll', { title: 'Roll', description: 'd'.repeat(900), annotations: { readOnlyHint: true } });
    await known.look([running('user:dice', toolNamed('old'))]);
    await known.look([running('user:dice', roll), { ...running('builtIn:editor', toolNamed('see')), scope: 'builtIn' }]);
    await known.look([snapshotOf('user:dice', { kind: 'stopped', reason: 'byUser' })]);
    known.dispose();
    known = make();
    await known.load();
    assert.deepEqual(known.of('user:dice'), [{ name: 'roll', title: 'Roll', description: 'd'.repeat(400), claims: ['readOnly'] }]);
    assert.deepEqual([known.of('builtIn:editor'), known.of('user:other')], [[], []]);
  });

  it('are written only when they have changed', async () => {
    let writes = 0;
    const counting = storage.onDidChange(() => (writes += 1));
    await known.look([running('user:dice', toolNamed('roll'))]);
    await known.look([running('user:dice', toolNamed('roll'))]);
    counting.dispose();
    assert.equal(writes, 1);
  });

  it('are bounded, whatever a server lists', async () => {
    const many = Array.from({ length: 500 }, (_each, index) => toolNamed(`tool ${index}`, { description: 'x'.repeat(10_000) }));
    for (let server = 0; server < 60; server += 1) {
      await known.look([running(`user:${server}`, ...many, toolNamed('n'.repeat(5_000)))]);
    }
    assert.equal(known.of('user:59').length, 200);
    assert.ok(((await storage.read()) ?? '').length < 1_000_000);
  });
});
