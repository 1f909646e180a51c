import assert from 'node:assert/strict';
import { bridgeConnection } from '../../../../src/server/window/discovery.ts';
import { bridgeLauncherPath } from '../../../../src/server/window/bridgeLauncher.ts';

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
