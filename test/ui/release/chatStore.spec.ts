import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import * as path from 'node:path';
import process from 'node:process';
import type { Locator } from 'playwright-core';
import type { AnthropicServer } from '../../fixtures/anthropic/anthropicServer.ts';
import { say } from '../../fixtures/anthropic/turns.ts';
import { outFolder } from '../../support/run/repository.mjs';
import { assertAccessible } from '../../support/page/accessibility.ts';
import { announcedWindows } from '../harness/duplexProcesses.ts';
import { useModelWorkbench } from '../harness/sharedWindows.ts';
import { Chat } from '../pages/chat.ts';
import { eventually } from '../pages/discovery.ts';
import { takeFocus } from '../pages/focus.ts';
import { webviewByTitle } from '../pages/webviews.ts';

describe('Conversations that are kept', () => {
  const { workbench, api: model } = useModelWorkbench();
  let api: AnthropicServer;
  let chat: Chat;
  before(async () => {
    api = model();
    chat = await Chat.open(workbench());
    await workbench().runCommand('Duplex: New Conversation');
    await chat.answers.first().waitFor({ state: 'detached' });
  });
  const picture = (name: string): Promise<void> => workbench().screenshot(path.join(outFolder, 'looks', `conversations-${name}.png`));
  const list = (): Locator => chat.frame.getByRole('listbox', { name: 'Conversations' });
  const row = (title: string): Locator => list().getByRole('option', { name: title });
  const openList = async (): Promise<void> => {
    if ((await list().count()) === 0) {
      await chat.frame.getByRole('button', { name: 'Conversations' }).click();
    }
    await list().getByRole('option').first().waitFor();
  };
  const button = (name: string): Locator => chat.frame.getByRole('toolbar').getByRole('button', { name, exact: true });
  const ask = async (text: string, answer: string): Promise<void> => {
    api.script([say(answer)]);
    const before = await chat.answers.count();
    await chat.ask(text);
    await chat.answers.nth(before).getByText(answer).waitFor();
    await chat.untilIdle();
  };
  /** Nothing in the window tells of it: what is on the disk does. The words must be in no other conversation of this window. */
  const isWritten = async (words: string): Promise<boolean> => {
    const folder = path.join(workbench().folders.data, 'data', 'User', 'globalStorage', 'duplex-mcp.duplex', 'conversations');
    const names = await readdir(folder, { recursive: true }).catch(() => []);
    const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8').catch(() => ''))); // folders too
    return texts.some((text) => text.includes(words));
  };
  const beginAndHold = async (text: string, heldWords: string): Promise<void> => {
    api.script([say(`${heldWords} and so on, up to eight.`)]);
    api.gate.hold(3);
    const before = await chat.answers.count();
    await chat.ask(text);
    await chat.answers.nth(before).getByText(heldWords).waitFor();
    await eventually('what was said so far to be written', async () => ((await isWritten(heldWords)) ? true : undefined));
  };
  const continueInterrupted = async (heldWords: string): Promise<void> => {
    api.gate.release();
    chat = await Chat.open(workbench());
    const answer = chat.answers.last();
    await answer.getByText('This answer was interrupted').waitFor();
    await answer.getByText(heldWords).waitFor();
    api.script([say('And nine.')]);
    await answer.getByRole('button', { name: 'Continue' }).click();
    await answer.getByText('And nine.').waitFor();
    await chat.untilIdle();
    assert.match((await answer.textContent()) ?? '', new RegExp(`${heldWords}.*And nine\\.`, 's'), 'what was there before is there still');
  };

  it('are there after a reload in the middle of an answer, which is interrupted and goes on', async () => {
    await beginAndHold('Count for me', 'Eleven twelve');
    await chat.message.fill('half a thought');
    await workbench().reloadByCommand();
    await continueInterrupted('Eleven twelve');
    await chat.untilDraft(/^half a thought$/);
    await chat.message.fill('');
  });

  it('are there after the extension host was killed', async () => {
    await beginAndHold('Count again', 'Five six');
    const [announced] = await announcedWindows(workbench().folders);
    assert.ok(announced);
    process.kill(announced.pid, 'SIGKILL');
    await workbench().reload();
    await continueInterrupted('Five six');
  });

  it('are several: listed, searched by what was said, opened by a click', async () => {
    await chat.frame.getByRole('button', { name: 'New conversation' }).click();
    await chat.answers.first().waitFor({ state: 'detached' });
    await ask('Tell me about whales', 'Whales are large.');
    await openList();
    await row('Count for me').waitFor();
    await picture('list');
    await assertAccessible(chat.frame.getByRole('region', { name: 'Kept conversations' }), 'the list of conversations');
    await chat.frame.getByRole('searchbox', { name: 'Search conversations' }).fill('LARGE');
    await row('Count for me').waitFor({ state: 'detached' });
    await row('Tell me about whales').waitFor();
    await chat.frame.getByRole('searchbox', { name: 'Search conversations' }).fill('');
    await row('Count for me').click();
    await chat.conversation.getByText('Count again').waitFor();
    await list().waitFor({ state: 'detached' });
  });

  it('are renamed, and the header says so', async () => {
    await openList();
    await row('Tell me about whales').hover();
    await button('Rename').click();
    await workbench().palette.input.fill('Sea');
    await takeFocus(chat.message); // as who looks up what the conversation is about
    assert.equal(await workbench().palette.input.inputValue(), 'Sea');
    await workbench().palette.answer('Sea animals');
    await openList();
    await row('Sea animals').waitFor();
    await row('Sea animals').click();
    await chat.frame.locator('.top-title').getByText('Sea animals').waitFor();
  });

  it('are opened in editor tabs, each in its own and there again after a reload, while the sidebar goes on with another', async () => {
    await chat.frame.getByRole('button', { name: 'Open in editor' }).click();
    const wide = await webviewByTitle(workbench().page, 'Sea animals');
    await wide.getByRole('article', { name: 'Assistant' }).getByText('Whales are large.').waitFor();
    await chat.answers.first().waitFor({ state: 'detached' });
    await wide.getByRole('button', { name: 'Open in editor' }).waitFor({ state: 'detached' });
    api.script([say('They sing.'), say('Bees dance.')]);
    await wide.getByRole('textbox', { name: 'Message' }).fill('More');
    await wide.getByRole('textbox', { name: 'Message' }).press('Enter');
    await wide.getByText('They sing.').waitFor();
    await chat.ask('Tell me about bees');
    await chat.conversation.getByText('Bees dance.').waitFor();
    await chat.untilIdle();
    assert.equal(await wide.getByText('Bees dance.').count(), 0, 'another conversation');
    await picture('editor');
    await openList();
    await row('Sea animals').click(); // it has a tab: that comes to the front, and the sidebar stays
    await chat.conversation.getByText('Bees dance.').waitFor();
    await chat.frame.getByRole('button', { name: 'Open in editor' }).click();
    const other = await webviewByTitle(workbench().page, 'Tell me about bees');
    await other.getByText('Bees dance.').waitFor();
    await chat.answers.first().waitFor({ state: 'detached' });
    // And all of that again after a reload.
    await workbench().reloadByCommand();
    chat = await Chat.open(workbench());
    await chat.message.waitFor();
    const tab = (title: string): Locator => workbench().page.locator('.tabs-container .tab').filter({ hasText: title });
    for (const [title, words] of [
      ['Tell me about bees', 'Bees dance.'],
      ['Sea animals', 'They sing.'],
    ] as const) {
      await tab(title).click();
      const wide = await webviewByTitle(workbench().page, title);
      await wide.getByText(words).waitFor();
    }
    assert.equal(await chat.answers.count(), 0);
    await tab('Sea animals').hover();
    await tab('Sea animals')
      .getByRole('button', { name: /^Close/ })
      .click();
    await openList();
    await row('Sea animals').click();
    await chat.conversation.getByText('They sing.').waitFor();
  });

  it('are exported as a Markdown document', async () => {
    await openList();
    await row('Sea animals').hover();
    await button('Export').click();
    const editor = workbench().page.locator('.monaco-editor .view-lines').last();
    await editor.getByText('Whales are large.').waitFor();
    await editor.getByText('# Sea animals').waitFor();
  });

  it('are removed by a command after a question, all of them, and the chat is empty then', async () => {
    await workbench().runCommand('Duplex: Clear Conversations…');
    await workbench().dialogs.answer('Remove all conversations with Duplex?', /^Cancel/);
    await chat.conversation.getByText('They sing.').waitFor();
    await workbench().runCommand('Duplex: Clear Conversations…');
    await workbench().dialogs.answer('Remove all conversations with Duplex?', 'Of This Workspace');
    await workbench().notifications.waitFor(/conversations were removed\./);
    await chat.answers.first().waitFor({ state: 'detached' });
    if ((await list().count()) === 0) {
      await chat.frame.getByRole('button', { name: 'Conversations' }).click();
    }
    await chat.frame.getByText('Conversations of this workspace are kept here.').waitFor();
    assert.equal(await list().getByRole('option').count(), 0);
    await picture('cleared');
  });
});
