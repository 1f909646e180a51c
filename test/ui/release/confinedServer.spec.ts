import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import type { Locator } from 'playwright-core';
import { hasBoxPrograms } from '../../support/run/boxPrograms.mjs';
import { outFolder, repositoryRoot } from '../../support/run/repository.mjs';
import { createTemporaryFolder } from '../../support/run/temporaryFolder.mjs';
import { launchWorkbench } from '../harness/useWorkbench.ts';
import type { Workbench } from '../harness/workbench.ts';
import { permissionQuestion } from '../pages/consentPanel.ts';
import { allow } from '../pages/questions.ts';
import { ToolRunner } from '../pages/toolRunner.ts';

const host = 'wanted.invalid';

/** A repository that brings a server of its own. */
function createRepository(): string {
  const folder = createTemporaryFolder();
  mkdirSync(path.join(folder, '.vscode'));
  const mail = { command: 'node', args: ['server.mjs'] };
  writeFileSync(path.join(folder, '.vscode/settings.json'), JSON.stringify({ 'duplex.mcpServers': { mail } }, undefined, 2));
  // Its tool has no arguments, so that it runs when it is chosen.
  const server = readFileSync(path.join(repositoryRoot, 'test/fixtures/servers/reachingServer.mjs'), 'utf8');
  writeFileSync(path.join(folder, 'server.mjs'), server.replace('fetch: ({ url })', `fetch: ({ url = 'http://${host}/' })`));
  return folder;
}

const themes: readonly [theme: string, bodyClass: string][] = [
  ['Dark High Contrast', 'vscode-high-contrast'],
  ['Light Modern', 'vscode-light'],
  ['Dark Modern', 'vscode-dark'],
];

describe('Somebody with a repository’s server', function () {
  this.timeout(180_000);
  let workbench: Workbench;
  const row = (text: string | RegExp): Locator => workbench.views.rows('MCP Servers').filter({ hasText: text }).first();
  const picture = (name: string): Promise<void> => workbench.screenshot(path.join(outFolder, 'looks', `confined-${name}.png`));
  const question = (): Promise<Locator> => permissionQuestion(workbench, /^Permission:.*mail/);

  before(async function () {
    if (!(await hasBoxPrograms())) {
      this.skip();
    }
    const env = { DUPLEX_BUBBLEWRAP: '/usr/bin/bwrap' };
    workbench = await launchWorkbench({ version: 'ceiling', workspace: createRepository(), env, viewport: { width: 1280, height: 900 } });
  });

  it('runs it confined, lets it reach the host that it wanted, and sees everywhere how far it reaches', async () => {
    await workbench.openView('Duplex');
    await row(/mail.*needs permission/).waitFor();
    await workbench.views.chooseInMenu(row('mail'), 'Start Server');
    await looksAtQuestion();
    await allow(await question(), 'Allow');
    await row(/mail.*tools, confined/).waitFor();

    await ToolRunner.choose(workbench.page, 'fetch');
    await allow(await permissionQuestion(workbench, /^Permission:.*fetch/), 'Allow for this session');
    await untilFetched(/^403 /);
    await row(new RegExp(`mail.*confined, wanted ${host}`)).waitFor();
    await picture('wanted');
    await workbench.views.chooseInMenu(row('mail'), 'Allow Host…');
    const again = await question();
    await again.getByText(host).first().waitFor();
    await picture('host-question');
    await allow(again, 'Allow');
    // Nobody knows this name, so the way that is open now ends one step later.
    await row(/mail.*tools, confined$/).waitFor();
    await ToolRunner.choose(workbench.page, 'fetch');
    // It reaches further now: what was allowed to its tools before does not cover that.
    const anew = await permissionQuestion(workbench, /^Permission:.*fetch/);
    await anew.getByText('The definition of the server has changed').waitFor();
    await allow(anew, 'Allow once');
    await untilFetched(/^502 /);

    await workbench.runCommand('Duplex: Doctor');
    const doctor = await workbench.webview('Duplex Doctor');
    await doctor.getByText(`It changes: nothing. It reaches: ${host}.`).waitFor();
    await workbench.runCommand('Duplex: Show Audit Log');
    const audit = (await workbench.webview('Duplex Audit Log')).getByRole('table', { name: 'Audit log' }).getByRole('row');
    await audit.filter({ hasText: 'Start the server, confined, without a network' }).first().waitFor();
    await audit
      .filter({ hasText: `Start the server, confined, with a way to ${host}` })
      .first()
      .waitFor();
  });

  const looksAtQuestion = async (): Promise<void> => {
    const asked = await question();
    assert.equal(await asked.getByRole('checkbox', { name: 'Run confined' }).isChecked(), true);
    const reach = asked.getByLabel('How far it reaches');
    await reach.getByText('no network').waitFor();
    for (const [theme, bodyClass] of themes) {
      await workbench.palette.choose('Preferences: Color Theme', theme);
      const shown = await question();
      await shown.locator(`xpath=ancestor::body[contains(concat(@class, " "), "${bodyClass} ")]`).waitFor();
      await workbench.palette.widget.waitFor({ state: 'hidden' });
      await shown.getByRole('checkbox', { name: 'Run confined' }).scrollIntoViewIfNeeded();
      await picture(`question-${bodyClass}`);
    }
  };

  const untilFetched = async (answer: RegExp): Promise<void> => {
    await (await ToolRunner.of(workbench.page, 'fetch')).untilResult(answer);
  };
});
