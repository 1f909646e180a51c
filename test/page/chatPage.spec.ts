import assert from 'node:assert/strict';
import * as path from 'node:path';
import type { Browser } from 'playwright-core';
import { hostileMarkdown } from '../fixtures/hostileMarkdown.ts';
import { openBarePage } from '../support/page/barePage.ts';
import { everyPart } from '../support/page/everyPart.ts';
import { emptyState, longConversation } from '../support/page/longConversation.ts';
import { outFolder } from '../support/run/repository.mjs';
import { assertAccessible } from '../support/page/accessibility.ts';
import { sharedBrowser } from '../support/page/browser.ts';

/** A wheel goes on turning for some frames. */
const untilStill = `(log) => new Promise((resolve) => {
  let [last, frames] = [log.scrollTop, 0];
  const look = () => {
    frames = log.scrollTop === last ? frames + 1 : 0;
    last = log.scrollTop;
    frames < 10 ? requestAnimationFrame(look) : resolve();
  };
  look();
})`;

describe('The page of the chat, by itself', () => {
  let browser: Browser;

  before(async () => {
    browser = await sharedBrowser();
  });

  it('leaves what is being read where it is while more streams in, and offers the way to the end beside it', async () => {
    const bare = await openBarePage(browser, 'chat', { viewport: { width: 300, height: 700 } });
    const { conversationId } = emptyState();
    await bare.post('chat/state', longConversation(40));
    const log = bare.page.getByRole('log', { name: 'Conversation' });
    const whereItStands = `(globalThis.read ??= [...document.querySelectorAll('article')].find((each) => each.getBoundingClientRect().bottom > 250)).getBoundingClientRect().y`;
    await bare.page.locator('article').nth(39).waitFor({ state: 'attached' });
    await bare.page.mouse.move(150, 300);
    await bare.page.mouse.wheel(0, -1500);
    const jump = bare.page.getByRole('button', { name: 'Jump to latest' });
    await jump.waitFor();
    await log.evaluate(untilStill);
    const before = await bare.page.evaluate<number>(whereItStands);
    const item = { kind: 'assistant', id: 'new', state: 'streaming', parts: [{ kind: 'text', id: 'text', text: 'More.\n\n'.repeat(200) }] };
    await bare.post('chat/item', { conversationId, item });
    await bare.page.getByText('More.').last().waitFor({ state: 'attached' });
    const moved = Math.abs((await bare.page.evaluate<number>(whereItStands)) - before);
    assert.ok(moved < 1, `it moved by ${moved} px`); // a browser rounds where it scrolls to
    const [frame, button] = [await log.boundingBox(), await jump.boundingBox()];
    assert.ok(frame && button && button.y >= frame.y + frame.height, 'the button covers nothing');
    await bare.close();
  });

  it('says once that an answer is finished, and nothing while it streams', async () => {
    const bare = await openBarePage(browser, 'chat');
    const { conversationId } = emptyState();
    const answer = (state: string, text: string): object => ({
      conversationId,
      item: { kind: 'assistant', id: 'a', state, parts: [{ kind: 'text', id: 't', text }] },
    });
    await bare.post('chat/state', emptyState());
    await bare.post('chat/item', answer('streaming', 'One'));
    await bare.page.getByText('One').waitFor();
    const status = bare.page.getByRole('status', { name: 'Answer' });
    assert.equal(await status.textContent(), '');
    assert.equal(await bare.page.getByRole('log').getAttribute('aria-live'), 'off');
    await bare.post('chat/item', answer('done', 'One and two.'));
    await status.filter({ hasText: 'The answer is finished.' }).waitFor({ state: 'attached' });
    await bare.close();
  });

  it(`runs, loads and follows nothing of ${hostileMarkdown.length} hostile answers, and does not hang (release)`, async () => {
    assert.ok(hostileMarkdown.length >= 50);
    const bare = await openBarePage(browser, 'chat');
    const items = hostileMarkdown.map((text, index) => ({
      kind: 'assistant',
      id: `hostile${index}`,
      state: index % 2 === 0 ? 'done' : 'streaming',
      parts: [{ kind: 'text', id: `text${index}`, text }],
    }));
    await bare.post('chat/state', { ...emptyState(), items });
    await bare.page
      .locator('article')
      .nth(items.length - 1)
      .waitFor({ state: 'attached', timeout: 90_000 });
    // What is far from what is in view is words alone: somebody reads it all.
    const far = bare.page.locator('article.is-far, .message-group:empty, .message-section:empty');
    while ((await far.count()) > 0) {
      await far
        .last()
        .evaluate((each) => each.scrollIntoView())
        .catch(() => undefined); // drawn meanwhile
    }
    assert.equal(await bare.page.locator('article .markdown').count(), items.length);
    // Every answer is read by now, but for those that are too slow: they stay plain.
    await bare.page.waitForFunction(() => document.querySelectorAll('.markdown > .unread').length < 5);
    const found = await bare.page.evaluate(() => ({
      ran: 'hostileRan' in globalThis,
      elements: [...document.querySelectorAll('article *')]
        .filter((each) =>
          /^(?:script|iframe|object|embed|svg|math|form|style|link|meta|base|img|video|audio|source|body)$/i.test(each.tagName),
        )
        .map((each) => each.outerHTML.slice(0, 80)),
      attributes: [...document.querySelectorAll('article *')]
        .flatMap((each) => each.getAttributeNames())
        .filter((name) => name.startsWith('on') || ['href', 'src', 'srcset', 'action', 'formaction'].includes(name)),
    }));
    assert.deepEqual(found, { ran: false, elements: [], attributes: [] });
    const { origin } = new URL(bare.page.url());
    const own = [origin, origin.replace('127.0.0.1', 'localhost')];
    assert.deepEqual([bare.requested.filter((url) => !own.includes(new URL(url).origin)), bare.complaints], [[], []]);
    await bare.close();
  }).timeout(120_000);

  it('has no flaw that axe-core finds, with every kind of part open (release)', async () => {
    const bare = await openBarePage(browser, 'chat', { viewport: { width: 400, height: 900 } });
    await bare.post('chat/state', everyPart());
    await bare.nextSent('chat/drawn');
    for (const tool of ['list_items', 'describe', 'show_change', 'draw', 'find', 'break']) {
      await bare.page
        .getByRole('group', { name: `Tool call: demo ${tool}` })
        .getByRole('button')
        .first()
        .click();
    }
    await bare.page.getByRole('button', { name: /^Timeline/ }).click();
    await bare.page.screenshot({ path: path.join(outFolder, 'looks', 'page-bare-open.png') });
    await assertAccessible(bare.page.getByRole('log'), 'the chat with every kind of part');
    await bare.close();
  });

  it('fits from 220 to 1,200 px: rows of tables are low, and only wide tables scroll (release)', async () => {
    const bare = await openBarePage(browser, 'chat', { viewport: { width: 220, height: 900 } });
    await bare.post('chat/state', everyPart());
    await bare.nextSent('chat/drawn');
    for (const width of [220, 400, 1200]) {
      await bare.page.setViewportSize({ width, height: 900 });
      const overflow = await bare.page.getByRole('log').evaluate((log) => log.scrollWidth - log.clientWidth);
      assert.equal(overflow, 0, `${width} px`);
      const heights = await bare.page
        .locator('.markdown tbody tr')
        .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
      assert.ok(heights.length > 2 && heights.every((height) => height < 60), `rows of ${heights.join(', ')} px at ${width} px`);
      await bare.page.screenshot({ path: path.join(outFolder, 'looks', `page-bare-${width}.png`) });
    }
    await bare.close();
  });
});
