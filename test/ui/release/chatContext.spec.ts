import assert from 'node:assert/strict';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Locator } from 'playwright-core';
import { outFolder, repositoryRoot } from '../../support/run/repository.mjs';
import { useWorkbench } from '../harness/useWorkbench.ts';
import { Chat } from '../pages/chat.ts';
import { eventually } from '../pages/discovery.ts';
import { chooseInMenu } from '../pages/menus.ts';
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
    // Both servers wait, and either could have a tool that nobody knows.
    await chat.ask('run a_tool_of_another_server');
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
    await attachments
      .getByRole('listitem')
      .filter({ hasText: /README\.md\s*\d.*B/ })
      .waitFor();
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

  it('is dropped onto the conversation, an image from outside or a file of the Explorer, and it is said how', async () => {
    const file = pathToFileURL(path.join(workbench().folders.workspace ?? '', 'src/cart.js')).href;
    // With Shift held down: without it VS Code takes the drag away from the page, and its editors get it.
    const drag = (type: string): Promise<void> =>
      chat.conversation.evaluate(
        (log, [kind, image]) => {
          const dataTransfer = new DataTransfer();
          const bytes = Uint8Array.from(atob(image), (character) => character.charCodeAt(0));
          dataTransfer.items.add(new File([bytes], 'dropped.png', { type: 'image/png' }));
          log.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true, shiftKey: true }));
        },
        [type, png] as const,
      );
    await drag('dragover');
    await chat.frame.locator('.composer-frame.is-drop-target').waitFor();
    await picture('held-over');
    await drag('drop');
    await attachments.getByText('dropped.png').waitFor();
    await chat.frame.locator('.composer-frame.is-drop-target').waitFor({ state: 'detached' });
    await chat.conversation.evaluate((log, uri) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.setData('application/vnd.code.uri-list', uri);
      log.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true, shiftKey: true }));
    }, file);
    await attachments.getByText('cart.js').waitFor();
    await picture('dropped');
    await attachments.getByRole('button', { name: 'Remove dropped.png' }).click();
    await attachments.getByRole('button', { name: 'Remove cart.js' }).click();
    await attachments.waitFor({ state: 'detached' });
    assert.match((await chat.frame.getByRole('button', { name: 'Attach' }).getAttribute('title')) ?? '', /drop files with Shift held down/);
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

  describe('and what the menus of the editor bring,', () => {
    /** What the lightbulb offers at the problem. */
    const quickFix = async (title: string): Promise<void> => {
      const { page } = workbench();
      const action = page.locator('.action-widget .monaco-list-row').filter({ hasText: title }).first();
      await eventually(`the quick fix ${title}`, async () => {
        await page.keyboard.press('Escape');
        await workbench().palette.run('Go to Next Problem (Error, Warning, Info)');
        await page.keyboard.press('Escape'); // the problem stays at the cursor, its own widget goes
        await page.keyboard.press('Control+.');
        const isThere = await action.waitFor({ timeout: 5_000 }).then(
          () => true,
          () => false,
        );
        return isThere || undefined;
      });
      await picture(`menu-${title.split(' ')[0]}`);
      await action.click();
      await action.waitFor({ state: 'detached' });
    };
    const removeAll = async (): Promise<void> => {
      while ((await attachments.count()) > 0) {
        const before = await attachments.getByRole('listitem').count();
        await attachments.getByRole('button').first().click();
        await eventually('one chip less', async () => ((await attachments.getByRole('listitem').count()) < before ? true : undefined));
      }
      await chat.message.fill('');
    };

    it('is the file of the editor’s menu and of the Explorer’s', async () => {
      const { page } = workbench();
      await chooseInMenu(page.locator('.editor-instance .view-lines .view-line').first(), 'Add to Duplex Chat');
      await attachments.getByText('receipt.ts').waitFor();
      await removeAll();
      await page.locator('.activitybar').getByRole('tab', { name: 'Explorer' }).click();
      await chooseInMenu(page.locator('.explorer-folders-view .monaco-list-row').filter({ hasText: 'README.md' }), 'Add to Duplex Chat');
      await attachments.getByText('README.md').waitFor();
      await removeAll();
    });

    it('is a problem of the lightbulb’s menu, with the lines around it and a draft that waits for Enter', async () => {
      for (const [title, draft] of [
        ['Fix with Duplex', /^Fix the attached problem\.$/],
        ['Explain with Duplex', /^Explain the attached problem/],
        ['Add to Duplex Chat', /^$/],
      ] as const) {
        const before = await chat.answers.count();
        await quickFix(title);
        await attachments.getByText(/Problems/).waitFor();
        await attachments.getByText(/^receipt\.ts/).waitFor();
        await chat.untilDraft(draft);
        assert.equal(await chat.answers.count(), before, 'nothing is sent');
        await picture(`by-${title.split(' ')[0]}`);
        await removeAll();
      }
    });
  });
});
