import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { PermissionRow } from '../../src/contract/pages/permissionMessages.ts';
import type { RegistryCard, RegistryPageState } from '../../src/contract/pages/registryMessages.ts';
import type { PageName } from '../../src/views/pages/pageHtml.ts';
import { type BarePage, openBarePage } from '../support/page/barePage.ts';
import { sharedBrowser } from '../support/page/browser.ts';

/** Whoever uses a page by keyboard alone goes on from where they are, whatever their last press took away. */
describe('The focus', function () {
  this.timeout(60_000);
  let bare: BarePage;

  const open = async (name: PageName): Promise<Page> => {
    bare = await openBarePage(await sharedBrowser(), name);
    return bare.page;
  };
  afterEach(() => bare.close());
  const button = (name: string): Locator => bare.page.getByRole('button', { name, exact: true });
  const press = async (what: Locator, key = 'Enter'): Promise<void> => {
    await what.focus();
    await bare.page.keyboard.press(key);
  };
  const isOn = async (what: Locator): Promise<boolean> => what.evaluate((element) => element === document.activeElement);
  /** Fails where the focus is on something else. */
  const mustBeOn = async (what: Locator): Promise<void> => assert.equal(await isOn(what), true);
  const count = async (message: string): Promise<number> => (await bare.sent()).filter(({ name }) => name === message).length;

  describe('in Browse Servers', () => {
    const card = (name: string, more: Partial<RegistryCard> = {}): RegistryCard => {
      const about = { description: '', version: '1.2.0', updated: '', website: '', isDeprecated: false, unreadable: 0, installed: [] };
      const ways = [{ id: 'package:0', kind: 'npm', shown: `${name}@1.2.0` }];
      return { name, title: name, ...about, repository: 'https://github.com/example', ways, ...more };
    };
    const old = { id: 'user/two', label: 'two', version: '1.0.0' };
    const cards = [card('one'), card('two', { installed: [{ ...old, newer: '1.2.0' }] }), card('three')];
    const show = (more: Partial<RegistryPageState> = {}): Promise<void> =>
      bare.post('registry/page', { host: 'registry.example', search: '', state: { kind: 'listed' }, cards, hasMore: true, ...more });
    const inCard = (name: string, of: string): Locator =>
      bare.page.getByRole('listitem').filter({ hasText: of }).getByRole('button', { name });
    const search = (): Locator => bare.page.getByRole('searchbox');

    beforeEach(async () => {
      await open('registry');
      await show();
      await button('Load more').waitFor();
    });

    it('stays on “Load more”, which does nothing while it loads, and goes to the last card with the last page', async () => {
      await press(button('Load more'));
      await show({ state: { kind: 'loading' } });
      await bare.page.getByRole('button', { name: 'Load more', exact: true, disabled: true }).waitFor();
      await bare.page.keyboard.press('Enter');
      assert.deepEqual([await isOn(button('Load more')), await count('registry/more')], [true, 1]);
      await show({ state: { kind: 'failed', text: 'It cannot be reached.' } });
      await bare.page.getByText('It cannot be reached.').waitFor();
      await bare.page.keyboard.press('Enter');
      assert.deepEqual([await isOn(button('Load more')), await count('registry/more')], [true, 2]);
      await show({ cards: [...cards, card('four')], hasMore: false });
      await button('Load more').waitFor({ state: 'detached' });
      await mustBeOn(inCard('Repository', 'four@'));
    });

    it('goes from “Retry” to the search', async () => {
      await show({ cards: [], state: { kind: 'failed', text: 'It cannot be reached.' } });
      await press(button('Retry'));
      await show({ cards: [], state: { kind: 'loading' } });
      await button('Retry').waitFor({ state: 'detached' });
      await mustBeOn(search());
    });

    it('comes back to the button whose form was cancelled, or to its card where an update was made', async () => {
      await press(inCard('Install', 'three@'));
      const ways = [{ id: 'package:0', kind: 'npm', shown: 'three', fields: [] }];
      await show({ install: { name: 'three', title: 'three', suggestedName: 'three', ways } });
      await press(button('Cancel'));
      await show();
      await button('Load more').waitFor();
      await mustBeOn(inCard('Install', 'three@'));

      const update = { title: 'two', server: 'two', location: 'user settings', changes: [{ field: 'Command', before: 'a', after: 'b' }] };
      for (const installed of [{ ...old, newer: '1.2.0' }, old]) {
        await press(inCard('Update', 'two@'));
        await show({ update });
        await press(button('Cancel'));
        await show({ cards: [card('one'), card('two', { installed: [installed] }), card('three')] });
        await button('Load more').waitFor();
        await mustBeOn(inCard('newer' in installed ? 'Update' : 'Install', 'two@'));
      }
    });

    it('goes to the heading where a download becomes a form', async () => {
      const download = { host: 'notes.example', publisher: 'one', sha256: 'c'.repeat(64), maxMegabytes: 256 };
      const install = { name: 'one', title: 'one', suggestedName: 'one' };
      const way = { id: 'package:0', kind: 'mcpb', shown: 'https://notes.example/n.mcpb', fields: [] };
      await show({ install: { ...install, ways: [{ ...way, download }] } });
      await press(button('Download'));
      await show({ install: { ...install, ways: [{ ...way, fetched: { what: 'one', bytes: 1, files: 1 } }] } });
      await button('Review').waitFor();
      await mustBeOn(bare.page.getByRole('heading', { level: 1 }));
    });
  });

  describe('in the permissions', () => {
    const row = (id: string): PermissionRow => {
      const about = { answer: 'allow', where: 'Everywhere', isHere: true, since: '2026-01-01T12:00:00.000Z', subject: id } as const;
      return { id, who: 'Chat', what: `start the server “${id}”`, ...about };
    };
    const show = async (...ids: readonly string[]): Promise<void> => {
      await bare.post('permissions/list', { rows: ids.map(row) });
      await bare.page.waitForFunction((wanted) => document.querySelectorAll('tbody tr').length === wanted, ids.length);
    };
    const revoke = (id: string): Locator =>
      bare.page
        .getByRole('row')
        .filter({ hasText: `“${id}”` })
        .getByRole('button', { name: 'Revoke' });
    const filter = (): Locator => bare.page.getByRole('searchbox', { name: 'Filter' });

    beforeEach(async () => {
      await open('permissions');
      await show('a', 'b', 'c');
    });

    it('goes from “Revoke” to that of the next row, else of the one before, and from the last one to the filter', async () => {
      await press(revoke('b'));
      await show('a', 'c');
      await mustBeOn(revoke('c'));
      await press(revoke('c'));
      await show('a');
      await mustBeOn(revoke('a'));
      await press(revoke('a'));
      await show();
      await mustBeOn(filter());
    });

    it('goes on while a key is held, which revokes one row only', async () => {
      const { keyboard } = bare.page;
      await revoke('a').focus();
      await keyboard.down('Enter');
      await show('b', 'c');
      await mustBeOn(revoke('b'));
      await keyboard.down('Enter');
      await keyboard.up('Enter');
      assert.equal(await count('permissions/revoke'), 1);

      await keyboard.down('Space');
      await show('c');
      await mustBeOn(revoke('c'));
      await keyboard.down('Space');
      await keyboard.up('Space');
      assert.equal(await count('permissions/revoke'), 1);
      for (const change of ['down', 'down', 'up'] as const) {
        await keyboard[change]('Space');
      }
      assert.equal(await count('permissions/revoke'), 2);
    });

    it('stays on “Revoke all shown”, which does nothing once nothing is shown', async () => {
      const all = bare.page.getByRole('button', { name: /^Revoke all shown/ });
      await press(all);
      await show();
      await bare.page.keyboard.press('Enter');
      assert.deepEqual([await isOn(all), await all.getAttribute('aria-disabled'), await count('permissions/revoke')], [true, 'true', 1]);
      await press(button('Export'));
      assert.equal(await count('permissions/export'), 0);
    });

    it('is not taken from who is elsewhere, and is back when they are', async () => {
      await press(revoke('b'));
      await bare.page.evaluate(() => (document.hasFocus = () => false));
      await show('a', 'c');
      await mustBeOn(bare.page.locator('body'));
      await bare.page.evaluate(() => {
        document.hasFocus = () => true;
        window.dispatchEvent(new Event('focus'));
      });
      await mustBeOn(filter());
    });
  });

  describe('in the traffic', () => {
    const row = { number: 1, time: 1, side: 'server', peerId: 'demo', peer: 'demo', direction: 'sent', kind: 'request', method: 'ping' };
    const rows = [{ ...row, subject: '', size: 120, isSizeLeast: false, isCut: false, state: 'answered', durationMs: 12 }];
    const tell = (isPaused: boolean): Promise<void> => bare.post('traffic/status', { isPaused, since: 1, hasGaps: false, isKept: false });
    const show = (): Promise<void> => bare.post('traffic/rows', { first: 1, dropped: 0, rows, matching: [] });
    const filter = (): Locator => bare.page.getByRole('searchbox', { name: 'Filter' });

    beforeEach(async () => {
      await open('traffic');
    });

    it('goes from “Clear filter” to the filter, also where another part of the page is open', async () => {
      await tell(false);
      await show();
      await bare.page.getByRole('row', { name: /ping/ }).click();
      await bare.post('traffic/detail', { number: 1, message: '{}', isCut: false, hasSecrets: false });
      await button('Send again').waitFor();
      await button('Only errors').click();
      await press(button('Clear filter'));
      await bare.page.getByRole('grid').waitFor();
      await mustBeOn(filter());
    });

    it('goes from “Continue recording” to the filter with the first message', async () => {
      await tell(true);
      await press(button('Continue recording'));
      await tell(false);
      await button('Run a tool').waitFor();
      await mustBeOn(button('Run a tool'));
      await show();
      await bare.page.getByRole('grid').waitFor();
      await mustBeOn(filter());
    });
  });

  describe('in the Doctor', () => {
    const finding = (id: string): object => ({ id, severity: 'error', name: id, text: '', actions: [{ action: 'start', label: 'Start' }] });
    const show = async (...ids: readonly string[]): Promise<void> => {
      const sections = [{ title: 'Servers', findings: ids.map(finding) }];
      await bare.post('doctor/report', { summary: `Findings: ${ids.join(' ')}.`, sections });
      await bare.page.getByText(`Findings: ${ids.join(' ')}.`).waitFor();
    };

    beforeEach(async () => {
      await open('doctor');
    });

    it('goes from a finding that is mended to what can be done about the next, else to the heading', async () => {
      await show('one', 'two');
      await press(button('Start: one'));
      await show('two');
      await mustBeOn(button('Start: two'));
      await press(button('Start: two'));
      await show();
      await mustBeOn(bare.page.getByRole('heading', { level: 1 }));
    });

    it('goes past findings that are mended with the pressed one, to the nearest that is left', async () => {
      await show('one', 'two', 'three', 'four');
      await press(button('Start: two'));
      await show('one', 'four');
      await mustBeOn(button('Start: four'));
      await show('one', 'two', 'three', 'four');
      await press(button('Start: four'));
      await show('one', 'two');
      await mustBeOn(button('Start: two'));
      await press(button('Start: one'));
      await show();
      await mustBeOn(bare.page.getByRole('heading', { level: 1 }));
    });
  });

  it('goes in the audit log from “Show more” to the last line, where no more are shown', async () => {
    const page = await open('audit');
    const about = {
      time: '2026-01-01T12:00:00.000Z',
      who: '',
      peer: '',
      outcome: 'succeeded',
      decidedBy: 'person',
      durationMs: 1,
      whole: '{}',
    };
    const line = (number: number): object => ({ place: `audit.jsonl:${number}`, what: `Call ${number}`, ...about });
    const show = (lines: number): Promise<void> => {
      const rows = Array.from({ length: lines }, (_, index) => line(index + 1));
      return bare.post('audit/page', { status: { kind: 'good', text: '' }, rows, matching: 3, total: 3, bars: { hours: [], names: [] } });
    };
    await show(2);
    await press(button('Show more'));
    await show(3);
    await button('Show more').waitFor({ state: 'detached' });
    await mustBeOn(page.getByRole('row').filter({ hasText: 'Call 3' }).getByRole('button'));
  });
});
