import assert from 'node:assert/strict';
import path from 'node:path';
import { silentLog } from '../../../../../src/base/log.ts';
import { TextInMemory } from '../../../../../src/base/sharedStorage.ts';
import { SamplingBudgets } from '../../../../../src/host/features/sampling/samplingBudget.ts';
import { SharedFile } from '../../../../../src/platform/files/sharedFile.ts';
import { createTemporaryFolder } from '../../../../support/run/temporaryFolder.mjs';

const hour = 3_600_000;

describe('What a server may spend of the model', () => {
  let now: number;
  let storage: TextInMemory;
  let budgets: SamplingBudgets;
  beforeEach(() => {
    now = Date.UTC(2026, 0, 1);
    storage = new TextInMemory();
    budgets = new SamplingBudgets({ storage, now: () => now, log: silentLog });
  });
  const limits = { requestsPerHour: 2, tokensPerDay: 1_000 };

  it('is 20 requests in an hour and 100,000 tokens in a day until the person says something else', async () => {
    const usual = { requestsPerHour: 20, tokensPerDay: 100_000, requests: 0, tokens: 0 };
    assert.deepEqual(await budgets.look('a', 100_000), { ...usual, isExceeded: false });
    assert.deepEqual(await budgets.look('a', 100_001), { ...usual, isExceeded: true });
  });

  it('is counted for each server, at the most it may cost until it is known what it did cost', async () => {
    await budgets.setLimits('a', limits);
    const payment = await budgets.payWithin('a', 900);
    assert.equal(await budgets.payWithin('a', 200), undefined);
    assert.deepEqual((await budgets.look('b', 0)).tokens, 0);
    await payment?.settle(50);
    assert.notEqual(await budgets.payWithin('a', 200), undefined);
    assert.deepEqual(await budgets.look('a', 0), { ...limits, requests: 2, tokens: 250, isExceeded: true });
  });

  it('comes back with time: requests after an hour, tokens after a day', async () => {
    await budgets.setLimits('a', limits);
    await budgets.pay('a', 600);
    await budgets.pay('a', 600);
    assert.equal((await budgets.look('a', 0)).isExceeded, true);
    now += hour + 1;
    assert.deepEqual(await budgets.look('a', 0), { ...limits, requests: 0, tokens: 1_200, isExceeded: true });
    now += 23 * hour;
    assert.deepEqual(await budgets.look('a', 1_000), { ...limits, requests: 0, tokens: 0, isExceeded: false });
  });

  it('can be exceeded by what the person agrees to', async () => {
    await budgets.setLimits('a', { requestsPerHour: 0, tokensPerDay: 0 });
    assert.equal(await budgets.payWithin('a', 1), undefined);
    await (await budgets.pay('a', 1)).settle(7);
    assert.deepEqual((await budgets.look('a', 0)).tokens, 7);
  });

  it('is nothing unseen where it cannot be written down', async () => {
    const broken = new SamplingBudgets({
      storage: Object.assign(new TextInMemory(), { modify: () => Promise.reject(new Error('read-only')) }),
      log: silentLog,
    });
    assert.equal(await broken.payWithin('a', 1), undefined);
    await (await broken.pay('a', 1)).settle(1);
  });

  it('is nothing unseen where the file was damaged, until the person has agreed to something', async () => {
    await budgets.setLimits('a', { requestsPerHour: 0, tokensPerDay: 0 });
    await storage.modify((text) => (text ?? '').slice(0, -5));
    assert.equal((await budgets.look('a', 0)).requestsPerHour, 20);
    assert.equal(await budgets.payWithin('a', 1), undefined);
    await budgets.pay('b', 1);
    assert.equal(await budgets.payWithin('a', 1), undefined);
    assert.notEqual(await budgets.payWithin('b', 1), undefined);
  });

  it('is lost for one server alone where only its part of the file was damaged', async () => {
    const whole = { ...limits, uses: [] };
    await storage.modify(() => JSON.stringify({ version: 1, servers: { a: { uses: 'none' }, b: whole } }));
    assert.equal(await budgets.payWithin('a', 1), undefined);
    assert.notEqual(await budgets.payWithin('b', 1), undefined);
    assert.equal((await budgets.look('b', 0)).tokensPerDay, 1_000);
  });

  it('is one for all windows, also when two spend at once', async () => {
    const file = path.join(createTemporaryFolder(), 'samplingBudgets.json');
    const windows = await Promise.all([1, 2].map(() => SharedFile.open(file, silentLog)));
    const both = windows.map((each) => new SamplingBudgets({ storage: each, log: silentLog }));
    try {
      await both[0]?.setLimits('a', { requestsPerHour: 5, tokensPerDay: 1_000 });
      const [one, other] = both;
      assert.ok(one && other);
      const payments = await Promise.all([one, other, one, other, one, other, one, other].map((each) => each.payWithin('a', 10)));
      assert.equal(payments.filter((payment) => payment !== undefined).length, 5);
    } finally {
      windows.forEach((each) => each.dispose());
    }
  });
});
