import assert from 'node:assert/strict';
import * as path from 'node:path';
import { outFolder } from '../../support/run/repository.mjs';
import { useWorkbench } from '../harness/useWorkbench.ts';
import { Chat } from '../pages/chat.ts';

describe('The sidebar', () => {
  const workbench = useWorkbench({ version: 'ceiling', viewport: { width: 1000, height: 900 } });

  it('leaves its room to the chat from the start: the other views are folded', async () => {
    await workbench().page.locator('.activitybar').getByRole('tab', { name: 'Duplex' }).click({ timeout: 60_000 });
    assert.equal(await workbench().views.isUnfolded('MCP Servers'), false);
    assert.equal(await workbench().views.isUnfolded('Connected Clients'), false);
    const chat = await Chat.open(workbench());
    await workbench().views.fold('MCP Servers');
    await chat.message.waitFor();
    await workbench().screenshot(path.join(outFolder, 'looks', 'page-first-run.png'));
    const foot = await chat.frame.locator('.composer-foot').boundingBox();
    assert.ok(foot !== null && foot.height < 40, 'the foot is one line');
  });
});
