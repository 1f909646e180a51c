import assert from 'node:assert/strict';
import { setMaxListeners } from 'node:events';
import { neverAborted } from '../../../src/base/abort.ts';
import { silentLog } from '../../../src/base/log.ts';
import { reportReader, WorkerPool } from '../../../src/worker/workerPool.ts';
import { SchemaChecks } from '../../../src/worker/schemaChecks.ts';
import { workThread } from '../../support/workThread.ts';

const options = { signal: neverAborted(), owner: {} };
setMaxListeners(500, options.signal);
const slow = { type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+$' } } };
const slowValue = { text: `${'a'.repeat(40)}!` };

describe('The pool of threads for slow work', () => {
  const pools: WorkerPool[] = [];
  const poolWith = (limitMs: number, maxThreads = 1): WorkerPool => {
    const pool = new WorkerPool({ program: workThread, limitMs, maxThreads });
    pools.push(pool);
    return pool;
  };
  afterEach(() => pools.splice(0).forEach((pool) => pool.dispose()));

  it('holds values against schemas, and says what does not fit or is no schema', async () => {
    const checks = new SchemaChecks(poolWith(20_000));
    const schema = { type: 'object', required: ['a'], properties: { a: { type: 'number' } } };
    assert.deepEqual(await checks.check(schema, { a: 1 }, options), { kind: 'fits' });
    assert.deepEqual(await checks.check(schema, undefined, options), { kind: 'fits' });
    assert.equal((await checks.check(schema, { a: 'x' }, options)).kind, 'misfit');
    assert.equal((await checks.check({ type: 'nothing' }, {}, options)).kind, 'badSchema');
  });

  it('gives up what takes too long, and goes on with the next in a new thread', async () => {
    const checks = new SchemaChecks(poolWith(500));
    const [first, second] = await Promise.all([checks.check(slow, slowValue, options), checks.check({ type: 'number' }, 1, options)]);
    assert.deepEqual([first, second], [{ kind: 'gaveUp', reason: 'took longer than 0.5 s' }, { kind: 'fits' }]);
  });

  it('lets the event loop turn while it works', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 5);
    await new SchemaChecks(poolWith(500)).check(slow, slowValue, options);
    clearInterval(timer);
    assert.ok(turns >= 10, `${turns} turns`);
  });

  it('gives up what is too large and what comes while too much waits', async () => {
    const pool = poolWith(500);
    const large = { schema: '{}', value: ' '.repeat(33 * 1024 * 1024) };
    assert.deepEqual(await pool.run('checkSchema', large), { kind: 'gaveUp', isItsFault: true, reason: 'is too large' });
    const busy = new SchemaChecks(poolWith(300));
    const all = Array.from({ length: 230 }, (_, index) => busy.check({ const: index }, index, { ...options, owner: {} }));
    const reasons = (await Promise.all(all)).map((verdict) => (verdict.kind === 'gaveUp' ? verdict.reason : verdict.kind));
    assert.deepEqual(
      [...new Set(reasons)].filter((reason) => !reason.startsWith('took')),
      ['fits', 'came while too much else was waiting'],
    );
  });

  it('lets a caller go who has been cancelled, and all when it is disposed', async () => {
    const pool = poolWith(60_000);
    const caller = new AbortController();
    const cancelled = pool.run(
      'checkSchema',
      { schema: JSON.stringify(slow), value: JSON.stringify(slowValue) },
      { signal: caller.signal },
    );
    const waiting = pool.run('checkSchema', { schema: '{}', value: '1' });
    caller.abort();
    await assert.rejects(cancelled, { name: 'AbortError' });
    pool.dispose();
    await assert.rejects(waiting, { name: 'AbortError' });
    await assert.rejects(pool.run('checkSchema', { schema: '{}', value: '1' }), { name: 'AbortError' });
  });

  const slowJob = { schema: JSON.stringify(slow), value: JSON.stringify(slowValue) };
  const quickJob = { schema: '{}', value: '1' };
  const fits = { kind: 'done', result: { kind: 'fits' } };

  it('ends the work of a caller who has gone, and goes on with the next at once', async () => {
    const pool = poolWith(600_000);
    const caller = new AbortController();
    const running = pool.run('checkSchema', slowJob, { signal: caller.signal });
    const waiting = pool.run('checkSchema', slowJob, { signal: caller.signal });
    const next = pool.run('checkSchema', quickJob);
    caller.abort();
    await assert.rejects(running, { name: 'AbortError' });
    await assert.rejects(waiting, { name: 'AbortError' });
    assert.deepEqual(await next, fits);
  });

  it('begins nothing for a caller who has gone already', async () => {
    const pool = poolWith(600_000);
    await assert.rejects(pool.run('checkSchema', slowJob, { signal: AbortSignal.abort() }), { name: 'AbortError' });
    assert.deepEqual(await pool.run('checkSchema', quickJob), fits);
  });

  it('works on one piece of one owner at a time, so that the others get their turn', async () => {
    const pool = poolWith(600_000, 2);
    const [one, other] = [{}, {}];
    const stop = new AbortController();
    const slowOnes = [1, 2, 3].map(() => pool.run('checkSchema', slowJob, { owner: one, signal: stop.signal }));
    assert.deepEqual(await pool.run('checkSchema', quickJob, { owner: other }), fits);
    stop.abort();
    assert.deepEqual(
      (await Promise.allSettled(slowOnes)).map(({ status }) => status),
      ['rejected', 'rejected', 'rejected'],
    );
  });

  it('lets one owner wait with a part of what may wait, and the others with the rest', async () => {
    const pool = poolWith(600_000);
    const [one, other] = [{}, {}];
    const stop = new AbortController();
    setMaxListeners(500, stop.signal);
    const many = Array.from({ length: 102 }, () => pool.run('checkSchema', slowJob, { owner: one, signal: stop.signal }));
    assert.deepEqual(await many.at(-1), { kind: 'gaveUp', isItsFault: false, reason: 'came while too much else was waiting' });
    const next = pool.run('checkSchema', quickJob, { owner: other });
    stop.abort();
    await Promise.allSettled(many);
    assert.deepEqual(await next, fits);
  });

  it('does not begin again what took too long, but for a while only, and only with values if it was a value (release)', async () => {
    let now = 0;
    let runs = 0;
    const pool = poolWith(2_000);
    const run = pool.run.bind(pool);
    pool.run = (...args: Parameters<typeof run>) => {
      runs += 1;
      return run(...args);
    };
    const checks = new SchemaChecks(pool, () => now);
    const gaveUp = { kind: 'gaveUp', reason: 'took longer than 2 s' };
    assert.deepEqual(await checks.check(slow, slowValue, options), gaveUp);
    assert.deepEqual(await checks.check(slow, slowValue, { ...options, owner: {} }), gaveUp);
    assert.equal(runs, 1);
    assert.deepEqual(await checks.check(slow, undefined, options), { kind: 'fits' });
    now = 11 * 60_000;
    assert.deepEqual(await checks.check(slow, { text: 'aa' }, options), { kind: 'fits' });
  });

  it('reads reports with their colours', async () => {
    const read = reportReader(poolWith(20_000), silentLog);
    const reading = await read({ text: 'TAP version 13\n\u001b[32mok 1 - a\u001b[39m\n1..1\n', isCut: false });
    assert.deepEqual(reading.kind === 'read' && reading.report?.counts, { passed: 1, failed: 0, skipped: 0 });
  });
});
