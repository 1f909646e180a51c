import * as path from 'node:path';
import { outFolder } from '../../support/run/repository.mjs';
import { assertAccessible } from '../../support/page/accessibility.ts';
import { useWorkbench } from '../harness/useWorkbench.ts';
import { Chat } from '../pages/chat.ts';
import { allow } from '../pages/questions.ts';

/** As the theme picker names them, and what VS Code then says of itself to a page. */
const themes: readonly [theme: string, bodyClass: string][] = [
  ['Dark Modern', 'vscode-dark'],
  ['Dark High Contrast', 'vscode-high-contrast'],
  ['Light High Contrast', 'vscode-high-contrast-light'],
  ['Light Modern', 'vscode-light'],
];

/** The pictures in out/looks are for people; the tests hold what a machine can see of them. */
describe('The chat column', () => {
  const workbench = useWorkbench({ version: 'ceiling', viewport: { width: 1280, height: 900 } });
  const picture = (name: string): Promise<void> => workbench().screenshot(path.join(outFolder, 'looks', `${name}.png`));
  let chat: Chat;

  before(async () => {
    await workbench().openView('Duplex');
    await workbench().views.rows('MCP Servers').filter({ hasText: 'needs permission' }).waitFor();
    chat = await Chat.open(workbench());
    await picture('empty');
    await chat.ask('run roll_dice with {"sides": 6, "count": 2}');
    const start = chat.frame.getByRole('group', { name: /^Permission:.*demo/ });
    await start.waitFor();
    await picture('start-question');
    await allow(start, 'Allow');
    await allow(chat.toolCall('demo', 'roll_dice'), 'Allow once');
    await chat.untilIdle();
    await workbench().palette.choose('Go to File...', 'receipt.ts');
    await workbench().page.locator('.statusbar-item[id="status.problems"]', { hasText: '1' }).waitFor();
    await picture('answered');
    await chat.ask('run read_file with {"path": "README.md"}');
    await allow(chat.question(), 'Allow once');
    await chat.untilIdle();
    await chat.ask('run count_words with {"text": "It has one type error and one failing test, and a little MCP server to play with."}');
    await chat.question().getByText('What Duplex knows').waitFor();
    await chat.question().getByRole('checkbox', { name: 'All tools of this server' }).check();
  });

  for (const [theme, bodyClass] of themes) {
    it(`follows the theme ${theme} at once`, async () => {
      await workbench().palette.choose('Preferences: Color Theme', theme);
      await chat.frame.locator(`body.${bodyClass}`).waitFor();
      await workbench().palette.widget.waitFor({ state: 'hidden' });
      await chat.question().getByRole('heading').scrollIntoViewIfNeeded();
      await picture(theme);
      await assertAccessible(chat.frame.locator('body'), `the chat in ${theme}`);
      const known = chat.question().getByRole('list', { name: 'What Duplex knows' });
      await known.evaluate((list) => list.scrollIntoView({ block: 'end' }));
      await picture(`${theme}-known`);
      await chat.question().getByRole('checkbox', { name: 'All tools of this server' }).scrollIntoViewIfNeeded();
      await picture(`${theme}-all-tools`);
    });
  }
});
