import process from 'node:process';

import { runProcess } from './runProcess.mjs';

const installMilliseconds = 3 * 60_000;

/**
 * Installs packages by Debian's package manager, where the rights for it are there. Whoever needs them looks whether they came, and
 * skips with a reason where they did not.
 *
 * @param {string} what for people
 * @param {readonly string[]} packages
 */
export async function installSystemPackages(what, packages) {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    return;
  }
  // Both versions of VS Code may be tested at the same time: the second one waits for the first.
  const waiting = ['-o', 'DPkg::Lock::Timeout=60'];
  for (const step of [['update'], ['install', '-y', '--no-install-recommends', ...waiting, ...packages]]) {
    console.log(`Installing ${what} (once): apt-get ${step.join(' ')} …`);
    await runProcess('apt-get', step, {
      env: { DEBIAN_FRONTEND: 'noninteractive' },
      timeoutMilliseconds: installMilliseconds,
      output: 'capture',
    }).catch(() => undefined); // the test says that it is skipped
  }
}
