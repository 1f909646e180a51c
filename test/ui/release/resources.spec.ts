import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import type { Locator } from 'playwright-core';
import { outFolder } from '../../support/run/repository.mjs';
import { assertAccessible } from '../../support/page/accessibility.ts';
import { byHandWindow } from '../harness/sharedWindows.ts';
import { useSharedWorkbench } from '../harness/useWorkbench.ts';
import { permissionQuestion } from '../pages/consentPanel.ts';
import { eventually } from '../pages/discovery.ts';
import { allow } from '../pages/questions.ts';

describe('The looks of resources, and what is left of them after a reload', () => {
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
    await workbench().views.press(row(/notes.*needs permission/), /Start Server/);
    await allow(await permissionQuestion(workbench(), /Start the server “notes”/), 'Allow');
    await workbench().views.fold('Chat');
    await workbench().views.expand(row(/^notes/));
    await workbench().views.expand(row(/^Resources/));
    await row('A picture').click();
    await tab('picture.png').waitFor();
    await row('Some bytes').click();
    await tab('bytes.hex').waitFor();
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

  it('are there again in a window that was loaded anew, and still live', async () => {
    await writeFile(note(), '# Plans\n\nBuy bread.\n');
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
