import assert from 'node:assert/strict';
import * as path from 'node:path';
import type { Locator } from 'playwright-core';
import { assertAccessible } from '../support/page/accessibility.ts';
import { openBarePage, type BarePage } from '../support/page/barePage.ts';
import { sharedBrowser } from '../support/page/browser.ts';
import { emptyState } from '../support/page/longConversation.ts';
import { pageThemes, wearTheme } from '../support/page/pageThemes.ts';
import { overlapping, questionKinds } from '../support/page/questionKinds.ts';
import { outFolder } from '../support/run/repository.mjs';

describe('A question at 300 px', function () {
  this.timeout(60_000);
  let bare: BarePage;
  const card = (): Locator => bare.page.getByRole('group', { name: /^Permission:/ });

  beforeEach(async () => {
    bare = await openBarePage(await sharedBrowser(), 'chat', { viewport: { width: 300, height: 900 } });
  });
  afterEach(() => bare.close());

  for (const [kind, [detail, choices]] of Object.entries(questionKinds)) {
    it(`is whole and cuts nothing in any theme: ${kind}`, async () => {
      const question = { askId: kind, detail, why: 'new', differences: [], choices };
      const items = [{ kind: 'assistant', id: 'a', state: 'streaming', parts: [{ kind: 'question', id: 'q', question }] }];
      await bare.post('chat/state', { ...emptyState(), isRunning: true, items });
      await card().waitFor();
      for (const theme of pageThemes) {
        await wearTheme(bare.page, theme);
        await bare.page.screenshot({ path: path.join(outFolder, 'looks', `question-${kind}-${theme}.png`) });
        assert.equal(await card().evaluate((each) => each.scrollWidth - each.clientWidth), 0, 'nothing stands out');
        assert.deepEqual(await card().evaluate(overlapping), [], 'no answer lies over another');
        await assertAccessible(card(), `${kind} in ${theme}`);
      }
    });
  }
});
