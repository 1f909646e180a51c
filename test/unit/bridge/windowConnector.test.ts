import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findWindows, type Surroundings } from '../../../src/bridge/findWindows.ts';
import { WindowConnector, type ConnectResult } from '../../../src/bridge/windowConnector.ts';
import { machineIdentity } from '../../../src/platform/machineIdentity.ts';
import { runServer, type RunningServer } from '../server/support/runningServer.ts';

describe('A window that was lost', () => {
  let home: string;
  let servers: RunningServer[];
  let isPageThere: boolean;
  let surroundings: Surroundings;
  let connector: WindowConnector;

  beforeEach(async () => {
    home = await realpath(await mkdtemp(path.join(tmpdir(), 'duplex-connector-')));
    servers = [];
    isPageThere = true;
    surroundings = { machine: await machineIdentity(), uid: process.getuid?.(), isAlive: () => true };
    connector = new WindowConnector({
      home,
      surroundings,
      criteria: { cwd: '/projects/app/src' },
      clientToken: undefined,
      certificate: undefined,
      timeoutMs: 10_000,
      reconnectGraceMs: 0,
      twinGraceMs: 0,
      silenceCheckMs: 0,
    });
  });
  afterEach(async () => {
    await Promise.all(servers.map((server) => server.close()));
    await rm(home, { recursive: true, force: true });
  });

  async function open(folder: string, ping: () => Promise<void>): Promise<RunningServer> {
    const server = await runServer({ duplexHome: home, workbench: { ping }, windowName: folder });
    servers.push(server);
    server.editor.folders = [{ name: path.basename(folder), path: folder, uri: `file://${folder}`, index: 0 }];
    server.editor.didChangeWorkspaceFolders.fire();
    const isPublished = async (): Promise<boolean> =>
      (await findWindows(home, surroundings)).windows.some(({ roots }) => roots.includes(folder));
    while (!(await isPublished())) {
      await sleep(5);
    }
    return server;
  }
  const openApp = (): Promise<RunningServer> =>
    open('/projects/app', () => (isPageThere ? Promise.resolve() : Promise.reject(new Error('gone'))));

  async function connect(): Promise<ConnectResult> {
    const result = await connector.connect();
    if (result.kind === 'connected') {
      result.link.close();
    }
    return result;
  }

  async function lose(): Promise<void> {
    isPageThere = false;
    while (!(await connector.isSilent())) {
      await sleep(20);
    }
    connector.windowLost();
  }

  it('is waited for as long as it may come back, rather than replaced by one of another project', async () => {
    await openApp();
    assert.equal((await connect()).kind, 'connected');
    await open('/projects/other', () => Promise.resolve());
    await lose();
    await sleep(1); // the time is over in which nothing else is looked for
    const result = await connect();
    assert.equal(result.kind, 'unavailable');
    assert.match(result.reason, /"\/projects\/app".*does not answer/s);
  });

  it('is replaced by another window where the host works', async () => {
    await openApp();
    assert.equal((await connect()).kind, 'connected');
    await open('/projects/app/src', () => Promise.resolve());
    await lose();
    await sleep(1);
    assert.equal((await connect()).kind, 'connected');
  });
});
