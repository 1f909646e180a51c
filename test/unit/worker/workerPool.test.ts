import assert from 'node:assert/strict';
import { neverAborted } from '../../../src/base/abort.ts';
import { silentLog } from '../../../src/base/log.ts';
import { reportReader } from '../../../src/worker/reportReader.ts';
import { SchemaChecks } from '../../../src/worker/schemaChecks.ts';
import { WorkerPool } from '../../../src/worker/workerPool.ts';
import { workThread } from '../../support/workThread.ts';

const signal = neverAborted();
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
    assert.deepEqual(await checks.check(schema, { a: 1 }, signal), { kind: 'fits' });
    assert.deepEqual(await checks.check(schema, undefined, signal), { kind: 'fits' });
    assert.equal((await checks.check(schema, { a: 'x' }, signal)).kind, 'misfit');
    assert.equal((await checks.check({ type: 'nothing' }, {}, signal)).kind, 'badSchema');
  });

  it('gives up what takes too long, and goes on with the next in a new thread', async () => {
    const checks = new SchemaChecks(poolWith(500));
    const [first, second] = await Promise.all([checks.check(slow, slowValue, signal), checks.check({ type: 'number' }, 1, signal)]);
    assert.deepEqual([first, second], [{ kind: 'gaveUp', reason: 'took longer than 0.5 s' }, { kind: 'fits' }]);
  });

  it('lets the event loop turn while it works', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 5);
    await new SchemaChecks(poolWith(500)).check(slow, slowValue, signal);
    clearInterval(timer);
    assert.ok(turns >= 10, `${turns} turns`);
  });

  it('gives up what is too large and what comes while too much waits', async () => {
    const pool = poolWith(500);
    const large = { schema: '{}', value: ' '.repeat(33 * 1024 * 1024) };
    assert.deepEqual(await pool.run('checkSchema', large), { kind: 'gaveUp', reason: 'is too large' });
    const busy = new SchemaChecks(poolWith(300));
    const all = Array.from({ length: 230 }, (_, index) => busy.check({ const: index }, index, signal));
    const reasons = (await Promise.all(all)).map((verdict) => (verdict.kind === 'gaveUp' ? verdict.reason : verdict.kind));
    assert.deepEqual(
      [...new Set(reasons)].filter((reason) => !reason.startsWith('took')),
      ['fits', 'came while too much else was waiting'],
    );
  });

  it('lets a caller go who has been cancelled, and all when it is disposed', async () => {
    const pool = poolWith(60_000);
    const caller = new AbortController();
    const cancelled = pool.run('checkSchema', { schema: JSON.stringify(slow), value: JSON.stringify(slowValue) }, caller.signal);
    const waiting = pool.run('checkSchema', { schema: '{}', value: '1' });
    caller.abort();
    await assert.rejects(cancelled, { name: 'AbortError' });
    pool.dispose();
    await assert.rejects(waiting, { name: 'AbortError' });
    await assert.rejects(pool.run('checkSchema', { schema: '{}', value: '1' }), { name: 'AbortError' });
  });

  it('reads reports with their colours', async () => {
    const read = reportReader(poolWith(20_000), silentLog);
    const reading = await read({ text: 'TAP version 13\n\u001b[32mok 1 - a\u001b[39m\n1..1\n', isCut: false });
    assert.deepEqual(reading.kind === 'read' && reading.report?.counts, { passed: 1, failed: 0, skipped: 0 });
  });
});
