import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as path from 'node:path';
import type { Locator } from 'playwright-core';
import { outFolder } from '../../support/run/repository.mjs';
import { useWorkbench } from '../harness/useWorkbench.ts';
import { permissionQuestion } from '../pages/consentPanel.ts';
import { eventually } from '../pages/discovery.ts';
import { closeMenu, menuEntries, openMenu } from '../pages/menus.ts';
import { allow } from '../pages/questions.ts';

describe('The menu of a server', () => {
  const workbench = useWorkbench({ version: 'ceiling', theme: 'dark', viewport: { width: 1280, height: 800 } });
  const row = (text: string | RegExp): Locator => workbench().views.rows('MCP Servers').filter({ hasText: text }).first();
  const entries = (): Locator => menuEntries(workbench().page);
  const choose = (server: string | RegExp, entry: string): Promise<void> => workbench().views.chooseInMenu(row(server), entry);
  const settings = (): Promise<string> => readFile(path.join(workbench().folders.workspace ?? '', '.vscode/settings.json'), 'utf8');
  const untilSettings = (pattern: RegExp): Promise<string> =>
    eventually(String(pattern), async () => (pattern.test(await settings()) ? settings() : undefined));

  before(async () => {
    await workbench().openView('Duplex');
    await row(/demo.*needs permission/).waitFor();
  });

  it('offers what can be done with it, and nothing of it for the editor’s own', async () => {
    await openMenu(row('demo'), 'Remove Server');
    await workbench().screenshot(path.join(outFolder, 'looks', 'server-menu.png'));
    const names = (await entries().allTextContents()).map((name) => name.trim()).filter((name) => name !== '');
    assert.deepEqual(names, ['Start Server', 'Show Server Log', 'Edit Server', 'Disable Server', 'Remove Server']);
    await closeMenu(workbench().page);
    await row('editor').click({ button: 'right' });
    // VS Code marks the row in the same moment in which it opens what menu the row has.
    await row('editor').and(workbench().page.locator('.focused')).waitFor();
    assert.equal(await entries().filter({ hasText: 'Server' }).count(), 0);
    await closeMenu(workbench().page);
  });

  it('disables and enables it in its own place', async () => {
    await choose('demo', 'Disable Server');
    await row(/demo.*disabled/).waitFor();
    await untilSettings(/"disabled": true/);
    await choose('demo', 'Enable Server');
    await row(/demo.*needs permission/).waitFor();
    assert.doesNotMatch(await settings(), /disabled/);
  });

  it('removes it, and Undo brings it back', async () => {
    await choose('demo', 'Remove Server');
    await workbench().notifications.waitFor('The server “demo” was removed from workspace settings.');
    await row('demo').waitFor({ state: 'detached' });
    await workbench().screenshot(path.join(outFolder, 'looks', 'server-removed.png'));
    await workbench().notifications.choose('was removed', 'Undo');
    await row(/demo.*needs permission/).waitFor();
    await untilSettings(/"demo"/);
  });

  it('starts it with a question that has the focus, and one notification about permission stands at most', async () => {
    assert.ok((await workbench().notifications.toasts.filter({ hasText: 'needs your permission' }).count()) <= 1);
    await choose('demo', 'Start Server');
    const question = await permissionQuestion(workbench(), /^Permission:.*demo/);
    await allow(question, 'Allow');
    await row(/demo.*tools/).waitFor();
  });

  it('edits the definition where it stands', async () => {
    await choose('demo', 'Edit Server');
    // The path of where the cursor is.
    await workbench().page.locator('.monaco-breadcrumb-item', { hasText: 'duplex.mcpServers' }).waitFor();
    await workbench().page.locator('.monaco-breadcrumb-item', { hasText: 'demo' }).waitFor();
    await workbench().screenshot(path.join(outFolder, 'looks', 'server-definition.png'));
  });
});
