import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { watchWindowsFolder, type WindowsFolderWatch } from '../../../src/bridge/findWindows.ts';
import { createTemporaryFolder, removeTemporaryFolder } from '../../support/run/temporaryFolder.mjs';

describe('The watch on the folder of the windows', function () {
  this.timeout(20_000);
  let home: string;
  let watched: WindowsFolderWatch | undefined;

  beforeEach(() => {
    home = createTemporaryFolder();
  });
  afterEach(async () => {
    watched?.close();
    await removeTemporaryFolder(home);
  });

  it('tells that a window has opened', async () => {
    mkdirSync(path.join(home, 'windows'));
    watched = watchWindowsFolder(home);
    writeFileSync(path.join(home, 'windows', 'one.json'), '{}');
    await watched.changed;
  });

  it('tells that the first window of all has opened', async () => {
    watched = watchWindowsFolder(home);
    mkdirSync(path.join(home, 'windows'));
    await watched.changed;
  });

  it('does not fail where there is nothing to watch', () => {
    watched = watchWindowsFolder(path.join(home, 'nowhere'));
    watched.close();
    assert.ok(watched.changed instanceof Promise);
  });
});
