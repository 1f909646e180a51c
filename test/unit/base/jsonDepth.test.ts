import assert from 'node:assert/strict';
import { depthExceeds } from '../../../src/base/jsonDepth.ts';

describe('The depth of a value', () => {
  it('is measured without recursion', () => {
    const deep: unknown = JSON.parse('['.repeat(5_000) + ']'.repeat(5_000));
    assert.deepEqual([depthExceeds(deep, 256), depthExceeds({ a: [{ b: [1] }] }, 256)], [true, false]);
  });
});
