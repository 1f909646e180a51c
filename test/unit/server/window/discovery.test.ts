import assert from 'node:assert/strict';
import { machineIdentity } from '../../../../src/platform/machineIdentity.ts';
import { bridgeLauncherPath } from '../../../../src/server/window/bridgeLauncher.ts';
import { bridgeConnection, resolveDuplexHome } from '../../../../src/server/window/discovery.ts';

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
  for (const [name, variable, folders, path, ignoredVariable] of cases) {
    it(name, () => {
      assert.deepEqual(resolveDuplexHome(variable, '/home/a', folders), { path, ignoredVariable });
    });
  }
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
