import assert from 'node:assert/strict';
import { hostileCorpus } from '../fixtures/hostileCorpus.ts';
import { longestBlock } from '../support/longestBlock.ts';

/** Promised are 100 ms; a machine with much else to do gets more. */
const generousMs = 1_000;

describe('The event loop is never held up for long', () => {
  for (const { name, prepare } of hostileCorpus()) {
    it(`by ${name}`, async function () {
      this.timeout(120_000);
      const { work, close } = await prepare();
      try {
        const block = await longestBlock(work);
        assert.ok(block < generousMs, `blocked for ${block.toFixed(0)} ms`);
      } finally {
        await close();
      }
    });
  }
});
