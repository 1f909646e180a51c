import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { inputSchema } from '../fixtures/servers/parcelsSchema.mjs';
import { assertAccessible } from '../support/page/accessibility.ts';
import { openBarePage, type BarePage } from '../support/page/barePage.ts';
import { sharedBrowser } from '../support/page/browser.ts';
import { argumentForm } from '../unit/schemaForms/support.ts';

describe('The form of a tool with parameters of every kind', () => {
  let bare: BarePage;
  const form = (): Locator => bare.page.getByRole('form', { name: 'Run post send_parcels' });
  const field = (name: string): Locator => form().getByRole('textbox', { name, exact: true });

  const isFocusIn = (element: Locator): Promise<boolean> =>
    element.evaluate((node) => node !== document.activeElement && node.contains(document.activeElement));

  before(async () => {
    bare = await openBarePage(await sharedBrowser(), 'runner', { viewport: { width: 1000, height: 900 } });
    await bare.post('runner/tool', {
      key: { serverId: 'post', tool: 'send_parcels' },
      server: 'post',
      tool: 'send_parcels',
      title: 'Send parcels',
      description: 'Sends parcels to a place.',
      claims: [],
      form: argumentForm(inputSchema),
      isKnown: true,
      arguments: '{"when": "2026-01-31"}',
      state: 'ready',
    });
  });
  after(() => bare.close());

  /** As the extension does, which holds what is typed against the whole schema. */
  async function refuseZip(): Promise<void> {
    for (;;) {
      const { requestId, arguments: typed } = (await bare.nextSent('runner/check')) as {
        readonly requestId: number;
        readonly arguments: string;
      };
      if (/"zip": ?"12"/.test(typed)) {
        const refusal = { path: ['to', 'zip'], keyword: 'pattern', wanted: '^[0-9]{5}$', reason: 'must match pattern' };
        return bare.post('runner/checked', { requestId, refusals: [refusal], mayKeep: true });
      }
    }
  }

  it('is filled in with the kinds of a value, lists of objects, entries of any name and null', async () => {
    await form().getByRole('combobox', { name: 'Kind of Where to' }).selectOption('Address');
    await field('street').fill('High Street 1');
    await field('zip').fill('12');
    await refuseZip();
    await form().getByText('This must fit the pattern ^[0-9]{5}$').waitFor();
    await field('zip').fill('12345');
    await form().getByText('This must fit the pattern').waitFor({ state: 'detached' });
    await form().getByRole('button', { name: 'Add to Parcels' }).click();
    assert.equal(await isFocusIn(form().getByRole('group', { name: /Parcels 1/ })), true, 'the focus is in what was added');
    await field('weight').first().fill('1.2');
    await form().getByText('A multiple of 0.5.').waitFor();
    await field('weight').first().fill('1.5');
    await form().getByRole('combobox', { name: 'kind', exact: true }).selectOption('box');
    await form().getByRole('button', { name: 'Add to Parcels' }).click();
    await form().getByRole('button', { name: 'Remove Parcels 2' }).click();
    await field('Name of an entry in Labels').fill('color');
    await field('Name of an entry in Labels').press('Enter');
    await bare.page.keyboard.type('red');
    assert.equal(await field('color').inputValue(), 'red');
    await form()
      .getByRole('button', { name: /^Not given.*1 more parameter/ })
      .click();
    await form().getByRole('checkbox', { name: 'note: send null' }).check();
    await bare.page.getByRole('button', { name: 'Run', exact: true }).click();
    const { arguments: sent } = (await bare.nextSent('runner/run')) as { readonly arguments: string };
    const wanted = {
      to: { street: 'High Street 1', zip: '12345' },
      parcels: [{ weight: 1.5, kind: 'box' }],
      labels: { color: 'red' },
      note: null,
      when: '2026-01-31',
    };
    assert.deepEqual(JSON.parse(sent), wanted);
    await form().getByRole('tab', { name: 'JSON' }).click();
    assert.deepEqual(JSON.parse(await form().getByRole('textbox', { name: 'Arguments as JSON' }).inputValue()), wanted);
    await form().getByRole('tab', { name: 'Form' }).click();
  });

  it('has nothing for axe-core, and fits into a narrow tab', async () => {
    await assertAccessible(form(), 'the form');
    await bare.page.setViewportSize({ width: 320, height: 900 });
    assert.equal(await bare.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0);
  });
});
