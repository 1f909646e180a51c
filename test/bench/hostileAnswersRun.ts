/** Run by itself: opens every hostile answer in the chat's page and prints how long each, at most, held the page up. */
import { chromium } from 'playwright-core';
import { hostileAnswers } from '../fixtures/hostileAnswers.ts';
import { chromiumFlags, ensureChromium } from '../support/vscode/chromium.mjs';
import { measureHostileAnswers } from './hostileAnswers.ts';
import { reportRows } from './rows.ts';

const browser = await chromium.launch({ executablePath: await ensureChromium(), args: [...chromiumFlags] });
const blocks: { readonly name: string; readonly block: number }[] = [];
for (const answer of hostileAnswers) {
  blocks.push({ name: answer.name, block: await measureHostileAnswers(browser, [answer]) });
}
blocks.sort((one, other) => other.block - one.block);
console.log(`\nlongest task of the chat's page over ${blocks.length} hostile answers, in ms (promised: 100)`);
for (const { name, block } of blocks.slice(0, 8)) {
  console.log(`${block.toFixed(1).padStart(9)}  ${name}`);
}
const [longest] = blocks;
if (longest !== undefined) {
  reportRows([
    {
      what: `${blocks.length} hostile answers in the chat’s page: longest task`,
      measured: longest.block,
      unit: 'ms',
      goal: { atMost: 100 },
      beside: longest.name,
      isInReadme: true,
    },
  ]);
}
await browser.close();
