import assert from 'node:assert/strict';
import { type HostileInput, hostileCorpus } from '../fixtures/hostileCorpus.ts';
import { longestBlock } from '../support/longestBlock.ts';

/** Promised are 100 ms; a machine with much else to do gets more. */
const generousMs = 1_000;
/** What the work itself holds up it holds up every time; what stopped the whole machine for a moment does not come back. */
const times = 3;

describe('The event loop is never held up for long', () => {
  for (const input of hostileCorpus()) {
    it(`by ${input.name}`, async function () {
      this.timeout(120_000);
      const blocks: number[] = [];
      while (blocks.length < times && blocks.every((block) => block >= generousMs)) {
        blocks.push(await blockOf(input));
      }
      assert.ok(Math.min(...blocks) < generousMs, `blocked for ${blocks.map((block) => block.toFixed(0)).join(', ')} ms`);
    });
  }
});

async function blockOf({ prepare }: HostileInput): Promise<number> {
  const { work, close } = await prepare();
  try {
    return await longestBlock(work);
  } finally {
    await close();
  }
}
