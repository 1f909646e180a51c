import assert from 'node:assert/strict';
import * as path from 'node:path';
import type { Locator } from 'playwright-core';
import { outFolder, repositoryRoot } from '../../support/run/repository.mjs';
import { useWorkbench } from '../harness/useWorkbench.ts';
import { Chat } from '../pages/chat.ts';
import { allow } from '../pages/questions.ts';

const everything = path.join(repositoryRoot, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
/** One red dot. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

describe('What goes with a message', () => {
  const workbench = useWorkbench({
    version: 'ceiling',
    workspace: 'demo',
    viewport: { width: 1280, height: 900 },
    settings: { 'duplex.mcpServers': { everything: { command: 'node', args: [everything] } } },
  });
  const picture = (name: string): Promise<void> => workbench().screenshot(path.join(outFolder, 'looks', `attach-${name}.png`));
  let chat: Chat;
  let suggestions: Locator;
  let attachments: Locator;

  before(async () => {
    await workbench().openView('Duplex');
    chat = await Chat.open(workbench());
    suggestions = chat.frame.getByRole('listbox', { name: 'Suggestions' });
    attachments = chat.frame.locator('.composer').getByRole('list', { name: 'Attachments' });
    await chat.ask('list prompts');
    const start = (server: string): Locator => chat.frame.getByRole('group', { name: `Permission: Start the server “${server}”?` });
    await allow(start('everything'), 'Allow');
    await allow(start('demo'), 'Allow');
    await chat.untilIdle();
    await picture('begun');
  });

  const sent = async (text: string): Promise<Locator> => {
    const before = await chat.answers.count();
    await chat.message.fill(text);
    await chat.message.press('Enter');
    await chat.answers.nth(before).waitFor();
    return chat.answers.nth(before);
  };

  it('is a file after @, chosen by keyboard, with its size; the guide says what was attached, and the message keeps the chip', async () => {
    await chat.message.fill('');
    await chat.message.pressSequentially('@READ');
    await suggestions
      .getByRole('option', { name: /README\.md/ })
      .first()
      .waitFor();
    await picture('suggestions');
    assert.match((await chat.message.getAttribute('aria-activedescendant')) ?? '', /^suggestions-/);
    await chat.message.press('Enter');
    await attachments.getByText('README.md').waitFor();
    assert.match(await attachments.innerText(), /README\.md\s*\d.*B/);
    assert.equal(await chat.message.inputValue(), '');
    await picture('chip');
    const answer = await sent('what is this');
    await answer.getByText(/Attached to your message.*README\.md/).waitFor();
    await chat.untilIdle();
    await chat.frame
      .getByRole('article', { name: 'You' })
      .last()
      .getByRole('list', { name: 'Attachments' })
      .getByText('README.md')
      .waitFor();
    assert.equal(await attachments.count(), 0);
    await picture('sent');
  });

  it('is removed by its button, and Escape closes the list and nothing else', async () => {
    await chat.frame.getByRole('button', { name: 'Attach' }).click();
    await suggestions.waitFor();
    await chat.message.press('Escape');
    await suggestions.waitFor({ state: 'detached' });
    await chat.message.fill('');
    await chat.message.pressSequentially('@READ');
    await suggestions
      .getByRole('option', { name: /README\.md/ })
      .first()
      .click();
    await attachments.getByRole('button', { name: 'Remove README.md' }).click();
    await attachments.waitFor({ state: 'detached' });
  });

  it('is an image or a PDF that is pasted: the image is shown in the message, and who reads no PDF says so', async () => {
    await chat.message.focus();
    await chat.message.evaluate((box, data) => {
      const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([bytes], 'dot.png', { type: 'image/png' }));
      clipboardData.items.add(new File(['%PDF-1.7\u00e9%%EOF'], 'plan.pdf', { type: 'application/pdf' }));
      box.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, png);
    await attachments.getByText('dot.png').waitFor();
    await attachments.getByText('plan.pdf').waitFor();
    await chat.frame.locator('.attachment-problem').getByText('The offline guide reads no PDFs.').waitFor();
    await picture('pdf');
    const answer = await sent('and this');
    await chat.frame.getByRole('article', { name: 'You' }).last().getByRole('img', { name: 'Attached image dot.png' }).waitFor();
    await picture('thumbnail');
    await answer.getByText(/Attached to your message.*dot\.png/).waitFor();
    await chat.untilIdle();
  });

  it('is a prompt after /, with what its server proposes for its arguments, and is asked about when it is sent', async () => {
    await chat.message.fill('');
    await chat.message.pressSequentially('/completable');
    await suggestions
      .getByRole('option', { name: /completable-prompt/ })
      .first()
      .waitFor();
    await chat.message.press('Tab');
    const form = chat.frame.getByRole('form', { name: 'Arguments of completable-prompt' });
    const department = form.getByRole('combobox', { name: 'department' });
    await department.fill('Eng');
    await form.getByRole('option', { name: 'Engineering' }).waitFor();
    await picture('form');
    await department.press('ArrowDown');
    await department.press('Enter');
    assert.equal(await department.inputValue(), 'Engineering');
    const name = form.getByRole('combobox', { name: 'name' });
    await name.focus();
    await form.getByRole('option').first().click();
    await form.getByRole('button', { name: 'Add to message' }).click();
    await attachments.getByText('completable-prompt').waitFor();
    const before = await chat.answers.count();
    await chat.message.press('Enter');
    await allow(chat.frame.getByRole('group', { name: /^Permission: Send the prompt “completable-prompt”/ }), 'Allow once');
    await chat.answers
      .nth(before)
      .getByText(/is part of this conversation now/)
      .waitFor();
    await chat.untilIdle();
  });

  it('comes from the editor by Add to Duplex Chat, and problems come after @', async () => {
    await workbench().palette.choose('Go to File...', 'receipt.ts');
    await workbench().page.locator('.tabs-container .tab').filter({ hasText: 'receipt.ts' }).waitFor();
    await workbench().palette.run('Duplex: Add to Duplex Chat');
    await attachments.getByText('receipt.ts').waitFor();
    await picture('from-editor');
    await workbench().page.locator('.statusbar-item[id="status.problems"]', { hasText: '1' }).waitFor();
    await chat.message.fill('');
    await chat.message.pressSequentially('@prob');
    await suggestions
      .getByRole('option', { name: /^Problems/ })
      .first()
      .click();
    await attachments.getByText('Problems').waitFor();
    const answer = await sent('fix it');
    await answer.getByText(/Attached to your message.*receipt\.ts, problems/).waitFor();
    await chat.untilIdle();
    await picture('from-editor-sent');
  });
});
