import assert from 'node:assert/strict';
import * as path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { ProtectedServer } from '../../fixtures/authorizationServer/protectedServer.ts';
import { outFolder } from '../../support/run/repository.mjs';
import { byHandWindow } from '../harness/sharedWindows.ts';
import { useSharedWorkbench } from '../harness/useWorkbench.ts';
import type { Workbench } from '../harness/workbench.ts';
import { permissionQuestion } from '../pages/consentPanel.ts';
import { closeMenu, openMenu } from '../pages/menus.ts';
import { allow } from '../pages/questions.ts';
import { ToolRunner } from '../pages/toolRunner.ts';

describe('Somebody with a server that wants a sign-in', () => {
  const shared = useSharedWorkbench(byHandWindow);
  let server: ProtectedServer;
  let workbench: Workbench;
  const row = (text: string | RegExp): Locator => workbench.views.rows('MCP Servers').filter({ hasText: text }).first();
  const picture = (name: string): Promise<void> => workbench.screenshot(path.join(outFolder, 'looks', `${name}.png`));

  before(async () => {
    server = await ProtectedServer.start();
    workbench = shared();
    await workbench.openView('Duplex');
    const diary = { type: 'http', url: server.url.href };
    await workbench.palette.addServer(JSON.stringify({ mcpServers: { diary } }), 'User settings');
  });

  after(() => server.close());

  /** Adding a server leads to the question whether it may start. */
  const startFirst = async (): Promise<void> => {
    const question = await permissionQuestion(workbench, /^Permission:.*diary/);
    await allow(question, 'Allow');
    await row(/diary.*needs sign-in/).waitFor();
  };

  /** The tool needs more than the first sign-in gave: the call fails, and the notification leads to the page that asks for it. */
  const giveMore = async (): Promise<void> => {
    const { notifications, page } = workbench;
    await ToolRunner.choose(page, 'write');
    // Without arguments there is nothing to fill in: the tool runs at once, after its question.
    await allow(await permissionQuestion(workbench, /^Permission:.*write/), 'Allow for this session');
    const toast = await notifications.waitFor(/“diary” wants more access: notes:write/);
    await picture('more-access');
    const browserPage = page.context().waitForEvent('page');
    await toast.getByRole('button', { name: 'Sign In', exact: true }).click();
    await seesTheEnd(await browserPage);
    await notifications.toasts.filter({ hasText: /Signing in to/ }).waitFor({ state: 'detached' });
    const write = await ToolRunner.of(page, 'write');
    await write.pressRun();
    await write.untilResult('write done');
  };

  it('signs in through the browser, uses it, gives more access, and signs out again', async () => {
    const { notifications, page } = workbench;
    await startFirst();
    const toast = await notifications.waitFor(/“diary” wants you to sign in/);
    assert.equal(await notifications.toasts.filter({ hasText: /failed/ }).count(), 0);
    await picture('sign-in-needed');

    const browserPage = page.context().waitForEvent('page');
    await toast.getByRole('button', { name: 'Sign In', exact: true }).click();
    await notifications.waitFor(/Signing in to “?diary/);
    await picture('signing-in');
    await seesTheEnd(await browserPage);
    await row(/diary.*2 tools/).waitFor();
    await row(/diary/).click();
    await picture('signed-in');
    const startButtons = row(/diary/).getByRole('button', { name: /^Start Server/ });
    assert.equal(await startButtons.count(), 0, 'a running server has no Start button');

    await giveMore();

    await openMenu(row(/diary/), /Sign Out/);
    await picture('sign-out-menu');
    await closeMenu(page);

    const { palette } = workbench;
    const lookAtServers = async (): Promise<void> => {
      await palette.offered('diary');
      assert.equal(await palette.rows.count(), 1);
      await picture('sign-out');
    };
    await palette.chooseAfter('Duplex: Sign Out…', lookAtServers, 'diary');
    await notifications.waitFor(/Signed out of “diary”/);
    await row(/diary.*needs sign-in/).waitFor();
    await picture('signed-out');
    assert.equal(server.authorization.requests('/revoke').length, 2);
  });

  const seesTheEnd = async (browserPage: Page): Promise<void> => {
    // In the browser VS Code leads local ports through a proxy, which this installation does not have.
    await browserPage.waitForURL(/\/authorize\?/);
    await browserPage.goto(browserPage.url().replace(/^.*\/proxy\/(\d+)\//, 'http://127.0.0.1:$1/'));
    await browserPage
      .getByText(/You can close this page/)
      .first()
      .waitFor();
    await browserPage.screenshot({ path: path.join(outFolder, 'looks', 'sign-in-page.png') });
    await browserPage.close();
  };
});
