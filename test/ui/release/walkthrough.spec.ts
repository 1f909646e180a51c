import assert from 'node:assert/strict';
import * as path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Locator } from 'playwright-core';
import { outFolder, repositoryRoot } from '../../support/run/repository.mjs';
import { useWorkbench } from '../harness/useWorkbench.ts';
import { Chat } from '../pages/chat.ts';
import { permissionQuestion } from '../pages/consentPanel.ts';
import { allow } from '../pages/questions.ts';
import { ToolRunner } from '../pages/toolRunner.ts';

const title = 'First minute with Duplex';
const server = path.join(repositoryRoot, 'test/fixtures/workspaces/demo/tools/demoServer.mjs');

/** What Copy Client Configuration puts on the clipboard, in the plain form. */
interface Copied {
  readonly mcpServers: { readonly duplex: { readonly command: string; readonly args: string[]; readonly env: Record<string, string> } };
}

describe('Somebody who goes through the walkthrough', function () {
  this.timeout(120_000);
  const workbench = useWorkbench({ version: 'ceiling', workspace: 'plain', viewport: { width: 1400, height: 900 } });
  const step = (id: string): Locator => workbench().page.locator(`[data-step-id$="#${id}"]`);
  const check = (id: string): Locator => workbench().page.locator(`[data-done-step-id$="#${id}"]`).first();
  const button = (name: string): Locator =>
    workbench().page.locator('.gettingStartedContainer .button-container').getByRole('button', { name });
  const tab = (): Locator => workbench().page.getByRole('tab', { name: /^(?:Walkthrough|Welcome)/ });
  const picture = (name: string): Promise<void> => workbench().screenshot(path.join(outFolder, 'looks', `walkthrough-${name}.png`));
  let chat: Chat;

  /** Opens a step, as it is before it is done, and sees its picture. */
  async function openStep(id: string): Promise<void> {
    if ((await step(id).getAttribute('aria-expanded')) !== 'true') {
      await step(id).click();
    }
    const shown = workbench().page.locator(`.getting-started-media img[srcset*="${id}-light"]`);
    await shown.waitFor();
    const width = await shown.evaluate((image) =>
      (image as HTMLImageElement).decode().then(() => (image as HTMLImageElement).naturalWidth),
    );
    assert.ok(width > 200, `${id} has its picture`);
    assert.notEqual(await shown.getAttribute('alt'), '');
    await picture(id);
    assert.equal(await check(id).getAttribute('aria-checked'), 'false', `${id} is not done yet`);
  }

  /** The page is in front again once a question is answered; its tab, pressed then, would lead back to VS Code's list of walkthroughs. */
  async function untilDone(id: string): Promise<void> {
    await check(id).and(workbench().page.locator('[aria-checked="true"]')).waitFor();
  }

  before(async () => {
    await workbench().openView('Duplex'); // the extension is there
    await workbench().palette.choose('Welcome: Open Walkthrough...', title);
    await workbench().page.locator('.gettingStartedContainer').getByText(title).first().waitFor();
  });

  it('asks the offline guide something', async () => {
    await openStep('offline');
    await button('Open Chat').click();
    chat = await Chat.open(workbench());
    await chat.ask('what can you do?');
    await chat.untilIdle();
    await untilDone('offline');
  });

  it('adds a server', async () => {
    await openStep('addServer');
    const { palette } = workbench();
    const paste = async (): Promise<void> => {
      await palette.widget.getByText('Paste what you have').waitFor({ timeout: 6_000 });
      await palette.answer(`node ${server}`);
    };
    await palette.chooseFrom(() => button('Add Server…').click(), paste, 'Workspace settings');
    await allow(await permissionQuestion(workbench(), /^Permission: Start the server/), 'Allow');
    await workbench().views.rows('MCP Servers').filter({ hasText: '4 tools' }).first().waitFor();
    await untilDone('addServer');
  });

  it('runs a tool of it', async () => {
    await openStep('runTool');
    await workbench().palette.chooseFrom(() => button('Run Tool…').click(), 'Roll dice');
    const runner = await ToolRunner.of(workbench().page, 'roll_dice');
    await runner.pressRun();
    await runner.untilResult(/You rolled a \d/);
    await tab().click();
    await untilDone('runTool');
  });

  it('connects a program with what was copied', async () => {
    await openStep('connectAgent');
    await workbench().page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await workbench().palette.chooseFrom(() => button('Copy Client Configuration…').click(), 'Plain JSON');
    await workbench().notifications.waitFor(/configuration for Plain JSON is on the clipboard/);
    const copied = JSON.parse(await workbench().page.evaluate(() => navigator.clipboard.readText())) as Copied;
    const { command, args, env } = copied.mcpServers.duplex;
    const client = new Client({ name: 'newcomer', version: '1.0.0' });
    await client.connect(new StdioClientTransport({ command, args, env: { ...env, PATH: process.env['PATH'] ?? '' }, stderr: 'ignore' }));
    try {
      const call = client.callTool({ name: 'list_workspace_folders', arguments: {} });
      await allow(await permissionQuestion(workbench(), /^Permission:.*see this editor/), 'Allow for this session');
      assert.notEqual((await call).isError, true);
      await untilDone('connectAgent');
    } finally {
      await client.close();
    }
  });

  it('sees what was done', async () => {
    await openStep('seeWhatWasDone');
    await button('Show Audit Log').click();
    const rows = (await workbench().webview('Duplex Audit Log')).getByRole('table', { name: 'Audit log' }).getByRole('row');
    await rows.filter({ hasText: 'roll_dice' }).first().waitFor();
    await tab().click();
    await untilDone('seeWhatWasDone');
    await picture('done');
  });
});
