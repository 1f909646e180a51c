import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as ChangeSourcesModule from '../../../../src/editor/documents/changeSources.ts';
import { importWithFakes } from '../../../support/build/importWithFakes.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const program = "export { FirstLooks } from './src/editor/documents/changeSources.ts';";
const { FirstLooks } = await importWithFakes<typeof ChangeSourcesModule>(program, { vscode: '' });

describe('A file that is followed by a watcher which has not begun yet', () => {
  let folder: string;
  let file: string;
  let clock: FakeClock;
  let told: number;
  let looks: InstanceType<typeof FirstLooks>;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'duplex-looks-'));
    file = join(folder, 'notes.txt');
    await writeFile(file, 'before');
    clock = new FakeClock();
    told = 0;
    looks = new FirstLooks(file, () => (told += 1), clock);
  });
  afterEach(async () => {
    looks.dispose();
    await rm(folder, { recursive: true });
  });

  it('is told of when it has changed meanwhile, was removed or came back, once each', async () => {
    await writeFile(file, 'changed');
    clock.advance(1_000);
    assert.equal(told, 1);
    await rm(file);
    clock.advance(3_000);
    assert.equal(told, 2);
    await writeFile(file, 'there again');
    clock.advance(20_000);
    assert.equal(told, 3);
  });

  it('is not told of again when the watcher has told, nor when nothing has changed', async () => {
    clock.advance(1_000);
    await writeFile(file, 'changed');
    looks.told();
    clock.advance(20_000);
    assert.equal(told, 0);
  });

  it('is looked at a few times only, and no more when nobody follows it', async () => {
    clock.advance(20_000);
    assert.equal(clock.pending, 0);
    const unfollowed = new FirstLooks(file, () => (told += 1), clock);
    unfollowed.dispose();
    await writeFile(file, 'changed');
    unfollowed.told();
    clock.advance(20_000);
    assert.deepEqual([told, clock.pending], [0, 0]);
  });
});
