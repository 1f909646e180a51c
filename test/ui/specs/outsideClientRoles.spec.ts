import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import type { Client, FetchLike } from '@modelcontextprotocol/client';
import type { Locator } from 'playwright-core';
import { untilAborted } from '../../../src/base/abort.ts';
import type { DiscoveryFile } from '../../../src/contract/bridgeFiles.ts';
import { outFolder } from '../../support/run/repository.mjs';
import { actingWindow } from '../harness/sharedWindows.ts';
import { useSharedWorkbench } from '../harness/useWorkbench.ts';
import { permissionQuestion } from '../pages/consentPanel.ts';
import { eventually, readDiscovery } from '../pages/discovery.ts';
import { connectOutside } from '../pages/outsideProgram.ts';
import { allow, buttonNames } from '../pages/questions.ts';

describe('A program outside the editor and its role', () => {
  const workbench = useSharedWorkbench(actingWindow);
  const picture = (name: string): Promise<void> => workbench().screenshot(path.join(outFolder, 'looks', `client-${name}.png`));
  const rows = (): Locator => workbench().views.rows('Connected Clients');
  const question = (name = 'stranger'): Promise<Locator> => permissionQuestion(workbench(), new RegExp(`^Permission:.*“${name} 1.0.0”`));
  const button = (on: Locator, name: string): Locator => on.getByRole('button', { name, exact: true });
  let window: DiscoveryFile;
  let client: Client;
  let lastStatus = 0;
  let streams: Promise<unknown>[];
  const watchingFetch: FetchLike = async (url, init) => {
    const response = await fetch(url, init);
    lastStatus = response.status;
    if (init?.method === 'GET' && response.body !== null) {
      const [own, watched] = response.body.tee();
      streams.push(watched.pipeTo(new WritableStream()).catch(() => undefined));
      return new Response(own, response);
    }
    return response;
  };

  before(async () => {
    streams = [];
    await workbench().page.setViewportSize({ width: 1280, height: 900 });
    await workbench().openView('Duplex');
    await workbench().views.fold('MCP Servers');
    await workbench().views.fold('Chat'); // there may be many clients: a row that is out of view is not drawn
    await workbench().views.unfold('Connected Clients');
    window = await readDiscovery(workbench().folders.home);
    client = await connectOutside(window, 'stranger', watchingFetch);
  });
  after(() => client.close());

  const call = (name: string, args: Record<string, unknown> = {}): Promise<string> =>
    client.callTool({ name, arguments: args }).then((result) => JSON.stringify(result));

  it('is let in with the role that the person chose, Reader unless they choose another', async () => {
    const calling = call('list_workspace_folders');
    const asked = await question();
    const role = asked.getByRole('radiogroup', { name: 'Role' });
    assert.deepEqual(await role.getByRole('radio').evaluateAll((radios) => radios.map((radio) => (radio as HTMLInputElement).checked)), [
      true,
      false,
      false,
    ]);
    assert.equal(await asked.getByRole('button').count(), 2, '"always" is not on offer for the window token');
    await picture('connect');
    await allow(asked, 'Allow for this session');
    assert.match(await calling, /"name":"demo"|^0 demo: /);
    await rows().filter({ hasText: 'calls itself stranger' }).filter({ hasText: 'Reader' }).waitFor();
    await picture('tree');
  });

  it('is asked about above its role, and Deny refuses this one call', async () => {
    const calling = call('get_terminal_output', { limit: 5 });
    const asked = await question();
    assert.match((await asked.textContent()) ?? '', /"limit": 5/);
    await picture('above-role');
    await button(asked, 'Deny').click();
    assert.match(await calling, /denied by the person in VS Code/);
  });

  it('keeps a raised role for its session', async () => {
    const calling = call('get_terminal_output', { limit: 5 });
    await allow(await question(), 'Raise role for this session');
    assert.doesNotMatch(await calling, /"isError":true/);
    assert.doesNotMatch(await call('get_terminal_output', { limit: 6 }), /"isError":true/);
    await rows().filter({ hasText: 'stranger' }).filter({ hasText: 'Runner' }).waitFor();
  });

  it('shows the whole command line, and can run it once only', async () => {
    const command = `echo ${'a long line of words '.repeat(40)}; echo \u200Bend`;
    const calling = call('run_terminal_command', { command });
    const asked = await question();
    assert.deepEqual(await buttonNames(asked.getByRole('button')), ['Deny', 'Allow once']);
    assert.match((await asked.textContent()) ?? '', /echo ⟨U\+200B⟩end/);
    await asked.focus();
    await workbench().page.keyboard.press('Enter');
    assert.equal(await asked.isVisible(), true, 'Enter on the question allows nothing');
    await picture('command');
    assert.equal(await asked.evaluate((card) => card.scrollWidth - card.clientWidth), 0, 'nothing is out of view');
    await button(asked, 'Deny').click();
    assert.match(await calling, /denied by the person in VS Code/);
  });

  it('loses a role at once when the person lowers it', async () => {
    const { palette } = workbench();
    const lookAtRoles = async (): Promise<void> => {
      await palette.offered('Reader');
      await picture('change-role');
    };
    await palette.chooseAfter('Duplex: Change Client Role…', 'calls itself stranger', lookAtRoles, 'Reader');
    await rows().filter({ hasText: 'stranger' }).filter({ hasText: 'Reader' }).waitFor();
    const calling = call('get_terminal_output', { limit: 7 });
    await button(await question(), 'Deny').click();
    assert.match(await calling, /denied by the person in VS Code/);
  });

  it('has no `.env` to read until the person, to whom nothing is ticked at first, shows it sensitive files', async () => {
    await writeFile(path.join(workbench().folders.workspace ?? '', '.env'), 'SHOP_NAME=teahouse\n');
    const withheld = await call('read_file', { path: '.env' });
    assert.match(withheld, /"isError":true/);
    assert.match(withheld, /There is no \\".env\\" in this workspace/);
    assert.doesNotMatch(withheld, /teahouse/);

    const { palette } = workbench();
    const tickSensitiveFiles = async (): Promise<void> => {
      const sensitive = (await palette.offered('Sensitive files')).getByRole('checkbox').first();
      assert.equal(await palette.rows.getByRole('checkbox', { checked: true }).count(), 0);
      await sensitive.click({ timeout: 6_000 });
      await picture('change-access');
      await palette.widget.getByRole('button', { name: 'OK' }).click({ timeout: 6_000 });
    };
    await palette.chooseAfter('Duplex: Change Client Access…', 'calls itself stranger', tickSensitiveFiles);
    await palette.widget.waitFor({ state: 'hidden' });
    const shown = await eventually('the file', async () => {
      const answer = await call('read_file', { path: '.env' });
      return answer.includes('"isError":true') ? undefined : answer;
    });
    assert.match(shown, /SHOP_NAME=teahouse/);
  });

  it('is gone when it is revoked: its stream closes and its next request is 401', async () => {
    await eventually('an open stream', async () => (streams.length > 0 ? true : undefined));
    const row = rows().filter({ hasText: 'stranger' });
    // Several connections with one token stand below it, and what is revoked is the token.
    await workbench().views.press(
      rows()
        .filter({ hasText: /window token|stranger/ })
        .first(),
      /Revoke Client…/,
    );
    const deadline = AbortSignal.timeout(30_000);
    await untilAborted(Promise.all(streams), deadline);
    await assert.rejects(call('list_workspace_folders'));
    assert.equal(lastStatus, 401);
    await row.waitFor({ state: 'detached' });
  });
});
