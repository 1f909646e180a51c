import assert from 'node:assert/strict';
import { TextInMemory } from '../../../../src/base/sharedStorage.ts';
import { silentLog } from '../../../../src/base/log.ts';
import type { ToolKey } from '../../../../src/contract/chat/contextBudget.ts';
import { KeptRuns, KeptUndo } from '../../../../src/host/byHand/keptRuns.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const key: ToolKey = { serverId: 'user:weather', tool: 'forecast' };
const argumentsOf = (kept: KeptRuns, of = key): unknown[] => kept.of(of).runs.map(({ arguments: text }) => JSON.parse(text) as unknown);

describe('What was run by hand', () => {
  let storage: TextInMemory;
  let clock: FakeClock;
  const windows: KeptRuns[] = [];

  const open = async (): Promise<KeptRuns> => {
    const kept = new KeptRuns({
      storage,
      clock,
      holdSecret: (serverId, args) => serverId === key.serverId && Object.hasOwn(args, 'password'),
      log: silentLog,
    });
    windows.push(kept);
    await kept.load();
    return kept;
  };

  beforeEach(() => {
    storage = new TextInMemory();
    clock = new FakeClock();
  });
  afterEach(() => windows.splice(0).forEach((kept) => kept.dispose()));

  it('is there newest first, the same arguments once, and in every other window', async () => {
    const [one, other] = [await open(), await open()];
    await one.note(key, { city: 'Bern' }, 'succeeded');
    await one.note(key, { city: 'Chur' }, 'failed');
    await other.note(key, { city: 'Bern' }, 'cancelled');
    assert.deepEqual(argumentsOf(one), [{ city: 'Bern' }, { city: 'Chur' }]);
    assert.deepEqual(
      one.of(key).runs.map(({ ending }) => ending),
      ['cancelled', 'failed'],
    );
    assert.deepEqual(argumentsOf(await open()), argumentsOf(one));
  });

  it('is not kept when its arguments hold a secret or are too large, but counts as used', async () => {
    const kept = await open();
    assert.equal(await kept.note(key, { password: 'hunter2' }, 'succeeded'), 'secret');
    assert.equal(await kept.note(key, { text: 'x'.repeat(30_000) }, 'succeeded'), 'tooLarge');
    assert.equal(await kept.savePreset(key, 'mine', { password: 'hunter2' }), 'secret');
    assert.deepEqual(kept.of(key), { ...kept.of(key), runs: [], presets: [] });
    assert.deepEqual(
      kept.recent().map(({ tool }) => tool),
      ['forecast'],
    );
    assert.doesNotMatch((await storage.read()) ?? '', /hunter2|xxx/);
  });

  it('keeps presets by their names until they are removed, and forgets runs without them', async () => {
    const kept = await open();
    await kept.note(key, { city: 'Bern' }, 'succeeded');
    await kept.savePreset(key, ' home ', { city: 'Bern' });
    await kept.savePreset(key, 'home', { city: 'Chur' });
    await kept.savePreset(key, 'work', { city: 'Basel' });
    await kept.forgetRuns(key);
    const { runs, presets } = kept.of(key);
    assert.deepEqual(
      [runs, presets.map(({ name, arguments: text }) => [name, text])],
      [
        [],
        [
          ['home', '{"city":"Chur"}'],
          ['work', '{"city":"Basel"}'],
        ],
      ],
    );
    await kept.removePreset(key, presets[0]?.id ?? '');
    assert.deepEqual(
      kept.of(key).presets.map(({ name }) => name),
      ['work'],
    );
  });

  it('is put back when the person takes back that they removed it, but not over what came since', async () => {
    const kept = await open();
    const undo = new KeptUndo(kept, key);
    await kept.savePreset(key, 'home', { city: 'Chur' });
    await kept.note(key, { city: 'Bern' }, 'succeeded');
    await kept.note(key, { city: 'Chur' }, 'failed');
    await undo.removePreset(kept.of(key).presets[0]?.id ?? '');
    assert.deepEqual([undo.removed?.kind, kept.of(key).presets], ['preset', []]);
    await undo.undo();
    assert.deepEqual([undo.removed, kept.of(key).presets.map(({ name }) => name)], [undefined, ['home']]);
    await undo.forgetRuns();
    await kept.note(key, { city: 'Bern' }, 'cancelled');
    assert.deepEqual([undo.removed?.kind, argumentsOf(kept)], ['runs', [{ city: 'Bern' }]]);
    await undo.undo();
    await undo.undo();
    assert.deepEqual(
      kept
        .of(key)
        .runs.map(({ ending }) => ending)
        .sort(),
      ['cancelled', 'failed'],
    );
  });

  it('is bounded: the tools and the runs of longest ago give way (release)', async () => {
    const kept = await open();
    for (let count = 0; count < 230; count += 1) {
      clock.advance(1);
      await kept.note({ ...key, tool: `tool ${count}` }, { count }, 'succeeded');
    }
    for (let count = 0; count < 40; count += 1) {
      clock.advance(1);
      await kept.note(key, { count }, 'succeeded');
    }
    assert.equal(kept.recent().length, 200);
    assert.deepEqual(kept.recent()[0]?.tool, 'forecast');
    assert.equal(argumentsOf(kept).length, 20);
    assert.deepEqual(argumentsOf(kept)[0], { count: 39 });
    for (let count = 0; count < 80; count += 1) {
      clock.advance(1);
      await kept.note({ ...key, tool: `large ${count}` }, { text: 'x'.repeat(19_000) }, 'succeeded');
    }
    assert.ok(((await storage.read()) ?? '').length < 1_000_000);
  });

  it('is read as far as it can be when somebody else has written the file', async () => {
    const run = { id: 'a', at: 1, arguments: '{"city":"Bern"}', ending: 'succeeded' };
    const tools = [
      { ...key, usedAt: 1, runs: [run, { ...run, arguments: '[1]' }, { ...run, ending: 'odd' }, 7], presets: ['x'] },
      { serverId: 1 },
      null,
    ];
    for (const [text, expected] of [
      [JSON.stringify({ version: 1, tools }), [{ city: 'Bern' }]],
      ['not json', []],
      ['[]', []],
      [JSON.stringify({ version: 1, tools: 'x' }), []],
    ] as const) {
      await storage.modify(() => text);
      assert.deepEqual(argumentsOf(await open()), expected, text.slice(0, 40));
    }
  });

  it('is known to this window when it cannot be written', async () => {
    const kept = await open();
    storage.modify = () => Promise.reject(new Error('the disk is full'));
    await kept.note(key, { city: 'Bern' }, 'succeeded');
    assert.deepEqual(argumentsOf(kept), [{ city: 'Bern' }]);
  });

  it('says that a preset was not written, and why, and this window knows all of those', async () => {
    const kept = await open();
    let isFull = true;
    const modify = storage.modify.bind(storage);
    storage.modify = (change) =>
      modify((text) => {
        const changed = change(text);
        if (isFull) {
          throw new Error('the disk is full');
        }
        return changed;
      });
    const names = (): string[] => kept.of(key).presets.map(({ name }) => name);
    assert.deepEqual(await kept.savePreset(key, 'home', { city: 'Bern' }), { reason: 'the disk is full' });
    assert.deepEqual(await kept.savePreset(key, 'work', { city: 'Chur' }), { reason: 'the disk is full' });
    assert.deepEqual(names(), ['home', 'work']);
    const undo = new KeptUndo(kept, key);
    assert.deepEqual(await undo.removePreset(kept.of(key).presets[0]?.id ?? ''), { reason: 'the disk is full' });
    assert.deepEqual(names(), ['work']);
    isFull = false;
    assert.equal(await kept.savePreset(key, 'work', { city: 'Chur' }), undefined);
    assert.deepEqual(
      (await open()).of(key).presets.map(({ name }) => name),
      ['work'],
    );
  });
});
