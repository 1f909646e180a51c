import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import * as path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import type { PageName } from '../../src/views/pages/pageHtml.ts';
import { readTexts, translationPath } from '../support/l10n/translations.ts';
import { openBarePage, type BarePage } from '../support/page/barePage.ts';
import { sharedBrowser } from '../support/page/browser.ts';
import { everyPart } from '../support/page/everyPart.ts';
import { emptyState } from '../support/page/longConversation.ts';
import { wearTheme } from '../support/page/pageThemes.ts';
import { overlapping, questionKinds } from '../support/page/questionKinds.ts';
import { outFolder } from '../support/run/repository.mjs';

/** The longest words that German has on buttons and labels, and the widest answers. */
const everyChoice = ['deny', 'denyAlways', 'allowOnce', 'allowSession', 'allowWorkspace', 'allowAlways'] as const;

describe('Pages in German at 300 px', function () {
  this.timeout(120_000);
  const texts = readTexts(translationPath('de'));
  const pictures = path.join(outFolder, 'looks');
  let bare: BarePage;

  const open = async (name: PageName): Promise<Page> => {
    bare = await openBarePage(await sharedBrowser(), name, { viewport: { width: 300, height: 900 }, locale: 'de' });
    await wearTheme(bare.page, 'dark');
    return bare.page;
  };
  before(() => mkdirSync(pictures, { recursive: true }));
  afterEach(() => bare.close());
  const picture = (name: string): Promise<unknown> => bare.page.screenshot({ path: path.join(pictures, `german-${name}.png`) });

  it('no question cuts a word or lays one answer over another, whatever its kind, and its words are German (release)', async () => {
    const page = await open('chat');
    const card: Locator = page.getByRole('group', { name: /^Berechtigung:/ });
    for (const [kind, [detail, choices]] of Object.entries(questionKinds)) {
      await bare.post('chat/state', emptyState());
      await card.waitFor({ state: 'detached' });
      const wide = kind === 'seeEditor' || kind === 'sendContent' ? everyChoice : choices;
      const question = { askId: kind, detail, why: 'new', differences: [], choices: wide };
      const items = [{ kind: 'assistant', id: kind, state: 'streaming', parts: [{ kind: 'question', id: kind, question }] }];
      await bare.post('chat/state', { ...emptyState(), isRunning: true, items });
      await card.waitFor();
      await picture(`question-${kind}`);
      assert.equal(await card.evaluate((each) => each.scrollWidth - each.clientWidth), 0, `${kind}: nothing stands out`);
      assert.deepEqual(await card.evaluate(overlapping), [], `${kind}: no answer lies over another`);
      const labels = await card.locator('[data-answers] button').allTextContents();
      assert.deepEqual(
        labels.filter((label) => Object.hasOwn(texts, label) && texts[label] !== label),
        [],
        `${kind}: no answer is English`,
      );
    }
  });

  it('no part of the chat stands out of it, and its numbers are written as in German', async () => {
    const page = await open('chat');
    await bare.post('chat/state', { ...everyPart(), isRunning: false });
    await page.locator('article').last().waitFor();
    await picture('chat');
    assert.equal(await page.locator('html').getAttribute('lang'), 'de');
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0);
    assert.equal(await page.locator('.composer-foot').evaluate((each) => each.scrollWidth - each.clientWidth), 0);
    await page.getByRole('textbox', { name: 'Nachricht' }).waitFor();
    assert.match(await page.locator('.chat').innerText(), /\d,\d s/);
  });
});
