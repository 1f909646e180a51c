import assert from 'node:assert/strict';
import * as path from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { ChatState } from '../../src/contract/chat/chatState.ts';
import { openBarePage, type BarePage } from '../support/page/barePage.ts';
import { everyPart } from '../support/page/everyPart.ts';
import { answerText, emptyState } from '../support/page/longConversation.ts';
import { darkColours } from '../support/page/pageThemes.ts';
import { outFolder } from '../support/run/repository.mjs';
import { sharedBrowser } from '../support/page/browser.ts';

const colours: Readonly<Record<string, string>> = {
  ...darkColours,
  '--vscode-font-family': 'sans-serif',
  '--vscode-textCodeBlock-background': '#2b2b2b',
};

/** In points of the page: a zoom of 200 % halves the window and doubles each point. */
const sizes = [
  { name: 'as narrow as a sidebar gets', width: 220, height: 600 },
  { name: 'a sidebar as it is at first', width: 300, height: 560 },
  { name: 'a sidebar at 200 %', width: 300, height: 290, deviceScaleFactor: 2 },
  { name: 'a tab at 200 %', width: 560, height: 330, deviceScaleFactor: 2 },
  { name: 'a wide tab', width: 1200, height: 800 },
] as const;

/** Whatever is wider than the page or stands out of it; what scrolls on its own may. */
const tooWide = `(() => {
  const width = document.documentElement.clientWidth;
  const scrolls = (each) => each !== null && each.closest('.chat') !== null &&
    (['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(each).overflowX) || scrolls(each.parentElement));
  return [...document.querySelectorAll('.chat *')]
    .filter((each) => each.checkVisibility() && !each.closest('.screen-reader-only') && !scrolls(each.parentElement.closest(':not(.conversation)')))
    .filter((each) => { const box = each.getBoundingClientRect(); return box.width > 0 && (box.right > width + 1 || box.left < -1); })
    .map((each) => each.className || each.tagName);
})()`;

const focused = `(() => {
  const each = document.activeElement;
  const style = getComputedStyle(each);
  const frame = each.closest('.composer');
  const outlined = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0;
  const framed = frame !== null && getComputedStyle(frame).borderTopColor === 'rgb(0, 120, 212)';
  const box = each.getBoundingClientRect();
  return { isElement: each !== document.body, name: each.getAttribute('aria-label') ?? each.textContent.slice(0, 40), seen: outlined || framed, inView: box.top < innerHeight && box.bottom > 0 };
})()`;

const hebrew = 'מה עושה הפונקציה הזאת, ומי קורא לה? ראו src/cart.js:12 בבקשה.';
const arabic = `هذه الدالة تضيف عنصراً إلى السلة.

- أولاً تتحقق من الكمية
- ثم تكتب السجل

\`\`\`ts
const price = prices.get(item.name) ?? 0; // ثمن
\`\`\`

> اقتباس

And this paragraph is English.`;

const rightToLeft: ChatState = {
  ...emptyState(),
  items: [
    { kind: 'user', id: 'u', text: hebrew },
    { kind: 'assistant', id: 'a', state: 'done', parts: [{ kind: 'text', id: 't', text: arabic }] },
  ],
};

