import assert from 'node:assert/strict';
import { type PatternThread, SpareThread } from '../../../../../src/editor/workspace/search/patternThread.ts';
import { workThread } from '../../../../support/workThread.ts';

const request = { paths: ['a.ts', 'b.js'], prefixLengths: [0, 0], include: [{ source: '\\.ts$', flags: '' }], exclude: [] };

describe('The spare thread for globs', () => {
  let spare: SpareThread;
  let used: PatternThread[];
  beforeEach(() => {
    spare = new SpareThread(workThread);
    used = [];
  });
  afterEach(() => spare.dispose());

  const filter = (signal = new AbortController().signal): Promise<number[]> =>
    spare.use((thread) => {
      used.push(thread);
      return thread.filter(request, signal);
    });

  it('is the same one for calls that follow each other, and another one for calls at the same time', async () => {
    assert.deepEqual(await filter(), [0]);
    assert.deepEqual(await filter(), [0]);
    assert.equal(used[0], used[1]);
    assert.deepEqual(await Promise.all([filter(), filter()]), [[0], [0]]);
    assert.notEqual(used[2], used[3]);
  });

  it('is not used again after a call that was broken off', async () => {
    await filter();
    const gone = new AbortController();
    const broken = filter(gone.signal);
    gone.abort();
    await assert.rejects(broken, { name: 'AbortError' });
    assert.deepEqual(await filter(), [0]);
    assert.notEqual(used[1], used[2]);
  });
});
