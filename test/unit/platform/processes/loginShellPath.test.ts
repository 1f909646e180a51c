import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { silentLog } from '../../../../src/base/log.ts';
import { LoginShellPath } from '../../../../src/platform/processes/loginShellPath.ts';
import { createTemporaryFolder } from '../../../support/run/temporaryFolder.mjs';

const folder = createTemporaryFolder();
const other = createTemporaryFolder();

describe('The login shell', () => {
  const options = { home: folder, env: { PATH: '/usr/bin:/bin' }, platform: process.platform, timeoutMs: 5_000, log: silentLog };

  async function shell(name: string, script: string): Promise<string> {
    const file = path.join(createTemporaryFolder(), name);
    await writeFile(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return file;
  }

  it('is run once, in the home folder, and its PATH comes first', async () => {
    const marker = path.join(other, 'runs');
    const file = await shell('bash', `pwd >> ${marker}; echo "Welcome!"; PATH=/opt/nvm/bin:/usr/bin; export PATH; eval "$4"`);
    const asked = new LoginShellPath({ ...options, shell: file });
    assert.equal(asked.wasAsked, false);
    const answers = await Promise.all([asked.read(), asked.read()]);
    assert.equal(asked.wasAsked, true);
    assert.deepEqual(answers, ['/opt/nvm/bin:/usr/bin:/bin', '/opt/nvm/bin:/usr/bin:/bin']);
    assert.equal(await readFile(marker, 'utf8'), `${folder}\n`);
  });

  it('that hangs, fails or does not exist is replaced by the editor’s own PATH', async () => {
    const hanging = await shell('zsh', 'sleep 600 & wait');
    const failing = await shell('fish', 'exit 1');
    const asks = [hanging, failing, '/nonexistent/shell', undefined].map((file) =>
      new LoginShellPath({ ...options, shell: file, timeoutMs: 500 }).read(),
    );
    assert.deepEqual(await Promise.all(asks), Array(4).fill('/usr/bin:/bin'));
  });

  it('of this machine answers', async () => {
    const real = await new LoginShellPath({ ...options, shell: '/bin/sh' }).read();
    assert.ok(real.split(':').includes('/usr/bin'));
  });
});
