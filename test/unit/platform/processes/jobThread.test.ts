import assert from 'node:assert/strict';
import { neverAborted } from '../../../../src/base/abort.ts';
import type { SearchJobs } from '../../../../src/contract/searchMessages.ts';
import { JobThread } from '../../../../src/platform/processes/jobThread.ts';
import { workThread } from '../../../support/workThread.ts';

const paths = { paths: ['a.ts', 'b.js'], prefixLengths: [0, 0], include: [{ source: '\\.ts$', flags: '' }], exclude: [] };
const texts = { root: undefined, files: [], texts: [], pattern: { source: 'a', flags: 'g' }, maxLines: 1, maxBytes: 100 };
const endless = { ...texts, pattern: { source: '^(a+)+$', flags: 'g' }, texts: [['a', `${'a'.repeat(40)}!`] as const] };

describe('A thread with jobs', () => {
  let thread: JobThread<SearchJobs>;
  let isTold: number;
  beforeEach(() => {
    isTold = 0;
    thread = new JobThread({ program: workThread, stops: 'thread', onOver: () => (isTold += 1) });
  });
  afterEach(() => thread.dispose());

  const filter = async (): Promise<readonly number[]> => {
    const kept: number[] = [];
    await thread.run('filterPaths', paths, { signal: neverAborted(), onPart: (indexes) => kept.push(...indexes) });
    return kept;
  };

  it('tells the parts of each answer, and goes on after a job that failed', async () => {
    assert.deepEqual(await filter(), [0]);
    const outcome = await thread.run('searchTexts', { ...texts, root: '/no/such/folder' }, { signal: neverAborted() });
    assert.deepEqual([outcome.kind, outcome.kind === 'failed' && outcome.code], ['failed', 'ENOENT']);
    assert.deepEqual(await filter(), [0]);
    assert.deepEqual([thread.isOver, isTold], [false, 0]);
  });

  it('is over once a job was silent for too long, and takes no other', async () => {
    const limits = { signal: neverAborted(), startMs: 60_000, silenceMs: 200 };
    assert.deepEqual(await thread.run('searchTexts', endless, limits), { kind: 'tooSlow', hasBegun: true });
    assert.deepEqual([thread.isOver, isTold], [true, 1]);
    await assert.rejects(filter(), { name: 'AbortError' });
  });

  it('ends a job with its signal, and all jobs when it is ended', async () => {
    const caller = new AbortController();
    const running = thread.run('searchTexts', endless, { signal: caller.signal });
    caller.abort(new Error('gone'));
    await assert.rejects(running, { message: 'gone' });
    const other = new JobThread<SearchJobs>({ program: workThread, stops: 'thread' });
    const waiting = other.run('searchTexts', endless, { signal: neverAborted() });
    other.end(new Error('ended'));
    await assert.rejects(waiting, { message: 'ended' });
  });

  it('says so when its program cannot be loaded', async () => {
    const missing = new JobThread<SearchJobs>({ program: '/no/such/program.mjs', stops: 'thread' });
    const outcome = await missing.run('filterPaths', paths, { signal: neverAborted() });
    assert.deepEqual([outcome.kind, outcome.kind === 'threadEnded' && outcome.hasBegun], ['threadEnded', false]);
  });
});
