import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import type { Locator } from 'playwright-core';
import { assertAccessible } from '../../support/page/accessibility.ts';
import { outFolder } from '../../support/run/repository.mjs';
import { byHandWindow } from '../harness/sharedWindows.ts';
import { useSharedWorkbench } from '../harness/useWorkbench.ts';
import { Chat } from '../pages/chat.ts';
import { permissionQuestion } from '../pages/consentPanel.ts';
import { eventually } from '../pages/discovery.ts';
import { takeFocus } from '../pages/focus.ts';
import { allow } from '../pages/questions.ts';

describe('Resources and prompts by hand', () => {
  const workbench = useSharedWorkbench(byHandWindow);
  const note = (): string => path.join(workbench().folders.workspace ?? '', 'README.md');
  const picture = (name: string): Promise<void> => workbench().screenshot(path.join(outFolder, 'looks', `resource-${name}.png`));
  const tab = (name: string): Locator => workbench().page.locator('.tabs-container .tab', { hasText: name });
  const lines = (): Locator => workbench().page.locator('.editor-instance .view-lines').first();
  const untilShown = (pattern: RegExp): Promise<string> =>
    eventually(`the document to show ${String(pattern)}`, async () => {
      const text = (await lines().innerText()).replaceAll('\u00a0', ' ');
      return pattern.test(text) ? text : undefined;
    });
  const row = (text: string | RegExp): Locator => workbench().views.rows('MCP Servers').filter({ hasText: text }).first();

  before(async () => {
    await writeFile(note(), '# Plans\n\nBuy milk.\n');
    await workbench().openView('Duplex');
    await row(/notes.*needs permission/).waitFor();
  });

  it('open as a document in its language, of a server that is started for it, and change with it', async () => {
    const { palette } = workbench();
    await palette.chooseAfter('Duplex: Open Resource…', 'Start “notes”…');
    await allow(await permissionQuestion(workbench(), /Start the server “notes”/), 'Allow');
    await palette.rows.filter({ hasText: 'notes://today' }).waitFor();
    await picture('pick');
    await takeFocus((await Chat.open(workbench())).message); // the list stays, although VS Code moves the focus after a question
    await palette.pick('Today');
    await tab('today.md').waitFor();
    await untilShown(/# Plans[^]*Buy milk\./);
    await workbench().statusBarItem('Markdown').waitFor();
    await writeFile(note(), '# Plans\n\nBuy bread.\n');
    await untilShown(/Buy bread\./);
    await picture('document');
  });

  it('cannot be typed into', async () => {
    await lines().click();
    await workbench().page.keyboard.type('x');
    await workbench().page.getByText('Editor is read-only').first().waitFor();
    assert.doesNotMatch(await lines().innerText(), /x/);
  });

  it('are pictures, or hex when they are neither picture nor text, after a click in the tree', async () => {
    await workbench().views.fold('Chat');
    await workbench().views.expand(row(/^notes/));
    await workbench().views.expand(row(/^Resources/));
    await row('A picture').click();
    await tab('picture.png').waitFor();
    await eventually('the picture to be drawn', async () => {
      const widths = await Promise.all(
        workbench()
          .page.frames()
          .map((frame) => frame.evaluate(() => document.querySelector<HTMLImageElement>('img')?.naturalWidth).catch(() => undefined)),
      );
      return widths.includes(64) ? true : undefined;
    });
    await picture('picture');
    await row('Some bytes').click();
    await tab('bytes.hex').waitFor();
    await untilShown(/00000000 {2}00 ff 44 75 70 6c 65 78 +\.\.Duplex/);
    await picture('hex');
  });

  it('can be read in every theme', async () => {
    for (const [theme, bodyClass] of [
      ['Dark Modern', 'vs-dark'],
      ['Dark High Contrast', 'hc-black'],
      ['Light Modern', 'vs'],
    ] as const) {
      await workbench().palette.choose('Preferences: Color Theme', theme);
      await workbench().page.locator(`.monaco-workbench.${bodyClass}`).waitFor();
      await workbench().palette.widget.waitFor({ state: 'hidden' });
      await picture(`hex-${theme}`);
      assert.match((await row('Some bytes').getAttribute('aria-label')) ?? '', /^Some bytes, notes:\/\/bytes/);
      await tab('picture.png').click();
      await picture(`picture-${theme}`);
      await tab('bytes.hex').click();
      await untilShown(/00000000/);
      await assertAccessible(lines(), `the bytes of a resource in ${theme}`);
      // VS Code leaves no space between the two texts of a row.
      await assertAccessible(row('Some bytes'), `a resource of the tree in ${theme}`, 'label-content-name-mismatch');
    }
  });

  it('of a template are asked for with the server’s own proposals', async () => {
    const { palette } = workbench();
    await workbench().views.expand(row(/^Templates/));
    await row('The note of a day').click();
    await palette.rows.filter({ hasText: 'wednesday' }).waitFor();
    await palette.input.fill('tu');
    await palette.rows.filter({ hasText: 'wednesday' }).waitFor({ state: 'detached' });
    await picture('proposals');
    await palette.pick('tuesday');
    await tab('tuesday.json').waitFor();
    await untilShown(/"note": "notes:\/\/days\/tuesday"/);
  });

  it('are saved as what the server sent', async () => {
    const { palette } = workbench();
    await tab('bytes.hex').click();
    await workbench().runCommand('Duplex: Save Resource As…');
    await palette.acceptFile('bytes');
    const saved = path.join(workbench().folders.workspace ?? '', 'bytes');
    // VS Code makes the file first and fills it then.
    const bytes = await eventually('the file', async () => {
      const content = await readFile(saved).catch(() => undefined);
      return content?.length === 0 ? undefined : content;
    });
    assert.deepEqual([...bytes], [0, 255, ...Buffer.from('Duplex')]);
  });

  it('give a prompt’s text to read first, which then is inserted or goes to the chat as a chip', async () => {
    const { palette, page } = workbench();
    await workbench().runCommand('File: New Untitled Text File');
    await palette.chooseAfter('Duplex: Run Prompt…', 'Greet somebody');
    await palette.rows.filter({ hasText: 'Grace' }).waitFor();
    await palette.input.fill('A');
    await palette.rows.filter({ hasText: 'Grace' }).waitFor({ state: 'detached' });
    await palette.pick('Ada');
    await palette.rows.filter({ hasText: 'Leave empty' }).waitFor();
    await palette.answer('warm');
    await tab('notes greet.md').waitFor();
    await untilShown(/## You[^]*Write a warm greeting for Ada\./);
    const lens = page.locator('.codelens-decoration');
    await lens.getByText('Insert').waitFor();
    await picture('prompt');
    await lens.getByText('Insert').click();
    await tab('Untitled-1').and(page.locator('.active')).waitFor();
    await untilShown(/^Write a warm greeting for Ada\.$/);
    await tab('notes greet.md').click();
    await page.locator('.editor-actions').getByRole('button', { name: 'Send Prompt to Chat' }).click();
    const chat = await Chat.open(workbench());
    await chat.frame.getByRole('list', { name: 'Attachments' }).getByText('greet').waitFor();
    await picture('prompt-chip');
  });

  it('are there again in a window that was loaded anew, and still live', async () => {
    await writeFile(note(), '# Plans\n\nBuy bread.\n');
    await workbench().views.fold('Chat');
    await row('Today').click();
    await untilShown(/Buy bread\./);
    await workbench().page.keyboard.press('Control+K');
    await workbench().page.keyboard.press('Enter'); // keeps the tab, which was but a preview
    await workbench().reloadByCommand();
    await tab('today.md').waitFor();
    await untilShown(/Buy bread\./);
    await writeFile(note(), '# Plans\n\nBuy apples.\n');
    await untilShown(/Buy apples\./);
  });
});
