import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { bridgeLauncherPath, installBridgeLauncher } from '../../src/server/window/bridgeLauncher.ts';
import { buildBridge, type BuiltBridge } from '../unit/bridge/support/bridgePeer.ts';
import { runServer, type RunningServer } from '../unit/server/support/runningServer.ts';

type Options = NonNullable<ConstructorParameters<typeof Client>[1]>;

const onPosix = process.platform === 'win32' ? describe.skip : describe;

onPosix('the official client launches the bridge by its launcher', function () {
  this.timeout(40_000);
  let bridge: BuiltBridge;
  let folder: string;
  let home: string;
  let window: RunningServer | undefined;
  let client: Client;

  before(async () => {
    bridge = await buildBridge();
  });
  after(() => bridge.remove());
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'duplex interop ')));
    home = path.join(folder, 'home');
    await installBridgeLauncher(home, { version: '1.2.3', script: bridge.script, runtime: process.execPath });
  });
  afterEach(async () => {
    await client.close();
    await window?.close();
    window = undefined;
    await rm(folder, { recursive: true, force: true });
  });

  async function openWindow(): Promise<RunningServer> {
    window = await runServer({ duplexHome: home });
    return window;
  }

  /** As a host with a copied configuration starts it. */
  async function connect(token: string, options: Options = {}, roots: readonly { uri: string }[] = []): Promise<void> {
    client = new Client({ name: 'official', version: '2.4.0' }, options);
    if (options.capabilities?.roots !== undefined) {
      client.setRequestHandler('roots/list', () => ({ roots: [...roots] }));
    }
    const env = { DUPLEX_CLIENT_TOKEN: token, PATH: '/usr/bin:/bin' };
    await client.connect(new StdioClientTransport({ command: bridgeLauncherPath(home), args: [], env, cwd: folder }));
  }

  const changed = (method: 'notifications/tools/list_changed' | 'notifications/resources/updated'): Promise<void> =>
    new Promise((resolve) => {
      client.setNotificationHandler(method, () => resolve());
    });

  const eras: readonly (readonly [era: string, options: Options])[] = [
    ['2025-11-25', {}],
    ['2026-07-28', { versionNegotiation: { mode: { pin: '2026-07-28' } } }],
    ['2026-07-28', { versionNegotiation: { mode: 'auto' } }],
  ];
  for (const [version, options] of eras) {
    it(`lists, calls, reads and asks for a prompt at ${version} (${JSON.stringify(options)})`, async () => {
      const opened = await openWindow();
      const { editor, server } = opened;
      await connect(opened.otherToken(), options);
      assert.equal(client.getNegotiatedProtocolVersion(), version);
      assert.ok((await client.listTools()).tools.some(({ name }) => name === 'list_open_editors'));
      const { structuredContent } = await client.callTool({ name: 'list_open_editors', arguments: {} });
      assert.deepEqual(structuredContent, { editors: editor.editors });
      const { contents } = await client.readResource({ uri: 'editor://open' });
      assert.equal(contents.length, 1);
      assert.ok((await client.listResources()).resources.length > 0);
      assert.ok((await client.listPrompts()).prompts.length > 0);
      assert.ok((await client.getPrompt({ name: 'fix_diagnostics', arguments: {} })).messages.length > 0);
      assert.equal(server.clients.snapshot().at(-1)?.credentialKind, 'clientToken');
    });
  }

  it('is brought to the window that has its roots open', async () => {
    const work = path.join(folder, 'work');
    const [elsewhere, here] = [await runServer({ duplexHome: home }), await openWindow()];
    for (const [server, place] of [
      [elsewhere, folder], // the working directory
      [here, work],
    ] as const) {
      server.editor.folders = [{ name: path.basename(place), path: place, uri: pathToFileURL(place).href, index: 0 }];
      server.editor.didChangeWorkspaceFolders.fire();
    }
    try {
      await connect('', { capabilities: { roots: {} } }, [{ uri: pathToFileURL(path.join(work, 'src')).href }]);
      const { structuredContent } = await client.callTool({ name: 'list_workspace_folders', arguments: {} });
      assert.deepEqual(structuredContent, { folders: here.editor.folders });
    } finally {
      await elsewhere.close();
    }
  });

  it('is told of changes through the bridge', async () => {
    const opened = await openWindow();
    await connect(opened.otherToken());
    const updated = changed('notifications/resources/updated');
    await client.subscribeResource({ uri: 'diagnostics://workspace' });
    opened.editor.didChangeDiagnostics.fire();
    await updated;
  });

  it('starts without a window, and works once there is one', async () => {
    await connect('');
    assert.equal(client.getServerVersion()?.name, 'duplex');
    assert.ok((await client.listTools()).tools.length > 0);
    const early = await client.callTool({ name: 'list_open_editors', arguments: {} });
    assert.equal(early.isError, true);
    const appeared = changed('notifications/tools/list_changed');
    const { editor } = await openWindow();
    await appeared;
    const { structuredContent } = await client.callTool({ name: 'list_open_editors', arguments: {} });
    assert.deepEqual(structuredContent, { editors: editor.editors });
  });

  it('survives a reload of the window', async () => {
    const before = await openWindow();
    await connect('');
    await client.callTool({ name: 'list_open_editors', arguments: {} });
    const back = changed('notifications/tools/list_changed');
    await before.close();
    const { editor } = await openWindow();
    editor.editors = [];
    const { structuredContent } = await client.callTool({ name: 'list_open_editors', arguments: {} });
    assert.deepEqual(structuredContent, { editors: [], note: 'No editor is open.' });
    await back;
  });
});
