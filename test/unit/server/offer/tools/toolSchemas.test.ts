import assert from 'node:assert/strict';
import * as z from 'zod';
import { argumentReader } from '../../../../../src/server/offer/tools/toolSchemas.ts';

describe('The arguments of a tool', () => {
  const reader = argumentReader(z.strictObject({ path: z.string().optional(), limit: z.int().default(200) }));
  const read = (args: unknown): object => {
    const outcome = reader(args);
    return outcome.kind === 'read' ? outcome.data : outcome;
  };

  it('that are none at all are read once, and no call can change them for others', () => {
    const first = read({});
    assert.deepEqual(first, { limit: 200 });
    assert.equal(read({}), first);
    assert.equal(read(undefined), first);
    assert.throws(() => Object.assign(first, { limit: 1 }), TypeError);
  });

  it('that are given are read each time', () => {
    assert.deepEqual(read({ limit: 5 }), { limit: 5 });
    assert.deepEqual(read({ limit: '7' }), { limit: 7 });
    assert.deepEqual(read({}), { limit: 200 });
  });

  it('are refused when they are no object, or lack what is needed', () => {
    assert.equal(reader([]).kind, 'badArguments');
    assert.equal(reader('').kind, 'badArguments');
    const needing = argumentReader(z.strictObject({ path: z.string() }));
    assert.equal(needing({}).kind, 'badArguments');
    assert.equal(needing({ path: 'a' }).kind, 'read');
  });

  it('are read until the first mistake in a list, and only so many items in all', () => {
    const item = z.strictObject({ line: z.int() });
    const lists = argumentReader(
      z.strictObject({ files: z.array(z.strictObject({ edits: z.array(item).max(1_500).optional() })).max(50) }),
    );
    const good = (count: number, line: unknown = 3): object => ({ edits: Array.from({ length: count }, () => ({ line })) });
    assert.equal(lists({ files: [good(100, '3'), {}] }).kind, 'read');
    assert.deepEqual(lists({ files: [good(2), { edits: [{ line: 1 }, { line: 'x' }, 7] }] }), {
      kind: 'badArguments',
      parameter: 'files.1.edits.1.line',
      reason: 'Invalid input: expected number, received string',
    });
    assert.deepEqual(lists({ files: [good(1_501)] }), {
      kind: 'badArguments',
      parameter: 'files.0.edits',
      reason: 'Too big: expected array to have <=1500 items',
    });
    assert.deepEqual(lists({ files: [good(1_500), good(1_000)] }), {
      kind: 'badArguments',
      parameter: 'files.1.edits',
      reason: 'more than 2,000 items in one call; send them in parts',
    });
  });
});
