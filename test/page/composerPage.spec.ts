import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { Attachment } from '../../src/contract/chat/attachments.ts';
import type { ChatState } from '../../src/contract/chat/chatState.ts';
import { assertAccessible } from '../support/page/accessibility.ts';
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

  const prompt = { id: 'prompt:1', kind: 'prompt', name: 'compact', detail: 'Packs a box', server: 'post' };
  const option = (name: string | RegExp): Locator => suggestions().getByRole('option', { name });
  const answerPrompts = async (...items: readonly unknown[]): Promise<void> => {
    const { requestId } = (await bare.nextSent('context/suggest')) as Asked;
    await bare.post('context/suggestions', { requestId, items });
  };
  const chosen: ChatState['items'] = [{ kind: 'user', id: 'question', text: 'Count.' }];
  const budget = {
    used: 10,
    limit: 100,
    isCounted: true,
    sources: [],
    canCompact: true,
    tools: { offered: 0, total: 0, leftOut: 0, tokens: 0, savedTokens: 0 },
  };

  it('has commands of its own after /, which do what their buttons do', async () => {
    await tell({ items: chosen, context: budget });
    for (const [command, sent, body] of [
      ['compact', 'chat/compact', {}],
      ['clear', 'chat/new', {}],
      ['model', 'models/choose', {}],
      ['export', 'conversations/export', { id: emptyState().conversationId }],
    ] as const) {
      await message().pressSequentially(`/${command.slice(0, 3)}`);
      await option(new RegExp(`^/${command}`)).waitFor();
      await message().press('Enter');
      assert.deepEqual([await bare.nextSent(sent), await message().inputValue()], [body, '']);
    }
    await message().pressSequentially('/tools');
    await message().press('Enter');
    await bare.page.getByRole('region', { name: 'Choose tools' }).waitFor();
    assert.equal((await bare.sent()).filter(({ name }) => name === 'chat/send').length, 0);
  });

  it('lets a server that waits for permission be chosen for the next message among the tools', async () => {
    await tell({ items: chosen, context: budget, tools: [{ server: 'notes', count: 0, state: 'needsPermission' }] });
    await message().fill('/tools');
    await message().press('Enter');
    await bare.nextSent('tools/list');
    const picker = bare.page.getByRole('region', { name: 'Choose tools' });
    const notes = picker.getByRole('checkbox', { name: 'Use notes for the next message' });
    const show = (isNamed: boolean): Promise<void> =>
      bare.post('tools/all', { tools: [], waiting: [{ serverId: 'user/notes', server: 'notes', isNamed }] });
    await show(false);
    await notes.click();
    assert.deepEqual(await bare.nextSent('tools/choose'), { serverId: 'user/notes', to: 'pinned' });
    await show(true);
    await picker.getByText('asks with the next message').waitFor();
    assert.equal(await notes.isChecked(), true);
    await assertAccessible(picker, 'the tool picker with a server that waits');
    await notes.click();
    assert.deepEqual(await bare.nextSent('tools/choose'), { serverId: 'user/notes', to: 'byItself' });
    await picker.press('Escape');
  });

  it('lists them all for /help, also when Enter comes before the list', async () => {
    await message().fill('/help');
    await message().press('Escape');
    await message().press('Enter');
    const help = bare.page.getByRole('region', { name: 'Commands of the chat' });
    await help.waitFor();
    const listed = await help.getByRole('list', { name: 'Commands' }).getByRole('listitem').allInnerTexts();
    assert.deepEqual(
      listed.map((line) => /^\/\w+/.exec(line)?.[0]),
      ['/compact', '/clear', '/model', '/tools', '/export', '/help'],
    );
    await bare.page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    assert.deepEqual([await message().inputValue(), await isFocused(message())], ['', true]);
  });

  it('says why a command does nothing', async () => {
    await message().fill('/export');
    await message().press('Escape');
    await message().press('Enter');
    await bare.page.getByText('There is nothing to export yet.').waitFor();
    assert.equal((await bare.sent()).filter(({ name }) => name === 'conversations/export').length, 0);
  });

  it('offers a prompt with the name of a command by the name of its server', async () => {
    await tell({ items: chosen, context: budget });
    await message().pressSequentially('/');
    await answerPrompts(prompt);
    assert.match((await suggestions().getByRole('option').first().innerText()).replace(/\s+/g, ' '), /^\/compact /);
    await option(/^post\/compact/).click();
    assert.deepEqual(await bare.nextSent('context/choose'), { id: prompt.id });
    assert.equal((await bare.sent()).filter(({ name }) => name === 'chat/compact').length, 0);
  });

  it('keeps a key that is typed in the moment of sending, and nothing of what was sent', async () => {
    await message().fill('first');
    await message().evaluate((element) => {
      const box = element as HTMLTextAreaElement;
      box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
      // The next key comes before the page is drawn.
      box.setRangeText('n', box.selectionStart, box.selectionEnd, 'end');
      box.dispatchEvent(new InputEvent('input', { bubbles: true }));
    });
    assert.deepEqual(await bare.nextSent('chat/send'), { text: 'first' });
    await message().pressSequentially('ext');
    assert.equal(await message().inputValue(), 'next');
  });

  it('has its text again after a reload, and that of a message that is being changed', async () => {
    await message().fill('half a thought');
    await tell({ items: chosen });
    await bare.page.getByRole('button', { name: 'Edit message' }).click();
    const edit = bare.page.getByRole('article', { name: 'You' }).getByRole('textbox');
    await edit.fill('Count to ten.');
    await bare.reload();
    assert.equal(await message().inputValue(), 'half a thought');
    await tell({ items: chosen });
    await edit.waitFor();
    assert.equal(await edit.inputValue(), 'Count to ten.');
  });

  it('has the caret in a message to be changed from its first moment on, so that no selection of the person is undone', async () => {
    await tell({ items: chosen });
    const focused = bare.page.evaluate(
      () =>
        new Promise<boolean>((resolve) => {
          const observer = new MutationObserver(() => {
            const box = document.querySelector('article textarea');
            if (box !== null) {
              observer.disconnect();
              resolve(document.activeElement === box);
            }
          });
          observer.observe(document.body, { childList: true, subtree: true });
        }),
    );
    await bare.page.getByRole('button', { name: 'Edit message' }).click();
    assert.equal(await focused, true);
  });

  it('tells the host what is being written, and takes it back from there when the page has lost it', async () => {
    await message().fill('half a thought');
    assert.deepEqual(await bare.nextSent('chat/drafted'), { text: 'half a thought' });
    await message().press('Enter');
    assert.deepEqual(await bare.nextSent('chat/drafted'), { text: '' });
    await bare.post('chat/kept', { text: 'from before' });
    await bare.page.waitForFunction(() => document.querySelector('textarea')?.value === 'from before');
    await bare.post('chat/kept', { text: 'something older' });
    await message().pressSequentially('!');
    assert.equal(await message().inputValue(), 'from before!');
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
