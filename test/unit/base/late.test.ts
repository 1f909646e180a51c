import assert from 'node:assert/strict';
import { Late } from '../../../src/base/late.ts';

describe('Something late', () => {
  it('is made when it is first wanted, and once', async () => {
    let times = 0;
    const late = new Late(async () => Promise.resolve((times += 1)));
    assert.deepEqual([late.made, times], [undefined, 0]);
    assert.deepEqual(await Promise.all([late.get(), late.get()]), [1, 1]);
    assert.deepEqual([await late.get(), late.made], [1, 1]);
  });

  it('is made anew when that failed', async () => {
    const failures = [new Error('the disk was away')];
    const late = new Late(async () => {
      const failure = failures.pop();
      return failure === undefined ? Promise.resolve('there') : Promise.reject(failure);
    });
    await assert.rejects(late.get(), /the disk was away/);
    assert.equal(late.made, undefined);
    assert.equal(await late.get(), 'there');
  });
});
