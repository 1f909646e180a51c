import assert from 'node:assert/strict';
import * as path from 'node:path';
import type { Locator } from 'playwright-core';
import { outFolder } from '../../support/run/repository.mjs';
import { useWorkbench } from '../harness/useWorkbench.ts';
import { permissionQuestion } from '../pages/consentPanel.ts';
import { readDiscovery } from '../pages/discovery.ts';
import { allow } from '../pages/questions.ts';

/** No model is at hand: its own commands make VS Code list, start and read what its agent would. */
describe('VS Code’s own agent', () => {
  const workbench = useWorkbench({
    version: 'ceiling',
    builtIns: 'all',
    viewport: { width: 1280, height: 900 },
    settings: { 'chat.disableAIFeatures': false },
  });
  const client = (): Locator => workbench().views.rows('Connected Clients').filter({ hasText: 'code-server' });
  const resource = (): Locator => workbench().page.locator('.editor-instance .view-lines').filter({ hasText: '"editors":' });
  const picture = (name: string): Promise<void> => workbench().screenshot(path.join(outFolder, 'looks', `agent-${name}.png`));

  before(() => openDuplex());

  async function openDuplex(): Promise<void> {
    await workbench().openView('Duplex');
    await readDiscovery(workbench().folders.home);
  }

  async function start(): Promise<void> {
    await workbench().palette.chooseAfter('MCP: List Servers', /^Duplex/, 'Start Server');
  }

  async function readOpenEditors(): Promise<void> {
    await workbench().palette.chooseAfter('MCP: Browse Resources...', 'Open Editors');
  }

  it('is offered this editor and connects to it', async () => {
    await workbench().views.unfold('Connected Clients'); // folded until asked for
    await start();
    await client().filter({ hasText: 'has seen nothing yet' }).waitFor();
  });

  it('gets what it reads after the person has let it in', async () => {
    await readOpenEditors();
    const question = await permissionQuestion(workbench(), /^Permission:.*code-server/);
    await question.getByRole('definition').filter({ hasText: 'given to VS Code’s own agent' }).waitFor();
    await picture('question');
    // VS Code's list, and then the tab of what is read, may come over the question; a person goes back to it.
    const { page } = workbench();
    await question.focus();
    await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    await page.getByRole('tab', { name: /Permission/ }).click();
    await allow(question, 'Always allow');
    await resource().waitFor();
    await client().filter({ hasText: 'Reader' }).waitFor();
    await picture('read');
  });

  it('is not asked about again when the window was closed and opened', async () => {
    await workbench().restartWindow();
    await openDuplex();
    await start();
    await client().filter({ hasText: 'Reader' }).waitFor();
    await readOpenEditors();
    await resource().waitFor();
    assert.equal(
      await workbench()
        .page.getByRole('tab', { name: /Permission/ })
        .count(),
      0,
    );
  });
});
