import assert from 'node:assert/strict';
import { readPieces } from '../../../../src/editor/shared/readPieces.ts';

describe('What a command writes', () => {
  it('is kept up to where reading it failed', async () => {
    const read: string[] = [];
    async function* breakingOff(): AsyncIterable<string> {
      yield 'first';
      yield await Promise.resolve('second');
      throw new Error('The terminal is gone.');
    }
    await readPieces(breakingOff(), (piece) => read.push(piece));
    assert.deepEqual(read, ['first', 'second']);
  });
});
