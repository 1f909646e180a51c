import { access, constants } from 'node:fs/promises';
import process from 'node:process';

import { runProcess } from './runProcess.mjs';

const installMilliseconds = 3 * 60_000;
/** What boxes of servers are made with, by the names of Debian's packages. */
const programs = Object.freeze({ bubblewrap: '/usr/bin/bwrap', socat: '/usr/bin/socat' });

/** Installs what boxes are made with by the system's package manager, if need and rights are there. Tests skip where it is not. */
export async function ensureBoxPrograms() {
  const mayInstall = process.platform === 'linux' && process.getuid?.() === 0;
  if (!mayInstall || (await hasBoxPrograms())) {
    return;
  }
  const waiting = ['-o', 'DPkg::Lock::Timeout=60'];
  for (const step of [['update'], ['install', '-y', '--no-install-recommends', ...waiting, ...Object.keys(programs)]]) {
    console.log(`Installing what boxes of servers are made with (once): apt-get ${step.join(' ')} …`);
    await runProcess('apt-get', step, {
      env: { DEBIAN_FRONTEND: 'noninteractive' },
      timeoutMilliseconds: installMilliseconds,
      output: 'capture',
    }).catch(() => undefined); // the tests say that they are skipped
  }
}

/** @returns {Promise<boolean>} */
export async function hasBoxPrograms() {
  const found = await Promise.all(
    Object.values(programs).map((file) =>
      access(file, constants.X_OK).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.every(Boolean);
}
