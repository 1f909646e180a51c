import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { openBarePage, type BarePage } from '../support/page/barePage.ts';
import { sharedBrowser } from '../support/page/browser.ts';
import { aMoment } from '../ui/pages/questions.ts';
import { argumentForm } from '../unit/schemaForms/support.ts';

const tool = {
  key: { serverId: 'post', tool: 'send' },
  server: 'post',
  tool: 'send',
  description: 'Sends a letter.',
  claims: [],
  definition: 'first',
  form: argumentForm({ type: 'object', properties: { to: { type: 'string' } }, required: ['to'] }),
  isKnown: true,
  arguments: '{"to": "Ada"}',
  state: 'ready',
};
const ended = { kind: 'ended', ending: 'succeeded', items: [{ kind: 'text', text: 'Sent.' }], bytes: 5, arguments: '{"to": "Ada"}' };
/** More than any screen shows at once. */
const long = Array.from({ length: 80 }, (_, line) => `Line ${line} of what it does.`).join('\n');

/** Run is the consent for what the page shows, so it is armed like Allow. */
describe('Run on the page of Run Tool', function () {
  this.timeout(60_000);
  let bare: BarePage;
  const button = (name: string): Locator => bare.page.getByRole('button', { name, exact: true });
  const armed = (): Promise<void> => button('Run').and(bare.page.locator('[aria-disabled="false"]')).waitFor();
  const dim = (): Promise<void> => button('Run').and(bare.page.locator('[aria-disabled="true"]')).waitFor();
  const press = async (): Promise<void> => {
    await bare.page.mouse.down();
    await bare.page.mouse.up();
  };
  /** What was asked of the host: to run with a definition is the consent, without one the host asks. */
  const runs = async (): Promise<readonly unknown[]> =>
    (await bare.sent())
      .filter(({ name }) => name === 'runner/run' || name === 'runner/again')
      .map(({ name, body }) => {
        const { arguments: args, definition } = body as { arguments?: string; definition?: string };
        return name === 'runner/again' ? 'again' : [JSON.parse(args ?? ''), definition];
      });

  beforeEach(async () => {
    bare = await openBarePage(await sharedBrowser(), 'runner', { viewport: { width: 700, height: 700 } });
  });
  afterEach(() => bare.close());

  it('says which definition it was pressed for, with the arguments that were shown', async () => {
    await bare.post('runner/tool', tool);
    await armed();
    await button('Run').click();
    assert.deepEqual(await runs(), [[{ to: 'Ada' }, 'first']]);
  });

  it('does not count before the definition and the arguments were in view to their ends, and a press leads there', async () => {
    await bare.post('runner/tool', { ...tool, arguments: JSON.stringify({ to: long }) });
    await bare.page.getByText('Sends a letter.').scrollIntoViewIfNeeded();
    await button('Run').scrollIntoViewIfNeeded();
    await armed();
    await bare.post('runner/tool', { ...tool, arguments: JSON.stringify({ to: long }), definition: 'second' });
    await bare.page.getByRole('button', { name: 'Lines further up are still to see' }).waitFor();
    await button('Run').hover();
    await press();
    assert.deepEqual(await runs(), []);
    await bare.page.waitForFunction(() => document.documentElement.scrollTop === 0);
    await button('Run').scrollIntoViewIfNeeded();
    await armed();
    await button('Run').click();
    assert.deepEqual(await runs(), [[{ to: long }, 'second']]);
  });

  it('folds a long description only where it was read before', async () => {
    await bare.post('runner/tool', { ...tool, description: long });
    await bare.page.getByText('Line 79 of what it does.').waitFor();
    await bare.post('runner/tool', { ...tool, description: long, isRead: true });
    await bare.page.getByText('Line 79 of what it does.').waitFor({ state: 'detached' });
    await armed();
  });

  it('does not count for a press that was aimed before the definition became another one (release)', async () => {
    await bare.post('runner/tool', tool);
    await armed();
    await button('Run').hover();
    await bare.post('runner/tool', { ...tool, definition: 'second' });
    await press();
    assert.deepEqual(await runs(), []);
    await dim();
    await armed();
    await press();
    assert.deepEqual(await runs(), [[{ to: 'Ada' }, 'second']]);
  });

  it('does not count for a press that was aimed before the arguments became others', async () => {
    await bare.post('runner/tool', tool);
    await bare.post('runner/kept', { runs: [], presets: [{ id: 'p', name: 'Bob', arguments: '{"to": "Bob"}' }] });
    await armed();
    const preset = bare.page.getByRole('button', { name: 'Bob', exact: true });
    await button('Run').hover();
    await preset.evaluate((element: HTMLElement) => element.click());
    await press();
    assert.deepEqual(await runs(), []);
    await dim();
    await armed();
    await press();
    assert.deepEqual(await runs(), [[{ to: 'Bob' }, 'first']]);
  });

  it('does not count for a key that was pressed before it was armed, and does for a fresh one', async () => {
    await bare.post('runner/tool', tool);
    await armed();
    const field = bare.page.getByRole('textbox', { name: 'to', exact: true });
    await field.fill('Eve');
    await bare.page.keyboard.press('Control+Enter');
    assert.deepEqual(await runs(), []);
    await dim();
    await armed();
    await field.press('Control+Enter');
    assert.deepEqual(await runs(), [[{ to: 'Eve' }, 'first']]);
  });

  it('leaves the consent to the question where the person is asked in any case', async () => {
    const asking = { ...tool, definition: undefined };
    await bare.post('runner/tool', asking);
    await button('Run').click();
    assert.deepEqual(await runs(), [[{ to: 'Ada' }, undefined]]);
  });

  it('is repeated as consent by “Run again” only while those arguments are in view (release)', async () => {
    await bare.post('runner/tool', tool);
    await bare.post('runner/run', ended);
    await armed();
    await aMoment(bare.page); // the result came after the form
    await button('Run again').click();
    assert.deepEqual(await runs(), [[{ to: 'Ada' }, 'first']]);
    await bare.page.getByRole('textbox', { name: 'to', exact: true }).fill('Eve');
    await armed();
    await button('Run again').click();
    assert.deepEqual((await runs()).slice(1), ['again'], 'the form has others');
    await bare.post('runner/run', { ...ended, arguments: '{"to": "Eve"}', items: [{ kind: 'text', text: long }] });
    await button('Run again').scrollIntoViewIfNeeded();
    await button('Run again').click();
    assert.deepEqual((await runs()).slice(2), ['again'], 'the form is out of view');
  });

  it('is not repeated as consent from the earlier runs, whose arguments are cut there', async () => {
    await bare.post('runner/tool', tool);
    await bare.post('runner/kept', { runs: [{ id: 'a', at: 1, arguments: '{"to": "Bob"}', ending: 'succeeded' }], presets: [] });
    await bare.page.getByRole('button', { name: /^Earlier runs/ }).click();
    await bare.page.getByRole('button', { name: /Run again with/, disabled: false }).click();
    assert.deepEqual(await runs(), [[{ to: 'Bob' }, undefined]]);
  });
});
