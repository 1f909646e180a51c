import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { Emitter } from '../../../../src/base/events.ts';
import { silentLog } from '../../../../src/base/log.ts';
import { machineIdentity } from '../../../../src/platform/machineIdentity.ts';
import { bridgeLauncherPath } from '../../../../src/server/window/bridgeLauncher.ts';
import { bridgeConnection, DiscoveryPublisher, resolveDuplexHome, WindowDiscovery } from '../../../../src/server/window/discovery.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { createTemporaryFolder, removeTemporaryFolder } from '../../../support/run/temporaryFolder.mjs';

describe('resolveDuplexHome', () => {
  const cases: readonly (readonly [string, string | undefined, readonly string[], string, string | undefined])[] = [
    ['no variable means .duplex in the home folder', undefined, ['/home/a/work'], '/home/a/.duplex', undefined],
    ['an empty variable counts as none', '', [], '/home/a/.duplex', undefined],
    ['a variable moves it', '/var/duplex', ['/home/a/work'], '/var/duplex', undefined],
    ['a variable into a workspace folder is ignored', '/home/a/work/.x', ['/home/a/work'], '/home/a/.duplex', '/home/a/work/.x'],
    ['a workspace folder itself is ignored', '/home/a/work/', ['/home/a/work'], '/home/a/.duplex', '/home/a/work/'],
    ['dots do not hide the way in', '/var/../home/a/work/x', ['/home/a/work'], '/home/a/.duplex', '/var/../home/a/work/x'],
    ['a name that begins with two dots is no way out', '/home/a/work/..x', ['/home/a/work'], '/home/a/.duplex', '/home/a/work/..x'],
    ['a sibling with the same beginning is no workspace folder', '/home/a/workshop', ['/home/a/work'], '/home/a/workshop', undefined],
    ['the default place is allowed when home is the workspace', '/home/a/.duplex', ['/home/a'], '/home/a/.duplex', undefined],
    ['a relative variable is ignored', 'x', [], '/home/a/.duplex', 'x'],
  ];
  for (const [name, variable, folders, home, ignoredVariable] of cases) {
    it(name, () => {
      assert.deepEqual(resolveDuplexHome(variable, '/home/a', folders), { path: home, ignoredVariable });
    });
  }
});

describe('A DUPLEX_HOME behind a link', () => {
  let folder: string;
  beforeEach(() => (folder = createTemporaryFolder()));
  afterEach(() => removeTemporaryFolder(folder));

  it('is ignored when it leads into a workspace folder, or nobody knows where', async () => {
    const workspace = path.join(folder, 'work');
    await fs.mkdir(path.join(workspace, 'kept'), { recursive: true });
    await fs.mkdir(path.join(folder, 'elsewhere'));
    const link = async (name: string, target: string): Promise<string> => {
      await fs.symlink(target, path.join(folder, name));
      return path.join(folder, name);
    };
    const linked = await link('linked', path.join(workspace, 'kept'));
    const broken = await link('broken', path.join(workspace, 'later'));
    const other = await link('other', path.join(folder, 'elsewhere'));
    const sameWorkspace = await link('sameWork', workspace);
    const ignored = (variable: string, workspaceFolder = workspace): boolean =>
      resolveDuplexHome(variable, '/home/a', [workspaceFolder]).ignoredVariable !== undefined;
    assert.deepEqual(
      [linked, path.join(linked, 'deeper'), broken, other].map((variable) => ignored(variable)),
      [true, true, true, false],
    );
    assert.equal(ignored(path.join(workspace, 'kept'), sameWorkspace), true, 'the workspace was opened through a link');
  });
});

describe('The discovery file', () => {
  let folder: string;
  beforeEach(() => (folder = createTemporaryFolder()));
  afterEach(() => removeTemporaryFolder(folder));

  it("that a window was writing when it was killed is removed, once it is old enough to be no living one's", async () => {
    const windows = path.join(folder, 'windows');
    await fs.mkdir(windows);
    await Promise.all(['.0123456789abcdef.tmp', '.fedcba9876543210.tmp'].map((name) => fs.writeFile(path.join(windows, name), '{')));
    const past = new Date(Date.now() - 120_000);
    await fs.utimes(path.join(windows, '.0123456789abcdef.tmp'), past, past);
    await new DiscoveryPublisher(folder, silentLog).cleanUp(await machineIdentity());
    assert.deepEqual(await fs.readdir(windows), ['.fedcba9876543210.tmp']);
  });

  it('that could not be written is written once that works', async () => {
    const duplexHome = path.join(folder, 'home');
    await fs.writeFile(duplexHome, 'a file where the folder should be');
    const clock = new FakeClock();
    const changed = new Emitter<void>();
    const urls = { mcp: 'http://127.0.0.1:1/mcp', sse: 'http://127.0.0.1:1/sse', ws: 'ws://127.0.0.1:1/ws' };
    const discovery = new WindowDiscovery({
      log: silentLog,
      clock,
      windowName: 'window',
      duplexHome,
      folders: { list: () => [], onDidChange: changed.event },
      machine: await machineIdentity(),
      port: 1,
      urls,
      certificateSha256: undefined,
      token: () => 'token',
    });
    try {
      assert.equal((await discovery.publish()).kind, 'failed');
      await fs.rm(duplexHome);
      clock.advance(10_000);
      await discovery.settled();
      assert.equal((await fs.readdir(path.join(duplexHome, 'windows'))).length, 1);
    } finally {
      discovery.dispose();
      changed.dispose();
    }
    assert.equal(clock.pending, 0);
  });
});

describe('machineIdentity', () => {
  it('is the same for every process of this boot', async () => {
    assert.equal(await machineIdentity(), await machineIdentity());
  });
});

describe('bridgeConnection', () => {
  it('names the launcher, and the folder of discovery files only where a host would not look for it', () => {
    assert.deepEqual(
      [undefined, '/home/a/.duplex', '/srv/duplex', '/projects/demo/.duplex'].map((variable) =>
        bridgeConnection(variable, '/home/a', ['/projects/demo']),
      ),
      [
        { kind: 'bridge', command: bridgeLauncherPath('/home/a/.duplex'), env: {} },
        { kind: 'bridge', command: bridgeLauncherPath('/home/a/.duplex'), env: {} },
        { kind: 'bridge', command: bridgeLauncherPath('/srv/duplex'), env: { DUPLEX_HOME: '/srv/duplex' } },
        { kind: 'bridge', command: bridgeLauncherPath('/home/a/.duplex'), env: {} },
      ],
    );
  });
});
