/** Run by itself: prints what a long conversation and a quick model cost the chat's page. */
import { chromium } from 'playwright-core';
import { chromiumFlags, ensureChromium } from '../support/vscode/chromium.mjs';
import { measureApps, measureLongConversation, measureStreaming } from './chatPage.ts';
import { reportRows } from './rows.ts';

const messages = 2_000;
const tokens = 10_000;
const browser = await chromium.launch({ executablePath: await ensureChromium(), args: [...chromiumFlags] });
const { firstDrawnMs, allDrawnMs, opening, scrolling } = await measureLongConversation(browser, messages);
console.log(`\nthe chat's page, ${messages.toLocaleString('en')} messages (goal: no task over 100 ms)`);
console.log(
  `open    first drawn after ${firstDrawnMs.toFixed(0)} ms, all after ${allDrawnMs.toFixed(0)} ms, longest task ${opening.maxTaskMs.toFixed(0)} ms`,
);
console.log(`scroll  longest task ${scrolling.maxTaskMs.toFixed(0)} ms`);
const conversation = `the chat with ${messages.toLocaleString('en')} messages`;
reportRows([
  {
    what: `${conversation}: longest task when it opens`,
    measured: opening.maxTaskMs,
    unit: 'ms',
    goal: { atMost: 100 },
    beside: `first drawn after ${firstDrawnMs.toFixed(0)} ms`,
    isInReadme: true,
  },
  { what: `${conversation}: longest task of scrolling`, measured: scrolling.maxTaskMs, unit: 'ms', goal: { atMost: 100 } },
]);
console.log(`\nthe chat's page while an answer streams (goal at 200 tokens/s: under 50 % busy)`);
for (const [count, perSecond] of [
  [2_000, 200],
  [tokens, 1_000],
] as const) {
  const { busy, maxTaskMs } = await measureStreaming(browser, count, perSecond);
  console.log(
    `${count.toLocaleString('en')} tokens at ${perSecond}/s  ${(busy * 100).toFixed(0)} % busy, longest task ${maxTaskMs.toFixed(0)} ms`,
  );
  reportRows([
    {
      what: `the chat’s page while an answer streams, ${perSecond.toLocaleString('en')} tokens a second: busy`,
      measured: busy * 100,
      unit: '%',
      ...(perSecond === 200 ? { goal: { atMost: 50 }, isInReadme: true } : {}),
      beside: `longest task ${maxTaskMs.toFixed(0)} ms`,
    },
  ]);
}
const apps = 10;
const { drawnMs, bytes } = await measureApps(browser, apps);
const middle = drawnMs.toSorted((a, b) => a - b)[Math.floor(apps / 2)] ?? 0;
console.log(`\n${apps} apps  drawn after ${middle.toFixed(0)} ms each, ${(bytes / 1024 / 1024).toFixed(1)} MB in the page for all`);
reportRows([
  {
    what: 'an app in the chat’s page: from its HTML until it has drawn',
    measured: middle,
    unit: 'ms',
    goal: { atMost: 500 },
    beside: `the slowest of ${apps} ${Math.max(...drawnMs).toFixed(0)} ms`,
    isInReadme: true,
  },
  { what: `${apps} apps in the chat’s page: memory of the page`, measured: bytes / 1024 / 1024, unit: 'MB' },
]);
await browser.close();
