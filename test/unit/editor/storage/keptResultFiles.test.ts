import assert from 'node:assert/strict';
import { readdirSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { silentLog } from '../../../../src/base/log.ts';
import { KeptResultFiles } from '../../../../src/editor/storage/keptResultFiles.ts';
import { createTemporaryFolder } from '../../../support/run/temporaryFolder.mjs';

describe('Long results in files', () => {
  const open = (maxBytes?: number): { readonly folder: string; readonly results: KeptResultFiles } => {
    const folder = path.join(createTemporaryFolder(), 'results', 'workspace');
    return { folder, results: new KeptResultFiles(folder, silentLog, maxBytes) };
  };

  it('are read whole and in parts, by this user alone, and go with their conversation', async () => {
    const { folder, results } = open();
    const id = await results.keep('one', 'The whole text.');
    assert.ok(id !== undefined);
    assert.equal(await results.whole('one', id), 'The whole text.');
    assert.equal(Buffer.from((await results.slice('one', id, 4, 5)) ?? []).toString(), 'whole');
    assert.equal(await results.whole('two', id), undefined);
    const file = path.join(folder, 'one', `${id}.txt`);
    if (process.platform !== 'win32') {
      assert.deepEqual([statSync(file).mode & 0o777, statSync(path.dirname(file)).mode & 0o777], [0o600, 0o700]);
    }
    const other = (await results.keep('one', 'Another.')) ?? '';
    await results.forget('two', other);
    await results.forget('one', `../one/${other}`);
    assert.equal(await results.whole('one', other), 'Another.');
    await results.forget('one', other);
    assert.equal(await results.whole('one', other), undefined);
    await results.remove('one');
    assert.equal(await results.whole('one', id), undefined);
    assert.deepEqual(readdirSync(folder), []);
  });

  it('are not found by a name that leads out of their folder, and not kept when they are endless', async () => {
    const { results } = open();
    const id = await results.keep('one', 'secret');
    assert.equal(await results.whole('two', `../one/${id}`), undefined);
    assert.equal(await results.slice('..', id ?? '', 0, 10), undefined);
    assert.equal(await results.keep('../one', 'x'), undefined);
    assert.equal(await results.keep('one', 'x'.repeat(20_000_001)), undefined);
  });

  it('make room for new ones: the oldest conversations give theirs up', async () => {
    const { folder, results } = open(250);
    const [first, second] = [await results.keep('first', 'x'.repeat(100)), await results.keep('second', 'x'.repeat(100))];
    utimesSync(path.join(folder, 'first', `${first}.txt`), 1, 1);
    const third = await results.keep('third', 'x'.repeat(100));
    assert.equal(await results.whole('first', first ?? ''), undefined);
    assert.ok((await results.whole('second', second ?? '')) !== undefined && (await results.whole('third', third ?? '')) !== undefined);
  });
});
