/** Works through the hostile corpus and prints how long each input, at most, held up everything else. */
import { hostileCorpus } from '../fixtures/hostileCorpus.ts';
import { longestBlock } from '../support/longestBlock.ts';

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
