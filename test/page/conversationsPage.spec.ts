import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { assertAccessible } from '../support/page/accessibility.ts';
import { openBarePage, type BarePage } from '../support/page/barePage.ts';
import { sharedBrowser } from '../support/page/browser.ts';
import { emptyState } from '../support/page/longConversation.ts';

const entry = (id: string, title: string): object => ({ id, title, changedAt: Date.UTC(2026, 0, 1), messages: 2, state: 'kept' });
const whales = entry('whales', 'Tell me about whales');
const counting = entry('counting', 'Count for me');

describe('The list of conversations', () => {
  let bare: BarePage;
  const list = (): Locator => bare.page.getByRole('listbox', { name: 'Conversations' });
  const row = (title: string): Locator => list().getByRole('option', { name: title });
  const button = (name: string): Locator => bare.page.getByRole('toolbar').getByRole('button', { name, exact: true });
  const tell = (entries: readonly object[], search = '', more: object = {}): Promise<void> =>
    bare.post('conversations/list', { search, entries, isCut: false, unreadable: [], ...more });

  beforeEach(async () => {
    bare = await openBarePage(await sharedBrowser(), 'chat', { viewport: { width: 300, height: 600 } });
    await bare.post('chat/state', emptyState());
    await bare.page.getByRole('button', { name: 'Conversations' }).click();
    assert.deepEqual(await bare.nextSent('conversations/show'), { search: '' });
    await tell([whales, counting]);
    await row('Count for me').waitFor();
  });
  afterEach(() => bare.close());

  it('is searched by what was said, and opens one by a click', async () => {
    await assertAccessible(bare.page.getByRole('region', { name: 'Kept conversations' }), 'the list of conversations');
    await bare.page.getByRole('searchbox', { name: 'Search conversations' }).fill('LARGE');
    assert.deepEqual(await bare.nextSent('conversations/show'), { search: 'LARGE' });
    await tell([whales], 'LARGE');
    await row('Count for me').waitFor({ state: 'detached' });
    await row('Tell me about whales').click();
    assert.deepEqual(await bare.nextSent('conversations/open'), { id: 'whales' });
    await list().waitFor({ state: 'detached' });
  });

  it('is used by keyboard alone: the marked one is renamed, opened and deleted', async () => {
    const search = bare.page.getByRole('searchbox', { name: 'Search conversations' });
    await search.press('ArrowDown');
    assert.match((await list().getAttribute('aria-activedescendant')) ?? '', /counting$/);
    await search.press('F2');
    assert.deepEqual(await bare.nextSent('conversations/rename'), { id: 'counting' });
    await search.press('Enter');
    assert.deepEqual(await bare.nextSent('conversations/open'), { id: 'counting' });
    await list().waitFor({ state: 'detached' });
  });

  it('has a row that goes when it is deleted, and comes back by Undo', async () => {
    await row('Count for me').hover();
    await button('Delete').click();
    assert.deepEqual(await bare.nextSent('conversations/delete'), { id: 'counting' });
    await tell([whales], '', { deleted: { id: 'counting', title: 'Count for me' } });
    await row('Count for me').waitFor({ state: 'detached' });
    await bare.page.getByRole('button', { name: 'Undo' }).click();
    assert.deepEqual(await bare.nextSent('conversations/undoDelete'), { id: 'counting' });
    await tell([whales, counting]);
    await row('Count for me').waitFor();
  });
});

describe('The conversation that is shown', () => {
  it('says that it is not being kept for as long as it cannot be written', async () => {
    const bare = await openBarePage(await sharedBrowser(), 'chat', { viewport: { width: 300, height: 600 } });
    try {
      const note = bare.page.getByRole('status').filter({ hasText: 'not being kept for the moment' });
      const heading = { title: '', isAnsweredElsewhere: false, messagesLeftOut: 0 };
      await bare.post('chat/state', { ...emptyState(), heading: { ...heading, isNotKept: true } });
      await note.waitFor();
      await assertAccessible(bare.page.getByRole('main'), 'a chat that is not kept');
      await bare.post('chat/state', { ...emptyState(), heading });
      await note.waitFor({ state: 'detached' });
    } finally {
      await bare.close();
    }
  });
});
