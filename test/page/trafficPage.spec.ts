import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { TrafficDetail, TrafficRow } from '../../src/contract/pages/trafficMessages.ts';
import { assertAccessible } from '../support/page/accessibility.ts';
import { openBarePage, type BarePage } from '../support/page/barePage.ts';
import { sharedBrowser } from '../support/page/browser.ts';

const began = Date.UTC(2026, 0, 1, 12);

function row(number: number, more: Partial<TrafficRow>): TrafficRow {
  return {
    number,
    time: began + number,
    side: 'server',
    peerId: 'demo',
    peer: 'demo',
    direction: 'sent',
    kind: 'request',
    method: 'ping',
    subject: '',
    size: 120,
    isSizeLeast: false,
    isCut: false,
    state: 'answered',
    durationMs: 12,
    ...more,
  };
}

const rows = [
  row(1, { method: 'initialize' }),
  row(2, { method: 'tools/call', subject: 'roll_dice' }),
  ...Array.from({ length: 30 }, (_, index) => row(index + 3, {})),
  row(33, { isCut: true, size: 90_000 }),
];

describe('The page of the traffic', () => {
  let bare: BarePage;
  const grid = (): Locator => bare.page.getByRole('grid', { name: 'Messages' });
  const details = (): Locator => bare.page.getByRole('region', { name: 'Message' });

  beforeEach(async () => {
    bare = await openBarePage(await sharedBrowser(), 'traffic', { viewport: { width: 1000, height: 500 } });
    await bare.post('traffic/status', { isPaused: false, since: began, hasGaps: false, isKept: false });
    await bare.post('traffic/rows', { first: 1, dropped: 0, rows, matching: [] });
    await grid()
      .getByRole('row', { name: /initialize/ })
      .waitFor();
  });
  afterEach(() => bare.close());

  /** What the extension answers when a row is chosen. */
  async function tellDetail(more: Partial<TrafficDetail> = {}): Promise<number | undefined> {
    const { number } = (await bare.nextSent('traffic/select')) as { readonly number?: number };
    const { method } = rows.find((each) => each.number === number) ?? row(0, {});
    const message = JSON.stringify({ jsonrpc: '2.0', id: number, method });
    await bare.post('traffic/detail', { number, message, isCut: false, hasSecrets: false, ...more });
    return number;
  }

  it('is used by keyboard alone, and shows a message as JSON', async () => {
    await grid().focus();
    await grid().press('Home');
    assert.equal(await tellDetail(), 1);
    await grid().getByRole('row', { selected: true }).first().waitFor();
    await details().getByRole('tab', { name: 'Tree' }).press('ArrowRight');
    const shown = details().getByRole('tabpanel', { name: 'JSON' }).getByText('"jsonrpc": "2.0"').first();
    await shown.waitFor();
    await details().getByRole('tab', { name: 'JSON', selected: true }).press('Escape');
    await details().waitFor({ state: 'hidden' });
    await bare.page.locator('.traffic-grid:focus [aria-selected="true"]').waitFor();
    await grid().press('Enter');
    await shown.waitFor();
    await grid().press('End');
    await shown.waitFor(); // the choice stays
    await details().getByRole('button', { name: 'Close' }).press('Enter');
    await bare.page.locator('.traffic-grid:focus').waitFor();
    await details().waitFor({ state: 'hidden' });
  });

  it('says why something is not offered, and that nothing matches', async () => {
    await grid()
      .getByRole('row', { name: /initialize/ })
      .click();
    await tellDetail({ noSendAgain: 'method' });
    await details()
      .getByRole('button', { name: 'Send again', description: /can be sent again/, disabled: true })
      .waitFor();
    const filter = bare.page.getByRole('searchbox', { name: 'Filter' });
    await filter.fill('nothing has this in it');
    assert.deepEqual(
      [await bare.nextSent('traffic/find'), await bare.nextSent('traffic/find')],
      [{ text: '' }, { text: 'nothing has this in it' }],
    );
    await bare.post('traffic/found', { text: 'nothing has this in it', numbers: [] });
    await bare.page.getByText('No message matches.').waitFor();
    await bare.page.getByRole('button', { name: 'Clear filter' }).click();
    assert.deepEqual(await bare.nextSent('traffic/find'), { text: '' });
    await bare.post('traffic/found', { text: '', numbers: rows.map(({ number }) => number) });
    await grid()
      .getByRole('row', { name: /tools\/call\s*roll_dice/ })
      .waitFor();
    assert.equal(await filter.inputValue(), '');
  });

  it('says in its row that a message is not kept whole, and has nothing for axe-core', async () => {
    await bare.page.getByRole('combobox', { name: 'Method' }).selectOption('ping');
    await grid().focus();
    await grid().press('End');
    await grid()
      .getByRole('row', { name: /ping.*\(not kept whole\)/ })
      .waitFor();
    await assertAccessible(bare.page.locator('body'), 'the traffic');
  });

  it('fits into a narrow panel', async () => {
    await bare.page.setViewportSize({ width: 300, height: 500 });
    await grid()
      .getByRole('row', { name: /roll_dice/ })
      .click();
    await tellDetail();
    await details().waitFor();
    assert.equal(await bare.page.locator('body').evaluate((element) => element.scrollWidth - element.clientWidth), 0);
  });
});
