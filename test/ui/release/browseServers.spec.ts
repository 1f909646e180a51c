import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import type { AuditLine } from '../../../src/consent/audit/auditLine.ts';
import { everythingVersion, hostileServer, knownServers, listed } from '../../fixtures/registry/entries.ts';
import { StandInRegistry } from '../../fixtures/registry/standInRegistry.ts';
import { zipOf } from '../../fixtures/registry/zipFile.ts';
import { repositoryRoot } from '../../support/run/repository.mjs';
import type { LaunchOptions } from '../harness/launchOptions.ts';
import { useWorkbench } from '../harness/useWorkbench.ts';
import { permissionQuestion } from '../pages/consentPanel.ts';
import { allow } from '../pages/questions.ts';
import { ToolRunner } from '../pages/toolRunner.ts';

const screenshots = path.resolve('out/screenshots');
const packageName = '@modelcontextprotocol/server-everything';

describe('Somebody who has heard of a server', () => {
  let registry: StandInRegistry | undefined;
  before(async () => {
    registry = await StandInRegistry.start([...knownServers, hostileServer]);
  });
  const window: LaunchOptions = {
    version: 'ceiling',
    workspace: 'plain',
    // Read when the window opens: the address is not known before.
    get settings() {
      const memory = { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory@2025.1.1'] };
      return { 'duplex.registry.url': registry?.url, 'duplex.mcpServers': { memory } };
    },
  };
  const workbench = useWorkbench(window);
  after(() => registry?.close());

  const row = (text: string | RegExp): Locator => workbench().views.rows('MCP Servers').filter({ hasText: text });
  const settings = async (): Promise<string> => readFile(path.join(workbench().folders.workspace ?? '', '.vscode/settings.json'), 'utf8');

  /** Makes the package one of the workspace, where npx finds it without asking anybody. */
  const installPackage = async (): Promise<void> => {
    const folder = path.join(workbench().folders.workspace ?? '', 'node_modules');
    const installed = path.join(repositoryRoot, 'node_modules', packageName);
    await mkdir(path.join(folder, '.bin'), { recursive: true });
    await mkdir(path.join(folder, path.dirname(packageName)), { recursive: true });
    await symlink(installed, path.join(folder, packageName));
    await symlink(path.join(installed, 'dist/index.js'), path.join(folder, '.bin/mcp-server-everything'));
  };

  it('finds it in the registry, installs it with a secret, is asked, and runs its tool', async () => {
    await workbench().openView('Duplex');
    await row(/editor.*tools/)
      .first()
      .waitFor();
    await installPackage();
    assert.deepEqual(registry?.seen, [], 'nothing is asked of the registry before somebody wants to see it');
    await workbench().runCommand('Duplex: Browse Servers…');
    const page = await workbench().webview('Browse Servers');
    await page.getByRole('heading', { name: 'Chrome DevTools MCP' }).waitFor();
    await workbench().screenshot(path.join(screenshots, 'browse-servers.png'));
    await page.getByRole('searchbox', { name: 'Search servers', exact: true }).fill('everything');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('heading', { name: 'Chrome DevTools MCP' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Install', description: 'Install Everything', exact: true }).click();
    await page.getByLabel('EVERYTHING_TOKEN').fill('hush-hush-hush');
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByText('its value is kept in your secret storage').waitFor();
    await workbench().screenshot(path.join(screenshots, 'browse-servers-review.png'));
    await page.getByRole('button', { name: 'Save to Workspace Settings' }).click();
    await allow(await permissionQuestion(workbench(), /^Permission:.*server-everything/), 'Allow');
    await row(/server-everything.*tools/)
      .first()
      .waitFor();
    const written = await settings();
    assert.ok(written.includes(`${packageName}@${everythingVersion}`) && written.includes('${input:server-everything-EVERYTHING_TOKEN}'));
    assert.ok(!written.includes('hush-hush-hush'));
    const runner = await ToolRunner.open(workbench().page, { label: 'Echo Tool', name: 'echo' });
    await runner.run({ message: 'heard of it' });
    await runner.untilResult(/heard of it/);
  });

  it('comes there from Add Server, sees that it is installed, and reads what is wrong when the registry is gone', async () => {
    await workbench().runCommand('View: Close All Editors');
    const { palette } = workbench();
    const browse = async (): Promise<void> => {
      await palette.widget.getByText('Paste what you have').waitFor();
      await palette.widget.getByRole('button', { name: 'Browse Servers…' }).click();
    };
    await palette.chooseAfter('Duplex: Add Server…', browse);
    const page = await workbench().webview('Browse Servers');
    await page.getByText(`Installed as server-everything, version ${everythingVersion}`).waitFor();
    registry?.misbehave((_, response) => void response.writeHead(503).end());
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('answered with the status 503').waitFor();
    registry?.misbehave(undefined);
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('heading', { name: 'Everything', exact: true }).waitFor();
  });

  it('reads a hostile entry as text, with the reason why it cannot be installed', async () => {
    const page = await workbench().webview('Browse Servers');
    const card = page.getByRole('listitem').filter({ hasText: 'io.evil/everything-⟨U+202E⟩gnihton' });
    await card.getByRole('heading', { name: '⟨U+001B⟩[2JEverything⟨U+202E⟩ [x](command:workbench.action.quit) <b>' }).waitFor();
    await card.getByText('leads into this machine or its network').waitFor();
    assert.equal(await card.getByRole('button').count(), 0);
  });

  it('sees what an update would change, and has it written where the server is configured', async () => {
    const page = await workbench().webview('Browse Servers');
    await page.getByRole('button', { name: 'Update', description: 'Update “memory” to version 2026.8.31', exact: true }).click();
    await page.getByText('This changes the server “memory”').waitFor();
    await page.getByRole('button', { name: 'Update', exact: true }).click();
    await page.getByText('Installed as memory, version 2026.8.31').waitFor();
    const written = await readFile(path.join(workbench().folders.data, 'data/User/settings.json'), 'utf8');
    assert.ok(written.includes('@modelcontextprotocol/server-memory@2026.8.31') && !written.includes('2025.1.1'));
  });

  it('is asked before a bundle is downloaded, and has it unpacked, saved, asked about and started', async () => {
    const scripted = await readFile(path.join(repositoryRoot, 'test/fixtures/servers/scriptedServer.mjs'));
    const archive = zipOf([
      { name: 'manifest.json', content: JSON.stringify(parcelManifest) },
      { name: 'server/index.mjs', content: scripted },
    ]);
    const identifier = registry?.offerFile('/parcel.mcpb', archive);
    const fileSha256 = createHash('sha256').update(archive).digest('hex');
    const bundle = { registryType: 'mcpb', identifier, fileSha256, transport: { type: 'stdio' } };
    registry?.list([listed('io.example/parcel', { title: 'Parcel', packages: [bundle] })]);
    const page = await workbench().webview('Browse Servers');
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('button', { name: 'Install', description: 'Install Parcel', exact: true }).click();
    await page.getByText(fileSha256).waitFor();
    const wasFetched = (): boolean => registry?.seen.some(({ path: at }) => at === '/parcel.mcpb') === true;
    assert.ok(!wasFetched(), 'nothing is downloaded before the person says so');
    await page.getByRole('button', { name: 'Download' }).click();
    await page.getByText('with the SHA-256 that the entry names, 2 files').waitFor();
    await page.getByRole('button', { name: 'Review' }).click();
    // The second press of an impatient hand counts for nothing.
    await page.getByRole('button', { name: 'Save to Workspace Settings' }).dblclick();
    await allow(await permissionQuestion(workbench(), /^Permission:.*parcel/), 'Allow');
    await row(/parcel.*tools/)
      .first()
      .waitFor();
    await page.getByText('Installed as parcel, version 1.0.0').waitFor();
    assert.equal(await workbench().notifications.toasts.filter({ hasText: 'parcel' }).count(), 0, 'nobody is asked twice');
  });

  it('is asked again before a newer bundle is downloaded, sees the difference, and finds the answers in the audit log', async () => {
    const before = await settings();
    const scripted = await readFile(path.join(repositoryRoot, 'test/fixtures/servers/scriptedServer.mjs'));
    const archive = zipOf([
      { name: 'manifest.json', content: JSON.stringify({ ...parcelManifest, version: '1.1.0' }) },
      { name: 'server/index.mjs', content: scripted },
    ]);
    const identifier = registry?.offerFile('/parcel2.mcpb', archive);
    const fileSha256 = createHash('sha256').update(archive).digest('hex');
    const bundle = { registryType: 'mcpb', identifier, fileSha256, version: '1.1.0', transport: { type: 'stdio' } };
    registry?.list([listed('io.example/parcel', { title: 'Parcel', version: '1.1.0', packages: [bundle] })]);
    const page = await workbench().webview('Browse Servers');
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('button', { name: 'Update', description: 'Update “parcel” to version 1.1.0', exact: true }).click();
    await page.getByText(fileSha256).waitFor();
    assert.equal(await settings(), before);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Update', description: 'Update “parcel” to version 1.1.0', exact: true }).click();
    await page.getByRole('button', { name: 'Download' }).click();
    await page
      .locator('ins')
      .filter({ hasText: fileSha256.slice(0, 32) })
      .first()
      .waitFor();
    assert.equal(await settings(), before, 'nothing is written before the person has seen the difference');
    await page.getByRole('button', { name: 'Update', exact: true }).click();
    await page.getByText('Installed as parcel, version 1.1.0').waitFor();
    assert.match(await settings(), /parcel@1\.1\.0@[a-f0-9]{32}/);
    const log = path.join(workbench().folders.data, 'data/User/globalStorage/duplex-mcp.duplex/audit.jsonl');
    const lines = (await readFile(log, 'utf8')).split('\n').filter((line) => line.includes(fileSha256));
    const answers = lines.map((line) => JSON.parse(line) as AuditLine);
    assert.deepEqual(
      answers.map(({ peer, decidedBy, outcome, subject }) => [peer, decidedBy, outcome, subject]),
      ['denied', 'allowed'].map((outcome) => ['io.example/parcel', 'person', outcome, `sha256:${fileSha256} ${identifier}`]),
    );
  });
});

const parcelManifest = {
  manifest_version: '0.3',
  name: 'parcel',
  version: '1.0.0',
  description: 'A server in a parcel.',
  author: { name: 'Somebody' },
  server: {
    type: 'node',
    entry_point: 'server/index.mjs',
    mcp_config: { command: 'node', args: ['${__dirname}/server/index.mjs'] },
  },
};
