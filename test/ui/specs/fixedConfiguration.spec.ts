import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { repositoryRoot } from '../../support/run/repository.mjs';
import { newcomerWindow } from '../harness/sharedWindows.ts';
import { useSharedWorkbench } from '../harness/useWorkbench.ts';
import { permissionQuestion } from '../pages/consentPanel.ts';
import { eventually } from '../pages/discovery.ts';
import { allow } from '../pages/questions.ts';

const secret = 'ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8';

const program = path.join(repositoryRoot, 'test/fixtures/servers/byHandServer.mjs');

/** As the README of a server shows it for Claude Desktop. */
const snippet = `{
  "mcpServers": {
    "till": {
      "command": "node",
      "args": [${JSON.stringify(program)}],
      "env": { "TILL_TOKEN": "${secret}" }
    }
  }
}`;

describe('Somebody who pastes a snippet of another tool', () => {
  const workbench = useSharedWorkbench(newcomerWindow);
  const file = (): string => path.join(workbench().folders.workspace ?? '', '.vscode', 'mcp.json');
  const editor = (): Locator => workbench().page.locator('.editor-instance').first();
  const word = (text: string): Locator => editor().locator('.view-line span span').filter({ hasText: text }).last();
  const lens = (title: string | RegExp): Locator =>
    editor().locator('.codelens-decoration a, .codelens-decoration span').filter({ hasText: title }).first();

  /** Chooses a quick fix at a word, as with the light bulb. */
  async function fix(at: string, title: string | RegExp): Promise<void> {
    const { page } = workbench();
    await word(at).click();
    const offered = page.locator('.action-widget .monaco-list-row').filter({ hasText: title }).first();
    await eventually(`the fix ${String(title)}`, async () => {
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+.');
      return offered.waitFor({ timeout: 2_000 }).then(
        () => true,
        () => undefined,
      );
    });
    await offered.click();
  }

  /** As from the clipboard, which a page may not read by itself: what is typed would be indented and closed by the editor. */
  async function paste(text: string): Promise<void> {
    await workbench().page.evaluate((pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', pasted);
      document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, text);
  }

  before(async () => {
    await mkdir(path.dirname(file()), { recursive: true });
    await writeFile(file(), '');
  });
  after(() => rm(file(), { force: true }));

  it('is warned about the token, mends the file where it stands, and starts the server above its name', async () => {
    const { page, palette } = workbench();
    await palette.run('Go to File...');
    await palette.input.fill('.vscode/mcp.json');
    await palette.pick('mcp.json');
    await editor().locator('.view-lines').click();
    await paste(snippet);
    await editor().locator('.squiggly-warning').first().waitFor();
    await page.keyboard.press('Control+s');

    await fix('mcpServers', 'Convert to the form of this file');
    await word('"servers"').waitFor();
    await page.keyboard.press('Control+s');

    await fix('ghp_', /Move “TILL_TOKEN” to the secret storage/);
    await workbench().notifications.waitFor(/“TILL_TOKEN” is in the secret storage now/);
    await eventually('the file without it', async () => ((await readFile(file(), 'utf8')).includes(secret) ? undefined : true));

    await word('till-TILL_TOKEN').click();
    await page.keyboard.press('Control+z');
    await workbench().notifications.waitFor(/Undo did not take it out of the secret storage/);
    await page.keyboard.press('Control+Shift+z');
    await word('till-TILL_TOKEN').waitFor();
    await page.keyboard.press('Control+s');

    await lens('Duplex: Start').click();
    await allow(await permissionQuestion(workbench(), /^Permission:.*till/), 'Allow');
    await lens(/Duplex: \d+ tools/).waitFor();
    await lens('Stop').click();
    await lens('Duplex: Start').waitFor();
  });
});
