import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import type { AuditLine } from '../../../../src/consent/audit/auditLine.ts';
import { AuditLog, type AuditRecord, type AuditStorage } from '../../../../src/consent/audit/auditLog.ts';
import { ChainCheck, type ChainVerdict } from '../../../../src/consent/audit/auditReading.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

class Lines implements AuditStorage {
  lines: string[] = [];
  appends = 0;
  seal: string | undefined;
  failure: Error | undefined;

  append(make: Parameters<AuditStorage['append']>[0]): Promise<void> {
    if (this.failure !== undefined) {
      return Promise.reject(this.failure);
    }
    this.appends += 1;
    const { lines, seal } = make(this.lines.at(-1), this.seal);
    this.lines.push(...lines);
    this.seal = seal;
    return Promise.resolve();
  }

  read(): AuditLine[] {
    return this.lines.map((line) => JSON.parse(line) as AuditLine);
  }

  verdict(): ChainVerdict {
    const check = new ChainCheck(true);
    this.lines.forEach((text, index) => check.take({ part: 'audit.jsonl', number: index + 1, text }));
    return check.verdict(this.seal, 'key');
  }
}

const record: AuditRecord = {
  principal: 'chat',
  peer: 'demo',
  action: 'callTool',
  subject: 'roll_dice',
  decidedBy: 'person',
  outcome: 'allowed',
};