describe('The chat fits', () => {
  let browser: Browser;
  const opened: BarePage[] = [];
  before(async () => {
    browser = await sharedBrowser();
  });
  afterEach(() => Promise.all(opened.splice(0).map((bare) => bare.close())));

  const open = async (state: ChatState, options: BrowserContextOptions): Promise<Page> => {
    const bare = await openBarePage(browser, 'chat', options);
    opened.push(bare);
    await bare.page.evaluate(
      (all) => Object.entries(all).forEach(([name, value]) => document.documentElement.style.setProperty(name, value)),
      colours,
    );
    await bare.post('chat/state', state);
    await bare.page.locator('article .markdown-part > *').last().waitFor();
    return bare.page;
  };
  const picture = (page: Page, name: string): Promise<unknown> =>
    page.screenshot({ path: path.join(outFolder, 'looks', `fits-${name.replaceAll(' ', '-')}.png`) });

  for (const { name, width, height, ...scale } of sizes) {
    it(`${name} (${width} × ${height}): nothing stands out, and both conversation and message have room`, async () => {
      const page = await open(busyFoot(everyPart()), { viewport: { width, height }, ...scale });
      await picture(page, name);
      assert.deepEqual(await page.evaluate(tooWide), []);
      assert.equal(
        await page.evaluate(
          `(() => { const foot = document.querySelector('.composer-foot'); return foot.scrollWidth - foot.clientWidth; })()`,
        ),
        0,
      );
      const [log, message] = [
        await page.getByRole('log').boundingBox(),
        await page.getByRole('textbox', { name: 'Message' }).boundingBox(),
      ];
      assert.ok(log && log.height >= height / 2.5, `the conversation is ${log?.height} high`);
      assert.ok(message && message.height >= 20 && message.width >= 100 && message.y + message.height <= height, JSON.stringify(message));
      await page.getByRole('textbox', { name: 'Message' }).fill('A long message. '.repeat(60));
      const [grown, left] = [await page.locator('.composer').boundingBox(), await page.getByRole('log').boundingBox()];
      assert.ok(grown && grown.y >= 0 && grown.y + grown.height <= height, 'the message stays in the window');
      assert.ok(left && left.height >= height / 5, `a long message leaves ${left?.height} for the conversation`);
      await picture(page, `${name} written`);
      assert.deepEqual(await page.evaluate(tooWide), []);
    });
  }

  it('the focus is seen and in view on each thing that Tab comes to, at 200 % too', async () => {
    const page = await open(
      { ...emptyState(), items: [{ kind: 'user', id: 'u', text: 'Hello' }, answered('done')] },
      { viewport: { width: 300, height: 290 }, deviceScaleFactor: 2 },
    );
    await page.getByRole('log').focus();
    const seen = new Map<string, object>();
    for (let presses = 0; presses < 30; presses += 1) {
      await page.keyboard.press('Tab');
      const now = await page.evaluate<{
        readonly isElement: boolean;
        readonly name: string;
        readonly seen: boolean;
        readonly inView: boolean;
      }>(focused);
      if (now.isElement) {
        seen.set(now.name, now);
      }
    }
    const unseen = [...seen.values()].filter((each) => !('seen' in each && each.seen === true && 'inView' in each && each.inView === true));
    assert.ok(seen.has('Message') && seen.has('Copy') && seen.size > 8, [...seen.keys()].join(', '));
    assert.deepEqual(unseen, []);
  });

  it('text that runs from right to left: each paragraph its own way, code and files from left to right', async () => {
    for (const width of [220, 500]) {
      const page = await open(rightToLeft, { viewport: { width, height: 700 } });
      await picture(page, `right to left ${width}`);
      const edges = await page.evaluate(rightToLeftEdges);
      assert.deepEqual(edges, {
        user: 'end',
        arabic: 'end',
        list: 'rtl',
        quote: 'rtl',
        english: 'start',
        code: 'ltr',
        bar: 'ltr',
        title: 'rtl',
      });
      assert.deepEqual(await page.evaluate(tooWide), []);
    }
  });

  it('who wants no motion: nothing moves while an answer is under way', async () => {
    const page = await open({ ...emptyState(), isRunning: true, items: [answered('streaming')] }, { reducedMotion: 'reduce' });
    assert.deepEqual(await page.evaluate(() => document.getAnimations().map((each) => (each as CSSAnimation).animationName)), []);
    assert.equal(await page.evaluate(`getComputedStyle(document.querySelector('[role=log]')).scrollBehavior`), 'auto');
  });
});

/** As much in the line below the message as there can be. */
function busyFoot(state: ChatState): ChatState {
  return {
    ...state,
    provider: { kind: 'offline', label: 'Offline guide', isAi: false },
    tools: [{ server: 'demo', count: 0, state: 'needsPermission' }],
    context: {
      used: 4_400,
      isCounted: false,
      sources: [],
      tools: { total: 31, offered: 31, leftOut: 0, tokens: 4_000, savedTokens: 0 },
      canCompact: false,
    },
  };
}

function answered(state: 'done' | 'streaming'): ChatState['items'][number] {
  return { kind: 'assistant', id: 'a', state, parts: [{ kind: 'text', id: 't', text: answerText }] };
}

/** On which side the first letter of each stands, or the direction where it is one for all inside. */
const rightToLeftEdges = `(() => {
  const side = (element) => {
    const range = document.createRange();
    const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
    range.setStart(text, 0);
    range.setEnd(text, 1);
    const [letter, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()];
    return letter.left - box.left > box.right - letter.right ? 'end' : 'start';
  };
  const paragraphs = [...document.querySelectorAll('.markdown-part > p')];
  const direction = (selector) => getComputedStyle(document.querySelector(selector)).direction;
  return {
    user: side(document.querySelector('.user-text')),
    arabic: side(paragraphs[0]),
    list: direction('.markdown ul'),
    quote: direction('.markdown blockquote'),
    english: side(paragraphs.at(-1)),
    code: direction('.markdown pre'),
    bar: direction('.code-bar'),
    title: direction('.top-title'),
  };
})()`;
