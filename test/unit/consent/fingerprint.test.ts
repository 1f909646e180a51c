import assert from 'node:assert/strict';
import { differencesBetween, fingerprintOf } from '../../../src/consent/fingerprint.ts';

describe('A fingerprint', () => {
  it('is the same whatever the order of the fields', () => {
    assert.equal(fingerprintOf({ a: 1, b: { c: [1, 2], d: 'x' } }), fingerprintOf({ b: { d: 'x', c: [1, 2] }, a: 1 }));
  });

  it('differs for every changed value, name and order in a list', () => {
    const variants = [{ a: '1' }, { a: 1 }, { a: [1, 2] }, { a: [2, 1] }, { b: '1' }, { a: '1', b: null }, { a: { b: '1' } }, {}];
    assert.equal(new Set(variants.map(fingerprintOf)).size, variants.length);
  });
});

describe('The difference shown to a person', () => {
  it('names every field that was changed, added or taken away, and no other', () => {
    const before = { command: 'node', args: ['a.js'], env: { KEEP: '1', OLD: '2' } };
    const after = { command: 'node', args: ['a.js', '--all'], env: { KEEP: '1', NODE_OPTIONS: '--require x' } };
    assert.deepEqual(differencesBetween(before, after), [
      { field: 'args', before: '["a.js"]', after: '["a.js","--all"]' },
      { field: 'env.OLD', before: '2' },
      { field: 'env.NODE_OPTIONS', after: '--require x' },
    ]);
  });

  it('does not repeat a name of any length for each of its members, and names what differs there', () => {
    const key = 'k'.repeat(20_000);
    const members = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`a${index}`, index]));
    const differences = differencesBetween({ schema: { [key]: {} } }, { schema: { [key]: members } });
    assert.deepEqual(
      differences.map(({ field, after }) => [field, after?.startsWith('{"a0":0,')]),
      [[`schema.${key}`, true]],
    );
  });
});
