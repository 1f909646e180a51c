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

  it('is an image that is pasted', async () => {
    await chat.message.focus();
    await chat.message.evaluate((box, data) => {
      const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([bytes], 'dot.png', { type: 'image/png' }));
      box.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, png);
    await attachments.getByText('dot.png').waitFor();
    const answer = await sent('and this');
    await answer.getByText(/Attached to your message.*dot\.png/).waitFor();
    await chat.untilIdle();
  });

  it('comes from the editor by Add to Duplex Chat, and problems come after @', async () => {
    await workbench().palette.run('Go to File...');
    await workbench().palette.input.fill('receipt.ts');
    await workbench().palette.pick('receipt.ts');
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
