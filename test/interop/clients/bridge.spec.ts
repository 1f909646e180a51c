import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensurePeer } from '../../support/peers/peers.mjs';
import { useSharedWorkbench } from '../../ui/harness/useWorkbench.ts';
import { allowEverything, type AttentivePerson } from '../../ui/pages/attentivePerson.ts';
import { readDiscovery } from '../../ui/pages/discovery.ts';
import { runClient, type ClientPlan, type ClientSteps } from './clientProcess.ts';

const installMs = 240_000;

interface LaunchedServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** What a person pastes into Claude Desktop's file is what is launched here, as Claude Desktop launches it. */
describe('The bridge of a copied configuration', () => {
  const workbench = useSharedWorkbench({ version: 'ceiling' });
  let person: AttentivePerson;
  let launched: LaunchedServer;
  let notes: string;

  before(async function () {
    this.timeout(installMs);
    await ensurePeer('sdkLines');
    await workbench().openView('Duplex');
    await readDiscovery(workbench().folders.home);
    notes = path.join(workbench().folders.workspace ?? '', 'notes.txt');
    await writeFile(notes, 'before\n');
    launched = await copiedConfiguration();
    person = allowEverything(workbench(), { buttons: ['Always allow', 'Allow for this session'] });
  });
  after(() => person.stop());

  async function copiedConfiguration(): Promise<LaunchedServer> {
    const page = workbench().page;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await workbench().runCommand('Duplex: Copy Client Configuration…');
    await workbench().palette.pick('Claude Desktop');
    const pasted = path.join(workbench().folders.workspace ?? '', 'pasted.json');
    await workbench().notifications.waitFor(/on the clipboard/);
    await writeFile(pasted, await page.evaluate(() => navigator.clipboard.readText()));
    const { mcpServers } = JSON.parse(await readFile(pasted, 'utf8')) as { mcpServers: Record<string, LaunchedServer> };
    const [only] = Object.values(mcpServers);
    assert.ok(only);
    return only;
  }

  async function story(text: string, revision = '2025-11-25'): Promise<ClientSteps> {
    const plan: ClientPlan = {
      sdk: 'second',
      transport: 'stdio',
      revision,
      ...launched,
      env: { ...launched.env, DUPLEX_HOME: workbench().folders.home, PATH: process.env.PATH ?? '' },
      name: 'desktop host',
      resource: pathToFileURL(notes).href,
      prompt: { name: 'fix_diagnostics', arguments: { path: 'src/receipt.ts' }, completes: 'path', value: 'src/re' },
    };
    return runClient('storyClient', plan, () => writeFile(notes, text));
  }

  it('serves tools, resources with an update, a prompt and completion over stdio', async () => {
    const steps = await story('first\n');
    assert.match(steps.call.content[0]?.text ?? '', /"name":"demo"|^0 demo: /);
    assert.deepEqual([steps.updated, steps.readAgain.contents[0]?.text], [pathToFileURL(notes).href, 'first\n']);
    assert.deepEqual(steps.completion.completion.values, ['src/receipt.ts']);
  });

  it('speaks 2026-07-28 as well', async () => {
    const steps = await story('modern\n', '2026-07-28');
    assert.deepEqual([steps.connected.revision, steps.readAgain.contents[0]?.text], ['2026-07-28', 'modern\n']);
  });

  it('works again after the window was closed and opened, without another question; the old window’s token does not', async () => {
    const before = await readDiscovery(workbench().folders.home);
    await person.stop();
    await workbench().restartWindow();
    await workbench().openView('Duplex');
    const after = await readDiscovery(workbench().folders.home);
    assert.notEqual(after.token, before.token);
    const steps = await story('again\n');
    assert.equal(steps.readAgain.contents[0]?.text, 'again\n');
    const refused = await fetch(after.urls.mcp, { method: 'POST', headers: { authorization: `Bearer ${before.token}` }, body: '{}' });
    assert.equal(refused.status, 401);
  });
});
