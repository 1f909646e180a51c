import assert from 'node:assert/strict';
import { Emitter } from '../../../src/base/events.ts';
import { Late, lateMethods } from '../../../src/base/late.ts';

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

describe('What is wanted of something late before it is there', () => {
  it('is done with it once it is there, and does not make it', async () => {
    const used: string[] = [];
    const late = new Late(() => Promise.resolve('thing'));
    const first = late.whenMade((made) => used.push(`first ${made}`));
    late.whenMade((made) => used.push(`second ${made}`)).dispose();
    assert.deepEqual([used, late.made], [[], undefined]);
    await late.get();
    late.whenMade((made) => used.push(`third ${made}`));
    assert.deepEqual(used, ['first thing', 'third thing']);
    first.dispose();
  });

  it('is to hear its events, for as long as somebody listens', async () => {
    const heard: string[] = [];
    const emitter = new Emitter<string>();
    const late = new Late(() => Promise.resolve({ onDidChange: emitter.event }));
    const event = late.event((made) => made.onDidChange);
    const [one, other] = [event((value) => heard.push(`one ${value}`)), event((value) => heard.push(`other ${value}`))];
    other.dispose();
    emitter.fire('before');
    await late.get();
    emitter.fire('there');
    one.dispose();
    emitter.fire('after');
    assert.deepEqual(heard, ['one there']);
    emitter.dispose();
  });

  it('is to call its methods: they are there at once, in the order they were called', async () => {
    const called: unknown[] = [];
    let loads = 0;
    const late = new Late(() => {
      loads += 1;
      return Promise.resolve({
        one: (...args: unknown[]) => called.push(['one', ...args]),
        two: () => Promise.resolve(called.push(['two'])),
      });
    });
    const methods = lateMethods(late, ['one', 'two']);
    assert.deepEqual([Object.keys(methods), loads], [['one', 'two'], 0]);
    assert.deepEqual(await Promise.all([methods.one('first', 2), methods.two()]), [1, 2]);
    assert.deepEqual([called, loads], [[['one', 'first', 2], ['two']], 1]);
  });

  it('fails with what kept it from being made, and is tried again', async () => {
    const failures = [new Error('the disk was away')];
    const late = new Late(() => {
      const failure = failures.pop();
      return failure === undefined ? Promise.resolve({ say: () => 'there' }) : Promise.reject(failure);
    });
    const { say } = lateMethods(late, ['say']);
    await assert.rejects(say(), /the disk was away/);
    assert.equal(await say(), 'there');
  });
});
