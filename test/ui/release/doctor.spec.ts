import path from 'node:path';
import type { Locator } from 'playwright-core';
import { newcomerWindow } from '../harness/sharedWindows.ts';
import { useSharedWorkbench } from '../harness/useWorkbench.ts';
import { permissionQuestion } from '../pages/consentPanel.ts';
import { allow } from '../pages/questions.ts';

const screenshots = path.resolve('out/screenshots');

describe('The doctor', () => {
  const workbench = useSharedWorkbench(newcomerWindow);
  const row = (text: string | RegExp): Locator => workbench().views.rows('MCP Servers').filter({ hasText: text });
  const screenshot = (name: string): Promise<void> => workbench().screenshot(path.join(screenshots, `${name}.png`));
  const editorText = (text: string | RegExp): Locator =>
    workbench().page.locator('.editor-instance .view-lines').filter({ hasText: text }).first();

  it('tells what the log of a server shows, which is mended with the button beside it', async () => {
    const { palette } = workbench();
    const needy = { command: 'node', args: ['-e', "console.error('DATABASE_URL is not set'); process.exit(1)"] };
    await palette.addServer(JSON.stringify({ mcpServers: { needy } }), 'User settings');
    const asked = await permissionQuestion(workbench(), /^Permission:.*needy/);
    await asked.getByRole('button', { name: 'Deny', exact: true }).click();
    await workbench().openView('Duplex');
    await row('needy').first().waitFor();
    await workbench().runCommand('Duplex: Doctor');
    const waiting = await workbench().webview('Duplex Doctor');
    await waiting.getByRole('button', { name: 'Start: needy' }).click();
    const question = await permissionQuestion(workbench(), /^Permission:.*needy/);
    await allow(question, 'Allow');
    await workbench().runCommand('Duplex: Doctor');
    const page = await workbench().webview('Duplex Doctor');
    await page.getByText('Its log says that the variable DATABASE_URL is missing.').waitFor();
    await screenshot('doctor-log');
    await page.getByRole('button', { name: 'Open Definition: needy' }).click();
    await editorText(/needy/).waitFor();
  });
});
