import assert from 'node:assert/strict';
import { Emitter } from '../../../src/base/events.ts';
import { isAbort } from '../../../src/base/errors.ts';
import { Late, lateMethods, LaterPart, type Part } from '../../../src/base/late.ts';

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

describe('A part that is started when it is first wanted', () => {
  let said: string[];
  beforeEach(() => (said = []));

  const partThat = (start: () => Promise<void>): Part => ({
    start: () => {
      said.push('start');
      return start();
    },
    stop: () => {
      said.push('stop');
      return Promise.resolve();
    },
    dispose: () => void said.push('dispose'),
  });
  const wellPart = partThat(() => Promise.resolve());

  it('is made once, whoever wants it, and is there for nobody before it has started', async () => {
    let goOn = (): void => undefined;
    const made = partThat(() => new Promise((resolve) => (goOn = resolve)));
    const later = new LaterPart(() => Promise.resolve(made));
    assert.deepEqual(said, []);
    const wanted = Promise.all([later.get(), later.get()]).then((parts) => {
      said.push('there');
      return parts;
    });
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(said, ['start']);
    goOn();
    assert.deepEqual(await wanted, [made, made]);
    await later.stop();
    later.dispose();
    assert.deepEqual(said, ['start', 'there', 'stop', 'dispose']);
  });

  it('lets go of what could not start, says why, and is made anew when it is wanted again', async () => {
    const parts = [wellPart, partThat(() => Promise.reject(new Error('the disk was away')))];
    const later = new LaterPart(() => Promise.resolve(parts.pop() ?? wellPart));
    await assert.rejects(later.get(), /the disk was away/);
    assert.equal(said.at(-1), 'dispose');
    assert.equal(await later.get(), wellPart);
    later.dispose();
  });

  it('lets what could not start end what it had begun before another one is made', async () => {
    let stopped = (): void => undefined;
    const failing: Part = {
      ...partThat(() => Promise.reject(new Error('the disk was away'))),
      stop: () => new Promise((_, reject) => (stopped = () => reject(new Error('not this one')))),
    };
    const parts = [wellPart, failing];
    const later = new LaterPart(() => Promise.resolve(parts.pop() ?? wellPart));
    const first = assert.rejects(later.get(), /the disk was away/);
    await new Promise((resolve) => setImmediate(resolve));
    const second = later.get().catch(() => later.get());
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(said, ['start']);
    stopped();
    await first;
    assert.equal(await second, wellPart);
    assert.deepEqual([said[1], said.at(-1)], ['dispose', 'start']);
    later.dispose();
  });

  it('is stopped also while it is still starting', async () => {
    const later = new LaterPart(() => Promise.resolve(partThat(() => new Promise(() => undefined))));
    void later.get();
    await new Promise((resolve) => setImmediate(resolve));
    await later.stop();
    later.dispose();
    assert.deepEqual(said, ['start', 'stop', 'dispose']);
  });

  it('is not started when the end came while it was loaded, nor after it', async () => {
    let arrive: (part: Part) => void = () => undefined;
    const later = new LaterPart(() => new Promise<Part>((resolve) => (arrive = resolve)));
    const wanted = later.get();
    await later.stop();
    arrive(wellPart);
    await assert.rejects(wanted, isAbort);
    await assert.rejects(later.get(), isAbort);
    later.dispose();
    assert.ok(!said.includes('start'), said.join());
  });
});
