import assert from 'node:assert/strict';
import * as z from 'zod';
import { argumentReader } from '../../../../../src/server/offer/tools/toolSchemas.ts';

describe('The arguments of a tool', () => {
  const read = argumentReader(z.strictObject({ path: z.string().optional(), limit: z.int().default(200) }));

  it('that are none at all are read once, and no call can change them for others', () => {
    const first = read({}).data;
    assert.deepEqual(first, { limit: 200 });
    assert.equal(read({}).data, first);
    assert.equal(read(undefined).data, first);
    assert.throws(() => Object.assign(first, { limit: 1 }), TypeError);
  });

  it('that are given are read each time', () => {
    assert.deepEqual(read({ limit: 5 }).data, { limit: 5 });
    assert.deepEqual(read({ limit: '7' }).data, { limit: 7 });
    assert.deepEqual(read({}).data, { limit: 200 });
  });

  it('are refused when they are no object, or lack what is needed', () => {
    assert.equal(read([]).success, false);
    assert.equal(read('').success, false);
    const needing = argumentReader(z.strictObject({ path: z.string() }));
    assert.equal(needing({}).success, false);
    assert.equal(needing({ path: 'a' }).success, true);
  });
});
