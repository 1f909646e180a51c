import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { Attachment } from '../../src/contract/chat/attachments.ts';
import type { ChatState } from '../../src/contract/chat/chatState.ts';
import { openBarePage, type BarePage } from '../support/page/barePage.ts';
import { sharedBrowser } from '../support/page/browser.ts';
import { emptyState } from '../support/page/longConversation.ts';

const readme = { id: 'file:README.md', kind: 'file', name: 'README.md', detail: '' };
const cart = { id: 'file:src/cart.js', kind: 'file', name: 'src/cart.js', detail: '' };
const chip: Attachment = { id: 'one', kind: 'file', name: 'README.md', bytes: 210 };
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

interface Asked {
  readonly requestId: number;
  readonly trigger: string;
  readonly query: string;
}

describe('The composer of the chat', () => {
  let bare: BarePage;
  const message = (): Locator => bare.page.getByRole('textbox', { name: 'Message' });
  const suggestions = (): Locator => bare.page.getByRole('listbox', { name: 'Suggestions' });
  const attachments = (): Locator => bare.page.getByRole('list', { name: 'Attachments' });
  const tell = (changes: Partial<ChatState> = {}): Promise<void> => bare.post('chat/state', { ...emptyState(), ...changes });
  const isFocused = (element: Locator): Promise<boolean> => element.evaluate((node) => node === document.activeElement);

  beforeEach(async () => {
    bare = await openBarePage(await sharedBrowser(), 'chat', { viewport: { width: 300, height: 600 } });
    await tell();
    await message().waitFor();
  });
  afterEach(() => bare.close());

  /** What the extension finds for what stands after the sign. */
  async function answerSuggestions(query: string): Promise<void> {
    for (;;) {
      const asked = (await bare.nextSent('context/suggest')) as Asked;
      const items = [readme, cart].filter(({ name }) => name.toLowerCase().includes(asked.query.toLowerCase()));
      await bare.post('context/suggestions', { requestId: asked.requestId, items });
      if (asked.query === query) {
        return;
      }
    }
  }

  it('takes a file after @ by keyboard, and what was typed for it goes', async () => {
    await message().pressSequentially('@READ');
    await answerSuggestions('READ');
    await suggestions()
      .getByRole('option', { name: /README\.md/ })
      .waitFor();
    assert.match((await message().getAttribute('aria-activedescendant')) ?? '', /^suggestions-/);
    await message().press('Enter');
    assert.deepEqual(await bare.nextSent('context/choose'), { id: readme.id });
    await tell({ attached: { attachments: [chip] } });
    await attachments()
      .getByRole('listitem')
      .filter({ hasText: /README\.md\s*210 B/ })
      .waitFor();
    assert.deepEqual([await message().inputValue(), await isFocused(message())], ['', true]);
    await message().fill('what is this');
    await message().press('Enter');
    assert.deepEqual(await bare.nextSent('chat/send'), { text: 'what is this' });
  });

  it('closes its list with Escape and nothing else, and removes what is attached by its button', async () => {
    await message().pressSequentially('@');
    await answerSuggestions('');
    await suggestions().getByRole('option').nth(1).waitFor();
    await message().press('Escape');
    await suggestions().waitFor({ state: 'detached' });
    assert.deepEqual([await message().inputValue(), await isFocused(message())], ['@', true]);
    await tell({ attached: { attachments: [chip] } });
    await attachments().getByRole('button', { name: 'Remove README.md' }).click();
    assert.deepEqual(await bare.nextSent('context/remove'), { id: chip.id });
    await tell();
    await attachments().waitFor({ state: 'detached' });
  });

  it('hands over an image that is pasted', async () => {
    await message().focus();
    await message().evaluate((box, data) => {
      const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([bytes], 'dot.png', { type: 'image/png' }));
      box.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, dot);
    assert.deepEqual(await bare.nextSent('context/image'), { name: 'dot.png', mimeType: 'image/png', data: dot });
  });

  it('sends while an answer is under way, which queues; Escape stops, and what was queued comes back', async () => {
    const items: ChatState['items'] = [
      { kind: 'user', id: 'question', text: 'Count.' },
      { kind: 'assistant', id: 'answer', state: 'streaming', parts: [{ kind: 'text', id: 'text', text: 'One' }] },
    ];
    await tell({ items, isRunning: true });
    await message().fill('and backwards');
    await message().press('Enter');
    assert.deepEqual(await bare.nextSent('chat/send'), { text: 'and backwards' });
    await tell({ items, isRunning: true, queue: [{ id: 'queued', text: 'and backwards' }] });
    await bare.page.getByRole('list', { name: 'Queued messages' }).getByText('Queued: and backwards').waitFor();
    assert.equal(await message().inputValue(), '');
    await message().press('Escape');
    assert.deepEqual(await bare.nextSent('chat/stop'), {});
    await tell({ items, isRunning: false, queue: [{ id: 'queued', text: 'and backwards' }] });
    assert.deepEqual(await bare.nextSent('chat/unqueue'), { ids: ['queued'] });
    await bare.page.waitForFunction(() => document.querySelector('textarea')?.value === 'and backwards');
    assert.equal(await isFocused(message()), true);
  });
});
