import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import * as path from 'node:path';
import { launchWorkbench } from '../harness/useWorkbench.ts';
import type { Workbench } from '../harness/workbench.ts';
import { Chat } from '../pages/chat.ts';
import { readDiscovery } from '../pages/discovery.ts';
import { grantTrust } from '../pages/workspaceTrust.ts';

describe('In Restricted Mode', () => {
  it('no server is shown to start, no port is opened, and the offline guide works; trust brings the rest', async () => {
    const workbench = await launchWorkbench({ version: 'ceiling', trust: 'restricted', env: { ANTHROPIC_API_KEY: 'never-used' } });
    const windows = (): Promise<string[]> => readdir(path.join(workbench.folders.home, 'windows')).catch(() => []);
    const chat = await Chat.open(workbench);
    await chat.ask('help');
    await chat.answers
      .last()
      .getByText(/not an AI/)
      .waitFor();
    for (const request of ['tools', 'run roll_dice']) {
      await chat.ask(request);
      await chat.answers
        .last()
        .getByText(/before you trust this workspace/)
        .waitFor();
    }
    assert.deepEqual(await offered(workbench, ['Start Server…', 'Restart Server…', 'Run Tool…', 'Manage Permissions']), [
      'Manage Permissions',
    ]);
    await workbench.palette.addServer('node tools/demoServer.mjs', 'Workspace settings');
    await workbench.notifications.waitFor(/No server starts before you trust this workspace/);
    assert.equal(await workbench.page.getByRole('tab', { name: /^Permission/ }).count(), 0);
    assert.deepEqual(await windows(), []);
    assert.equal(await workbench.views.rows('MCP Servers').filter({ hasText: 'demo' }).count(), 0);
    await grantTrust(workbench.page);
    await workbench.openView('Duplex');
    await workbench.views.rows('MCP Servers').filter({ hasText: 'needs permission' }).first().waitFor();
    await workbench.statusBarItem('Duplex').waitFor();
    await readDiscovery(workbench.folders.home);
    assert.equal((await windows()).filter((name) => name.endsWith('.json')).length, 1);
  });
});

/** Which of these commands the palette has, looked for one by one after a command that every window has. */
async function offered({ page, palette }: Workbench, titles: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  const common = palette.rows.filter({ hasText: 'View: Show Extensions' }).first();
  for (const title of titles) {
    await palette.lookFor('View: Show Extensions');
    await palette.input.fill(`>Duplex: ${title}`);
    // Until then the list is still that of the words before.
    await common.waitFor({ state: 'detached' });
    if (
      await palette.rows
        .filter({ hasText: `Duplex: ${title}` })
        .first()
        .isVisible()
    ) {
      found.push(title);
    }
  }
  await page.keyboard.press('Escape');
  return found;
}
