/** Works through the hostile corpus and prints how long each input, at most, held up everything else. */
import { hostileCorpus } from '../fixtures/hostileCorpus.ts';
import { longestBlock } from '../support/longestBlock.ts';
import { reportRows } from './rows.ts';

const blocks: { readonly name: string; readonly block: number }[] = [];
for (const { name, prepare } of hostileCorpus()) {
  const { work, close } = await prepare();
  blocks.push({ name, block: await longestBlock(work) });
  await close();
}
blocks.sort((one, other) => other.block - one.block);
console.log('\nlongest block of the event loop over the hostile corpus, in ms (promised: 100)');
for (const { name, block } of blocks.slice(0, 8)) {
  console.log(`${block.toFixed(1).padStart(9)}  ${name}`);
}
const [longest] = blocks;
if (longest !== undefined) {
  reportRows([
    {
      what: `${blocks.length} hostile inputs: longest block`,
      measured: longest.block,
      unit: 'ms',
      goal: { atMost: 100 },
      beside: longest.name,
      isInReadme: true,
    },
  ]);
}
