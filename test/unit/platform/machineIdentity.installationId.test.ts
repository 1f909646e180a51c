import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { installationId } from '../../../src/platform/machineIdentity.ts';
import { createTemporaryFolder } from '../../support/run/temporaryFolder.mjs';

describe('The name of an installation', () => {
  it('is the same for every window that asks, also at once, and another one elsewhere', async () => {
    const [here, there] = [path.join(createTemporaryFolder(), 'new'), createTemporaryFolder()];
    const atOnce = await Promise.all(Array.from({ length: 8 }, () => installationId(here)));
    const later = await installationId(here);
    assert.deepEqual([new Set(atOnce).size, atOnce[0]], [1, later]);
    assert.match(later, /^[\w-]{43}$/);
    assert.notEqual(await installationId(there), later);
    assert.deepEqual(await fs.readdir(here), ['installation.id']);
  });

  it('is made anew when its file is damaged', async () => {
    const folder = createTemporaryFolder();
    await fs.writeFile(path.join(folder, 'installation.id'), '');
    const made = await installationId(folder);
    assert.match(made, /^[\w-]{43}$/);
    assert.equal(await installationId(folder), made);
  });
});
