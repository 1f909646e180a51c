import assert from 'node:assert/strict';
import * as path from 'node:path';
import type { Browser, Locator } from 'playwright-core';
import type { EditReview, ReviewedFile } from '../../src/contract/chat/editReview.ts';
import { assertAccessible } from '../support/page/accessibility.ts';
import { type BarePage, openBarePage } from '../support/page/barePage.ts';
import { brokenWords } from '../support/page/brokenWords.ts';
import { sharedBrowser } from '../support/page/browser.ts';
import { emptyState } from '../support/page/longConversation.ts';
import { outFolder } from '../support/run/repository.mjs';

const short: ReviewedFile = {
  path: 'src/components/checkout/shippingAddress.ts',
  change: 'change',
  added: 1,
  removed: 1,
  diff: [
    { kind: 'gap', text: '' },
    { kind: 'same', text: 'export function total(cart: Cart): number {' },
    { kind: 'removed', text: '  return 0;' },
    { kind: 'added', text: '  return cart.price * cart.amount;' },
    { kind: 'same', text: '}' },
  ],
};
const lines = Array.from({ length: 120 }, (_, index) => ({ kind: 'added', text: `const line${index} = ${index};` }) as const);
const long: ReviewedFile = { path: 'src/new.ts', change: 'create', added: 120, removed: 0, diff: lines };

describe('The card of a proposed change', () => {
  let browser: Browser;
  let bare: BarePage;
  before(async () => {
    browser = await sharedBrowser();
  });
  afterEach(() => bare.close());

  const show = async (files: readonly ReviewedFile[], isSeenInEditor = false): Promise<void> => {
    const review: EditReview = { id: 'one', files: [...files], isSeenInEditor };
    const part = { kind: 'toolCall', id: 'call', server: 'editor', tool: 'propose_edits', about: 'src/new.ts', state: 'waiting' };
    const call = { ...part, arguments: '{}', result: [], resultBytes: 0, review };
    const items = [
      { kind: 'user', id: 'u', text: 'Mend it.' },
      { kind: 'assistant', id: 'a', state: 'streaming', parts: [call] },
    ];
    await bare.post('chat/state', { ...emptyState(), isRunning: true, items });
    await button('Accept').waitFor();
  };
  const open = async (width = 300): Promise<void> => {
    bare = await openBarePage(browser, 'chat', { viewport: { width, height: 700 } });
  };
  const card = (): Locator => bare.page.getByRole('group', { name: 'Tool call: editor propose_edits' });
  const button = (name: string): Locator => card().getByRole('button', { name, exact: true });
  const armed = (): Promise<void> => card().locator('.button.is-primary[aria-disabled="false"]').waitFor();
  const answers = async (): Promise<readonly string[]> =>
    (await bare.sent()).filter(({ name }) => name.startsWith('review/')).map(({ name, body }) => `${name} ${JSON.stringify(body)}`);

  it('says that it waits, lists the files with their counts, and takes each answer', async () => {
    await open();
    await show([short]);
    await card().getByText('Waiting for you', { exact: true }).waitFor();
    assert.match(await card().innerText(), /shippingAddress\.ts\s*\+1 −1/);
    await armed();
    await bare.page.screenshot({ path: path.join(outFolder, 'looks', 'edit-review-300.png') });
    await assertAccessible(card(), 'the card of a proposed change');
    await button('Open diff').click();
    await button('Reject').click();
    await button('Accept').click();
    await bare.page.waitForFunction(() => document.querySelectorAll('.button.is-primary[aria-disabled="true"]').length === 1);
    assert.deepEqual(await answers(), [
      'review/open {"id":"one"}',
      'review/reject {"id":"one"}',
      'review/accept {"id":"one","isRead":true}',
    ]);
  });

  it('arms Accept only when all of the diff was in view; a press before leads to what was not', async () => {
    await open();
    await show([short, long]);
    const isWhole = bare.page.getByText('All that is unfolded was in view');
    let presses = 0;
    for (; presses < 60 && !(await isWhole.isVisible()); presses += 1) {
      assert.equal(await button('Accept').getAttribute('aria-disabled'), 'true');
      await button('Accept').click({ force: true });
      // What came into view is told by the browser with the next frame.
      await bare.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      assert.deepEqual(await answers(), []);
    }
    assert.ok(presses > 2 && presses < 60, `${presses} presses`);
    await armed();
    await button('Accept').click();
    assert.deepEqual(await bare.nextSent('review/accept'), { id: 'one', isRead: true });
  });

  it('is rejected by the second Escape, wherever its diff is read; the first one says so, and neither stops the turn', async () => {
    await open();
    const { diff, ...counts } = long;
    assert.ok(diff);
    const files = { inTheCard: [short], belowItsEnd: [long], inTheEditor: [{ ...counts, isTooLong: true }] };
    const press = async (shown: readonly ReviewedFile[]): Promise<void> => {
      await show(shown);
      await button('Open diff').focus();
      await bare.page.keyboard.down('Escape');
      await card().getByText('Press Escape again to deny.').first().waitFor();
    };
    for (const [where, shown] of Object.entries(files)) {
      await press(shown);
      // A picture may take longer than the first press counts.
      await bare.page.screenshot({ path: path.join(outFolder, 'looks', `edit-review-escape-${where}.png`) });
      const { keyboard } = bare.page;
      await keyboard.up('Escape');
      await bare.reload();
      await press(shown);
      await keyboard.down('Escape'); // repeats, as a held key does
      await keyboard.up('Escape');
      assert.deepEqual(await answers(), []);
      await keyboard.press('Escape');
      assert.deepEqual(await bare.nextSent('review/reject'), { id: 'one' }, where);
      assert.equal((await bare.sent()).filter(({ name }) => name === 'chat/stop').length, 0, where);
      await bare.reload();
    }
  });

  it('leaves a diff that is too long to the editor: Accept opens it, and is armed once it was seen there (release)', async () => {
    await open();
    const { diff, ...counts } = long;
    assert.ok(diff);
    await show([short, { ...counts, isTooLong: true }]);
    await card().getByText('Too long to show here').waitFor();
    await button('Accept').click({ force: true });
    await bare.nextSent('review/open');
    await show([short, { ...counts, isTooLong: true }], true);
    await armed();
    await button('Accept').click();
    assert.deepEqual(await bare.nextSent('review/accept'), { id: 'one', isRead: false });
  });

  it('breaks no word of its own in a narrow window, and nothing stands out (release)', async () => {
    for (const width of [180, 220, 420, 720]) {
      await open(width);
      await show([short, { ...short, path: 'b.ts', change: 'move', newPath: 'src/c.ts' }]);
      await bare.page.screenshot({ path: path.join(outFolder, 'looks', `edit-review-${width}.png`) });
      assert.deepEqual(await brokenWords(bare.page, '.edit-review'), [], `${width} px`);
      assert.equal(await bare.page.getByRole('log').evaluate((log) => log.scrollWidth - log.clientWidth), 0, `${width} px`);
      await (width === 720 ? undefined : bare.close());
    }
  });
});