describe('The audit log', () => {
  let storage: Lines;
  let clock: FakeClock;
  let failures: unknown[];
  let log: AuditLog;

  beforeEach(() => {
    storage = new Lines();
    clock = new FakeClock();
    failures = [];
    log = new AuditLog({ storage, key: () => Promise.resolve('key'), clock, onFailure: (error) => failures.push(error) });
  });

  it('takes no more for a line when many have followed each other without a pause', async () => {
    const write = async (count: number): Promise<void> => {
      for (let index = 0; index < count; index += 1) {
        await log.write(record);
      }
    };
    const promisesOf = async (work: () => Promise<void>): Promise<number> => {
      let made = 0;
      const hook = createHook({ init: (_id, type) => void (made += type === 'PROMISE' ? 1 : 0) }).enable();
      await work().finally(() => hook.disable());
      return made;
    };
    await write(10);
    const first = await promisesOf(() => write(100));
    await write(500);
    const last = await promisesOf(() => write(100));
    assert.ok(last < first * 2, `${first} promises for 100 lines, and then ${last}`);
    assert.equal(storage.lines.length, 710);
  });

  it('writes lines that come while others are written, and is flushed when all of them are', async () => {
    const more = log.write(record).then(() => log.write(record));
    log.note(record);
    await log.flush();
    await more;
    await log.flush();
    assert.equal(storage.lines.length, 3);
    log.note(record);
    await log.flush();
    assert.equal(storage.lines.length, 4);
  });

  it('writes one line with these members in this order, and no argument in it', async () => {
    await log.write({ ...record, credential: 'abc', arguments: { password: 'hunter2', count: 3 }, durationMs: 12.6 });
    const [line] = storage.read();
    assert.deepEqual(Object.keys(line ?? {}), [
      'time',
      'principal',
      'credential',
      'peer',
      'action',
      'subject',
      'argumentNames',
      'argumentsHash',
      'decidedBy',
      'outcome',
      'durationMs',
      'previous',
    ]);
    assert.deepEqual([line?.argumentNames, line?.durationMs, line?.previous], [['password', 'count'], 13, '']);
    assert.equal(storage.lines.join('').includes('hunter2'), false);
  });

  it('gives equal arguments equal hashes, which nobody without the key can guess', async () => {
    const other = new AuditLog({ storage, key: () => Promise.resolve('other'), clock, onFailure: () => undefined });
    await log.write({ ...record, arguments: { a: 1, b: 2 } });
    await log.write({ ...record, arguments: { b: 2, a: 1 } });
    await other.write({ ...record, arguments: { a: 1, b: 2 } });
    const [first, second, third] = storage.read().map(({ argumentsHash }) => argumentsHash);
    assert.equal(first, second);
    assert.notEqual(first, third);
  });

  it('binds every line to the one before, so that a changed, a missing and an added line are found', async () => {
    for (const subject of ['one', 'two', 'three', 'four']) {
      await log.write({ ...record, subject });
    }
    assert.deepEqual(storage.verdict(), { kind: 'holds', count: 4 });
    const whole = [...storage.lines];
    storage.lines[1] = whole[1]?.replace('two', 'TWO') ?? '';
    assert.deepEqual(storage.verdict(), { kind: 'broken', part: 'audit.jsonl', number: 2 });
    storage.lines = whole.filter((_, index) => index !== 1);
    assert.deepEqual(storage.verdict(), { kind: 'broken', part: 'audit.jsonl', number: 1 });
    storage.lines = [...whole.slice(0, 3), whole[3]?.replace('four', 'five') ?? ''];
    assert.deepEqual(storage.verdict(), { kind: 'broken', part: 'audit.jsonl', number: 4 });
    storage.lines = whole.slice(0, 3);
    assert.deepEqual(storage.verdict(), { kind: 'broken', part: 'audit.jsonl', number: 3 });
    storage.lines = whole.slice(1);
    assert.deepEqual(storage.verdict(), { kind: 'broken', part: 'audit.jsonl', number: 1 }, 'the first of all is missing');
    storage.lines = [];
    assert.deepEqual(storage.verdict(), { kind: 'emptied' });
    storage.lines = whole.slice(0, 3);
    storage.seal = 'another key';
    assert.deepEqual(storage.verdict(), { kind: 'unsealed', count: 3 }, 'nothing vouches for the end');
    storage.seal = undefined;
    storage.lines = [...whole.slice(0, 2), 'nonsense', ...whole.slice(2)];
    assert.deepEqual(storage.verdict(), { kind: 'broken', part: 'audit.jsonl', number: 3 });
  });

  it('holds when a window died while it wrote: the file ends at the one seal or at the other', async () => {
    await log.write({ ...record, subject: 'one' });
    const first = storage.seal ?? '';
    await log.write({ ...record, subject: 'two' });
    storage.seal = `${first}\n${storage.seal ?? ''}`;
    assert.deepEqual(storage.verdict(), { kind: 'holds', count: 2 });
    storage.lines.pop();
    assert.deepEqual(storage.verdict(), { kind: 'holds', count: 1 });
    storage.lines[0] = storage.lines[0]?.replace('one', 'two') ?? '';
    assert.deepEqual(storage.verdict(), { kind: 'broken', part: 'audit.jsonl', number: 1 });
  });

  it('has a line of it when the last line is not the one that was sealed, where the seal can tell', async () => {
    const actions = (): string[] => storage.read().map(({ action, subject }) => (action === 'findChanged' ? action : subject));
    for (const subject of ['one', 'two']) {
      await log.write({ ...record, subject });
    }
    const earlier = storage.seal ?? '';
    await log.write({ ...record, subject: 'three' });
    storage.lines.pop();
    await log.write({ ...record, subject: 'four' });
    assert.deepEqual(actions(), ['one', 'two', 'findChanged', 'four']);
    storage.lines = [];
    await log.write({ ...record, subject: 'five' });
    assert.deepEqual(actions(), ['findChanged', 'five']);

    const unlike = storage.seal ?? '';
    storage.seal = `${unlike}\n${earlier}`; // another window died while it wrote
    await log.write({ ...record, subject: 'six' });
    storage.lines.pop();
    storage.seal = 'of-a-key and more';
    await log.write({ ...record, subject: 'seven' });
    assert.deepEqual(actions(), ['findChanged', 'five', 'seven']);
  });

  it('writes what may wait together, within a second, and before what may not', async () => {
    log.note({ ...record, subject: 'one' });
    log.note({ ...record, subject: 'two' });
    assert.equal(storage.lines.length, 0);
    clock.advance(1_000);
    await log.flush();
    log.note({ ...record, subject: 'three' });
    await log.write({ ...record, subject: 'four' });
    assert.deepEqual(
      storage.read().map(({ subject }) => subject),
      ['one', 'two', 'three', 'four'],
    );
    assert.equal(storage.appends, 2);
    assert.deepEqual(storage.verdict(), { kind: 'holds', count: 4 });
  });

  it('sums up what one client calls too often, so that it cannot push others out of the record', async () => {
    for (let number = 0; number < 5_000; number += 1) {
      log.note({ ...record, principal: 'client:flood', subject: 'read_file' });
    }
    log.note(record);
    await log.flush();
    const lines = storage.read();
    assert.equal(lines.length, 102);
    assert.equal(lines.filter(({ principal }) => principal === 'chat').length, 1);
    assert.equal(lines.at(-1)?.subject, 'read_file and others, 4900 more in this second');
  });

  it('has written everything when a flush has ended, also what another one had begun', async () => {
    const slow = new AuditLog({
      storage: { append: async (make) => storage.append((await Promise.resolve(), make)) },
      key: () => new Promise((resolve) => setImmediate(() => resolve('key'))),
      clock,
      onFailure: () => undefined,
    });
    slow.note(record);
    void slow.flush();
    await slow.flush();
    assert.equal(storage.lines.length, 1);
  });

  it('counts what it could not keep while nothing could be written', async () => {
    storage.failure = new Error('no room');
    for (let second = 0; second < 30; second += 1) {
      for (let number = 0; number < 100; number += 1) {
        log.note({ ...record, subject: `${second}` });
      }
      await log.flush();
    }
    storage.failure = undefined;
    await log.write(record);
    const [first] = storage.read().filter(({ action }) => action === 'loseLines');
    assert.equal(first?.subject, '1000 lines before this one could not be written');
  });

  it('refuses what must be written and cannot be, tells it once, and goes on when it can again', async () => {
    storage.failure = new Error('no room');
    await assert.rejects(log.write(record), { code: 'audit.notWritten' });
    await assert.rejects(log.write(record), { code: 'audit.notWritten' });
    assert.deepEqual(failures, [storage.failure]);
    log.note({ ...record, subject: 'noted meanwhile' });
    await log.flush();
    storage.failure = undefined;
    await log.write(record);
    assert.deepEqual(
      storage.read().map(({ subject }) => subject),
      ['noted meanwhile', 'roll_dice'],
      'what refuses nothing is not lost either',
    );
    storage.failure = new Error('again');
    await assert.rejects(log.write(record), { code: 'audit.notWritten' });
    assert.equal(failures.length, 2);
  });
});
