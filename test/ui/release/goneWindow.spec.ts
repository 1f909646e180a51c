import assert from 'node:assert/strict';
import { access } from 'node:fs/promises';
import process from 'node:process';
import { Client, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { bridgeLauncherPath } from '../../../src/server/window/bridgeLauncher.ts';
import type { DiscoveryFile } from '../../../src/contract/bridgeFiles.ts';
import { useWorkbench } from '../harness/useWorkbench.ts';
import { permissionQuestion } from '../pages/consentPanel.ts';
import { eventually, readDiscovery } from '../pages/discovery.ts';
import { connectOutside } from '../pages/outsideProgram.ts';
import { allow } from '../pages/questions.ts';

const openFile = { name: 'open_file', arguments: { path: 'src/receipt.ts' } };
const maxMs = 40_000;

/** The extension host of a page that broke off lives on for hours, in the hope that it comes back. */
describe('A window whose page is gone', () => {
  const workbench = useWorkbench({ version: 'ceiling' });
  let window: DiscoveryFile;
  let direct: Client;
  let bridged: Client;
  const clients: Client[] = [];

  after(async () => {
    await Promise.all(clients.map((client) => client.close()));
    process.kill(window.pid, 'SIGKILL'); // nobody would come to end it
  });

  function overBridge(): Transport {
    const { home, workspace = '' } = workbench().folders;
    const env = { DUPLEX_HOME: home, DUPLEX_CLIENT_TOKEN: '', PATH: process.env['PATH'] ?? '' };
    return new StdioClientTransport({ command: bridgeLauncherPath(home), args: [], env, cwd: workspace });
  }

  async function launchBridge(name: string): Promise<Client> {
    // A window announces itself and installs the bridge at the same time.
    const launcher = bridgeLauncherPath(workbench().folders.home);
    await eventually('the bridge', () =>
      access(launcher).then(
        () => launcher,
        () => undefined,
      ),
    );
    const client = new Client({ name, version: '1.0.0' });
    clients.push(client);
    await client.connect(overBridge());
    return client;
  }

  async function useAtOnce(client: Client, name: string): Promise<void> {
    const call = client.callTool(openFile);
    await allow(await permissionQuestion(workbench(), new RegExp(`^Permission:.*${name}`)), 'Allow for this session');
    assert.deepEqual((await call).structuredContent, { ok: true });
  }

  /** What a call is told, by a result or by an error. */
  async function toldBy(client: Client): Promise<string> {
    const begun = performance.now();
    const told = await client.callTool(openFile, { timeout: 2 * maxMs }).then(
      ({ isError, content }) => (isError === true ? JSON.stringify(content) : 'done'),
      (error: unknown) => String(error),
    );
    const seconds = Math.round((performance.now() - begun) / 1_000);
    assert.ok(performance.now() - begun < maxMs, `answered after ${seconds} s: ${told}`);
    return told;
  }

  it('serves its clients while the page is there', async () => {
    await workbench().openView('Duplex');
    window = await readDiscovery(workbench().folders.home);
    direct = await connectOutside(window, 'direct');
    clients.push(direct);
    bridged = await launchBridge('bridged');
    await useAtOnce(direct, 'direct');
    await useAtOnce(bridged, 'bridged');
  });

  it('lets calls end with the reason, and is left by the bridge', async () => {
    const { page } = workbench();
    const crashed = new Promise((resolve) => page.once('crash', resolve));
    const session = await page.context().newCDPSession(page);
    void session.send('Page.crash').catch(() => undefined); // without a goodbye: its extensions do not hear of it
    await crashed;
    const [told, toldByBridge] = await Promise.all([toldBy(direct), toldBy(bridged)]);
    assert.match(told, /window does not answer.*Reload the window or choose another/);
    // Both give it the same time: either may speak first.
    assert.match(toldByBridge, /window does not answer.*Reload the window(?:, or open| or choose) another/);
    let afterwards = await toldBy(bridged);
    for (let call = 0; call < 2 && /window does not answer/.test(afterwards); call += 1) {
      afterwards = await toldBy(bridged);
    }
    assert.match(afterwards, /No VS Code window with Duplex answers.*the page was closed or hangs; reload it/s);
  });

  it('is not chosen by a bridge that starts', async () => {
    assert.match(await toldBy(await launchBridge('late')), /No VS Code window with Duplex answers/);
  });
});
