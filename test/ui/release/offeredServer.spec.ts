import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import type { Locator } from 'playwright-core';
import { outFolder, repositoryRoot } from '../../support/run/repository.mjs';
import { useWorkbench } from '../harness/useWorkbench.ts';
import { permissionQuestion } from '../pages/consentPanel.ts';
import { readDiscovery } from '../pages/discovery.ts';
import { connectOutside } from '../pages/outsideProgram.ts';
import { allow } from '../pages/questions.ts';

const features = path.join(repositoryRoot, 'test/fixtures/servers/featuresServer.mjs');
const themes = [
  ['Default Light Modern', 'vscode-light'],
  ['Default High Contrast', 'vscode-high-contrast'],
  ['Default Dark Modern', 'vscode-dark'],
] as const;

/** One server of the person's own, and two programs that use it through Duplex. */
describe('A server that is offered to programs outside', function () {
  this.timeout(180_000);
  const workbench = useWorkbench({
    version: 'ceiling',
    viewport: { width: 1280, height: 900 },
    settings: { 'duplex.mcpServers': { features: { command: 'node', args: [features] } } },
  });
  const row = (text: string | RegExp): Locator => workbench().views.rows('MCP Servers').filter({ hasText: text }).first();
  const clients = (): Locator => workbench().views.rows('Connected Clients');
  const question = (name: RegExp): Promise<Locator> => permissionQuestion(workbench(), name);
  let alice: Client;
  let bob: Client;

  before(async () => {
    await workbench().openView('Duplex');
    await row(/features.*needs permission/).waitFor();
    await workbench().views.chooseInMenu(row('features'), 'Start Server');
    await allow(await question(/Start the server “features”/), 'Allow');
    await row(/features.*tools/).waitFor();
    const window = await readDiscovery(workbench().folders.home);
    alice = await connectOutside(window, 'alice');
    bob = await connectOutside(window, 'bob');
  });
  after(async () => {
    await alice.close();
    await bob.close();
  });

  /** Through the settings of the folder: the focus stays where it is. */
  async function lookInThreeThemes(name: string, asked: Locator): Promise<void> {
    const folder = path.join(workbench().folders.workspace ?? '', '.vscode');
    await mkdir(folder, { recursive: true });
    for (const [theme, bodyClass] of themes) {
      await writeFile(path.join(folder, 'settings.json'), JSON.stringify({ 'workbench.colorTheme': theme }));
      await asked.locator(`xpath=ancestor::body[contains(concat(" ", @class, " "), " ${bodyClass} ")]`).waitFor();
      await workbench().screenshot(path.join(outFolder, 'looks', `offered-${name}-${bodyClass}.png`));
    }
  }

  async function letIn(client: Client, name: string): Promise<void> {
    const calling = client.callTool({ name: 'list_workspace_folders', arguments: {} });
    const asked = await question(new RegExp(`^Permission:.*“${name} 1.0.0”`));
    await asked.getByRole('radio', { name: /Runner/ }).check();
    await allow(asked, 'Allow for this session');
    await calling;
  }

  const toolsOf = async (client: Client): Promise<readonly string[]> => (await client.listTools()).tools.map(({ name }) => name);

  it('is listed to a runner once the person offers it on its row', async () => {
    await letIn(alice, 'alice');
    assert.ok(!(await toolsOf(alice)).includes('features__received'));
    await workbench().views.chooseInMenu(row('features'), 'Offer to Connected Clients');
    await row(/features.*offered/).waitFor();
    assert.ok((await toolsOf(alice)).includes('features__received'));
    await letIn(bob, 'bob');
  });

  it('asks about a call with the name of the program, the server and the tool', async () => {
    const calling = alice.callTool({ name: 'features__received', arguments: {} });
    const asked = await question(/^Permission:.*“alice 1.0.0” wants to run “received” of the server “features”/);
    await asked.getByText('It is not filtered for withheld files.').waitFor();
    await lookInThreeThemes('tool', asked);
    await allow(asked, 'Allow once');
    assert.match(JSON.stringify(await calling), /tools\/list/);
  });

  it('refuses a read to one program, and gives a prompt to it', async () => {
    const reading = bob.readResource({ uri: 'test://first' }).then(JSON.stringify, String);
    const asked = await question(/^Permission:.*“bob 1.0.0” wants to read at the server “features”/);
    await lookInThreeThemes('read', asked);
    await asked.getByRole('button', { name: 'Deny', exact: true }).click();
    assert.match(await reading, /denied by the person in VS Code/);
    const getting = bob.getPrompt({ name: 'features__first', arguments: { who: 'Ada' } });
    const prompt = await question(/^Permission:.*“bob 1.0.0” wants the prompt “first” of the server “features”/);
    await lookInThreeThemes('prompt', prompt);
    await allow(prompt, 'Allow once');
    assert.match(JSON.stringify(await getting), /Hello Ada/);
  });

  it('shows which program used it', async () => {
    await workbench().views.unfold('Connected Clients');
    const used = clients().filter({ hasText: 'calls itself alice' }).first();
    await used.waitFor();
    await used.hover();
    await workbench()
      .page.getByText(/Offered server features: 1 calls, the last of features__received/)
      .first()
      .waitFor();
    await workbench().screenshot(path.join(outFolder, 'looks', 'offered-clients.png'));
  });
});
