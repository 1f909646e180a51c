import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { repositoryRoot } from '../../support/run/repository.mjs';
import { ownServersWindow } from '../harness/sharedWindows.ts';
import { useSharedWorkbench } from '../harness/useWorkbench.ts';
import { permissionQuestion } from '../pages/consentPanel.ts';
import { Counted } from '../pages/counted.ts';
import { allow } from '../pages/questions.ts';
import { ToolRunner } from '../pages/toolRunner.ts';

const screenshots = path.resolve('out/screenshots');

describe('Somebody with servers of their own', () => {
  const workbench = useSharedWorkbench(ownServersWindow);
  const row = (text: string | RegExp): Locator => workbench().views.rows('MCP Servers').filter({ hasText: text });
  const screenshot = (name: string): Promise<void> => workbench().screenshot(path.join(screenshots, `${name}.png`));
  const editorText = (text: string | RegExp): Locator =>
    workbench().page.locator('.editor-instance .view-lines').filter({ hasText: text }).first();

  const settings = async (): Promise<Record<string, unknown>> => {
    const text = await readFile(path.join(workbench().folders.workspace ?? '', '.vscode/settings.json'), 'utf8');
    return JSON.parse(text.replace(/^\s*\/\/.*$/gm, '')) as Record<string, unknown>;
  };
  const definition = { command: 'node', args: ['${workspaceFolder}/tools/demoServer.mjs'] };

  it('adds a server as the README shows one, and has its tools in view after three steps', async () => {
    const { palette } = workbench();
    await workbench().openView('Duplex');
    await row('demo').first().waitFor();
    const example = `// settings.json, in the form other hosts use "duplex.mcpServers": { "shop": ${JSON.stringify(definition)} }`;
    let steps = 0;
    const paste = async (): Promise<void> => {
      await palette.widget.getByText('Paste what you have').waitFor();
      await palette.input.fill('node x && y');
      await palette.widget.getByText('no shell is used').waitFor();
      await palette.input.fill(example);
      await palette.widget.getByText(/shop: node/).waitFor();
      await screenshot('add-server');
      await palette.input.press('Enter');
      steps = 1;
    };
    const lookAtEntry = async (): Promise<void> => {
      await palette.offered('demoServer.mjs');
      await screenshot('add-server-entry');
    };
    await palette.chooseAfter('Duplex: Add Server…', paste, lookAtEntry, 'Workspace settings');
    steps += 1;
    await allow(await permissionQuestion(workbench(), /^Permission:.*shop/), 'Allow');
    steps += 1;
    await row('Roll dice').first().waitFor();
    await screenshot('servers-tree');
    assert.equal(await workbench().notifications.toasts.filter({ hasText: 'shop' }).count(), 0, 'nobody is asked twice');
    assert.deepEqual([steps, (await settings())['duplex.mcpServers']], [3, { demo: definition, shop: definition }]);
  });

  it('pastes a command with a secret and a placeholder: asked for the one, and never again for the other', async () => {
    const { palette } = workbench();
    const secret = 'ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8';
    const paste = async (): Promise<void> => {
      await palette.widget.getByText('Paste what you have').waitFor();
      await palette.answer(`SHOP_TOKEN=${secret} SHOP_REGION=<region> node "\${workspaceFolder}/tools/demoServer.mjs"`);
      await palette.widget.getByText('SHOP_REGION').waitFor();
      await palette.answer('north');
    };
    await palette.chooseAfter('Duplex: Add Server…', paste, 'Workspace settings');
    await allow(await permissionQuestion(workbench(), /^Permission:.*demoServer/), 'Allow');
    await row(/demoServer.*tools/)
      .first()
      .waitFor();
    const { 'duplex.mcpServers': servers, 'duplex.inputs': inputs } = await settings();
    const id = 'demoServer-SHOP_TOKEN';
    assert.deepEqual((servers as Record<string, unknown>)['demoServer'], {
      ...definition,
      env: { SHOP_TOKEN: `\${input:${id}}`, SHOP_REGION: 'north' },
    });
    assert.deepEqual(inputs, [{ id, type: 'promptString', description: 'SHOP_TOKEN', password: true }]);
    assert.ok(!JSON.stringify(await settings()).includes(secret));
    await workbench().views.press(row(/demoServer/).first(), /Stop Server/);
  });

  it('runs a tool from the command palette and opens the result as a document', async () => {
    const runner = await ToolRunner.open(workbench().page, { label: 'Roll dice', name: 'roll_dice' });
    await runner.form.getByRole('textbox', { name: 'sides' }).fill('six');
    await runner.form.getByText('This is not a number.').waitFor();
    await screenshot('run-tool-arguments');
    await runner.run({ sides: 6, count: 2 });
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
    await palette.addServer(JSON.stringify({ mcpServers: broken }), 'User settings');
    const toast = await workbench().notifications.waitFor(/2 MCP servers failed: “one”, “two”/);
    assert.equal(await workbench().notifications.toasts.filter({ hasText: 'failed' }).count(), 1);
    await screenshot('failures');
    await toast.getByRole('button', { name: 'Show Servers' }).click();
  });

  it('starts server-everything with two clicks and one question', async () => {
    const program = path.join(repositoryRoot, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
    const everything = row(/everything/).first();
    const entry = JSON.stringify({ mcpServers: { everything: { command: 'node', args: [program, 'stdio'] } } });
    await workbench().palette.addServer(entry, 'User settings');
    const asked = await permissionQuestion(workbench(), /^Permission:.*everything/);
    await asked.getByRole('button', { name: 'Deny', exact: true }).click();
    await row(/everything.*needs permission/)
      .first()
      .waitFor();
    const person = new Counted();
    await workbench().views.press(everything, /Start Server/);
    person.count.clicks += 1;
    await person.answer(await permissionQuestion(workbench(), /^Permission:.*everything/), 'Allow');
    await row(/everything.*tools/)
      .first()
      .waitFor();
    assert.deepEqual(person.count, { questions: 1, clicks: 2, scrolls: 0 });
  });

  it('asks the doctor what is wrong', async () => {
    // The server asks for the folders a moment after its start, and that question comes in front.
    const folders = await permissionQuestion(workbench(), /^Permission: The server “everything” wants to know the folders/);
    await folders.getByRole('button', { name: 'Deny', exact: true }).click();
    await workbench().runCommand('Duplex: Doctor');
    const page = await workbench().webview('Duplex Doctor');
    await page.getByText('Servers that failed: 2').waitFor();
    await page.getByRole('heading', { name: 'one', exact: true }).waitFor();
    await screenshot('doctor');
  });
});
