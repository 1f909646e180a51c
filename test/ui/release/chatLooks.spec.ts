import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import { everyPart } from '../../support/page/everyPart.ts';
import { outFolder } from '../../support/run/repository.mjs';
import { assertAccessible } from '../../support/page/accessibility.ts';
import { useWorkbench } from '../harness/useWorkbench.ts';
import { Chat } from '../pages/chat.ts';
import { eventually } from '../pages/discovery.ts';

/** As the theme picker names them, and what VS Code then says of itself to a page. */
const themes: readonly [theme: string, bodyClass: string][] = [
  ['Dark Modern', 'vscode-dark'],
  ['Dark High Contrast', 'vscode-high-contrast'],
  ['Light High Contrast', 'vscode-high-contrast-light'],
  ['Light Modern', 'vscode-light'],
];
const opened = ['list_items', 'describe', 'show_change', 'draw', 'find', 'speak', 'read_log', 'break'];

/** The pictures in out/looks are for people; the tests hold what a machine can see of them. */
describe('A conversation with every kind of part', () => {
  const workbench = useWorkbench({ version: 'ceiling', workspace: 'plain', viewport: { width: 1280, height: 1000 } });
  const picture = (name: string): Promise<void> => workbench().screenshot(path.join(outFolder, 'looks', `parts-${name}.png`));
  let chat: Chat;

  const widen = async (width: number): Promise<void> => {
    const { page } = workbench();
    const sidebar = await page.locator('.part.sidebar').boundingBox();
    assert.ok(sidebar);
    const edge = sidebar.x + sidebar.width;
    await page.mouse.move(edge, 400);
    await page.mouse.down();
    await page.mouse.move(edge + width - sidebar.width, 400, { steps: 5 });
    await page.mouse.up();
  };
  const pictureOf = async (name: string, text: string | RegExp): Promise<void> => {
    await chat.conversation
      .getByText(text)
      .first()
      .evaluate((element) => element.scrollIntoView({ block: 'start' }));
    await picture(name);
  };
  const everyStop = async (name: string): Promise<void> => {
    await pictureOf(`${name}-top`, 'What is wrong with the cart?');
    await pictureOf(`${name}-calls`, 'I look at the cart first.');
    await pictureOf(`${name}-results`, 'show_change');
    await pictureOf(`${name}-markdown`, 'What happens here');
    await pictureOf(`${name}-end`, 'A quoted line');
    await chat.conversation.evaluate((log) => log.scrollTo(0, log.scrollHeight));
    await picture(`${name}-last`);
  };

  before(async () => {
    chat = await Chat.open(workbench());
    await workbench().views.fold('MCP Servers');
    await chat.ask('hello');
    await chat.answers.first().waitFor();
    await chat.untilIdle();
    const all = path.join(workbench().folders.data, 'data', 'User', 'globalStorage', 'duplex-mcp.duplex', 'conversations');
    // Written a moment after the answer.
    const folder = await eventually('the folder of the conversations', async () =>
      (await readdir(all, { withFileTypes: true }).catch(() => [])).find((each) => each.isDirectory()),
    );
    const kept = { version: 1, id: 'every-part', title: 'Every kind of part', items: everyPart().items, turns: [], sides: [], queue: [] };
    await writeFile(path.join(all, folder.name, 'every-part.json'), JSON.stringify(kept));
    await chat.frame.getByRole('button', { name: 'Conversations' }).click();
    await chat.frame.getByRole('option', { name: 'Every kind of part' }).click();
    await chat.conversation.getByText('A quoted line').waitFor();
    await widen(420);
    for (const tool of opened) {
      await chat.toolCall('demo', tool).getByRole('button').first().click();
    }
    await chat.frame.getByRole('button', { name: /^Timeline/ }).click();
    await chat.frame.getByRole('group', { name: 'Thinking' }).getByRole('button').first().click();
  });

  for (const [theme, bodyClass] of themes) {
    it(`is whole and without a flaw that axe-core finds in ${theme}`, async () => {
      await workbench().palette.choose('Preferences: Color Theme', theme);
      await chat.frame.locator(`body.${bodyClass}`).waitFor();
      await workbench().palette.widget.waitFor({ state: 'hidden' });
      await everyStop(theme);
      await assertAccessible(chat.frame.locator('body'), `every kind of part in ${theme}`);
    });
  }

  it('fits into a sidebar as narrow as VS Code allows, and into a wide one', async () => {
    for (const width of [225, 900]) {
      await widen(width);
      await everyStop(`${width}px`);
      assert.equal(await chat.conversation.evaluate((element) => element.scrollWidth - element.clientWidth), 0, `${width} px`);
    }
  });
});
