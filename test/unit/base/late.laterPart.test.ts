import assert from 'node:assert/strict';
import { isAbort } from '../../../src/base/errors.ts';
import { LaterPart, type Part } from '../../../src/base/late.ts';

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
