import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { useWorkbench } from '../harness/useWorkbench.ts';
import { permissionQuestion } from '../pages/consentPanel.ts';
import { allow } from '../pages/questions.ts';
import { ToolRunner } from '../pages/toolRunner.ts';

const screenshots = path.resolve('out/screenshots');

describe('Somebody with servers of their own', () => {
  const workbench = useWorkbench({ version: 'ceiling' });
  const row = (text: string | RegExp): Locator => workbench().views.rows('MCP Servers').filter({ hasText: text });
  const screenshot = (name: string): Promise<void> => workbench().screenshot(path.join(screenshots, `${name}.png`));
  const editorText = (text: string | RegExp): Locator =>
    workbench().page.locator('.editor-instance .view-lines').filter({ hasText: text }).first();

  it('adds a program step by step, and sees it in the tree', async () => {
    const { palette, page } = workbench();
    await workbench().openView('Duplex');
    await row('demo').first().waitFor();
    const lookAtKinds = async (): Promise<void> => {
      await palette.offered('Program');
      await screenshot('add-server-kind');
    };
    await palette.chooseAfter('Duplex: Add Server…', lookAtKinds, 'Program');
    await palette.input.fill('node x && y');
    await palette.widget.getByText('no shell is used').waitFor();
    await palette.answer('node "${workspaceFolder}/tools/demoServer.mjs"');
    await palette.widget.getByText('What to call the server').waitFor();
    await palette.input.fill('editor');
    await palette.widget.getByText("the editor's own server").waitFor();
    await screenshot('add-server-name');
    await palette.answer('shop');
    await palette.pick('Workspace settings');
    await row('shop').first().waitFor();
    const settings = await readFile(path.join(workbench().folders.workspace ?? '', '.vscode/settings.json'), 'utf8');
    const { 'duplex.mcpServers': servers } = JSON.parse(settings.replace(/^\s*\/\/.*$/gm, '')) as { 'duplex.mcpServers': unknown };
    const definition = { command: 'node', args: ['${workspaceFolder}/tools/demoServer.mjs'] };
    assert.deepEqual(servers, { demo: definition, shop: definition });
    await page.keyboard.press('Escape');
  });

  it('starts it, and finds what it offers in groups', async () => {
    await workbench().views.press(row('shop').first(), /Start Server/);
    const question = await permissionQuestion(workbench(), /^Permission:.*shop/);
    await allow(question, 'Allow');
    await row(/shop.*tools/)
      .first()
      .waitFor();
    await workbench().views.expand(row(/shop.*tools/).first());
    await row('Roll dice').waitFor();
    await screenshot('servers-tree');
  });

  it('runs a tool from the command palette and opens the result as a document', async () => {
    const runner = await ToolRunner.open(workbench().page, { label: 'Roll dice', name: 'roll_dice' });
    await runner.form.getByRole('textbox', { name: 'sides' }).fill('six');
    await runner.form.getByText('This is not a number.').waitFor();
    await screenshot('run-tool-arguments');
    await runner.run({ sides: 6, count: 2 });
    const question = await permissionQuestion(workbench(), /^Permission:.*roll_dice/);
    await allow(question, 'Allow once');
    await runner.untilResult(/You rolled/);
    await runner.button('Open in editor').click();
    await editorText(/You\srolled/).waitFor();
    await screenshot('run-tool-result');
  });

  it('reads the log of that server alone', async () => {
    await workbench().palette.chooseAfter('Duplex: Show Server Log…', 'shop');
    await workbench()
      .page.locator('.part.panel .view-lines')
      .filter({ hasText: /Running:\stiny.till.demo/i })
      .waitFor();
    await screenshot('server-log');
  });

  it('pastes two servers whose programs are missing, and gets one notification about both', async () => {
    const { palette } = workbench();
    const broken = { one: { command: 'no-such-program-1' }, two: { command: 'no-such-program-2' } };
    await palette.chooseAfter('Duplex: Add Server…', 'Paste JSON');
    await palette.answer(JSON.stringify({ mcpServers: broken }));
    await palette.pick('User settings');
    const toast = await workbench().notifications.waitFor(/2 MCP servers failed: “one”, “two”/);
    assert.equal(await workbench().notifications.toasts.filter({ hasText: 'failed' }).count(), 1);
    await screenshot('failures');
    await toast.getByRole('button', { name: 'Show Servers' }).click();
  });

  it('asks the doctor what is wrong', async () => {
    await workbench().runCommand('Duplex: Doctor');
    const page = await workbench().webview('Duplex Doctor');
    await page.getByText('Servers that failed: 2').waitFor();
    await page.getByRole('heading', { name: 'one', exact: true }).waitFor();
    await screenshot('doctor');
  });
});
