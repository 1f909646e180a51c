import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import * as path from 'node:path';
import { launchWorkbench } from '../harness/useWorkbench.ts';
import { Chat } from '../pages/chat.ts';
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
    assert.deepEqual(await windows(), []);
    assert.equal(await workbench.views.rows('MCP Servers').filter({ hasText: 'demo' }).count(), 0);
    await grantTrust(workbench.page);
    await workbench.openView('Duplex');
    await workbench.views.rows('MCP Servers').filter({ hasText: 'needs permission' }).waitFor();
    await workbench.statusBarItem('Duplex').waitFor();
    assert.equal((await windows()).filter((name) => name.endsWith('.json')).length, 1);
  });
});
