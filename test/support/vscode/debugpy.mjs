import process from 'node:process';

import { runProcess } from '../run/runProcess.mjs';

/** Debian's own Python: its debugger is a package of the system, and another Python may come first on PATH. */
const python = '/usr/bin/python3';
const installMilliseconds = 3 * 60_000;

/** Installs Python's debugger by the system's package manager, if need and rights are there. Tests skip where it is not. */
export async function ensureDebugpy() {
  const mayInstall = process.platform === 'linux' && process.getuid?.() === 0;
  if (!mayInstall || (await hasDebugpy())) {
    return;
  }
  // Both versions of VS Code may be tested at the same time: the second one waits for the first.
  const waiting = ['-o', 'DPkg::Lock::Timeout=60'];
  for (const step of [['update'], ['install', '-y', '--no-install-recommends', ...waiting, 'python3-debugpy']]) {
    console.log(`Installing Python's debugger (once): apt-get ${step.join(' ')} …`);
    await runProcess('apt-get', step, {
      env: { DEBIAN_FRONTEND: 'noninteractive' },
      timeoutMilliseconds: installMilliseconds,
      output: 'capture',
    }).catch(() => undefined); // the test says that it is skipped
  }
}

/** @returns {Promise<boolean>} */
async function hasDebugpy() {
  const looked = await runProcess(python, ['-c', 'import debugpy'], { timeoutMilliseconds: installMilliseconds, output: 'capture' }).catch(
    () => undefined,
  );
  return looked?.exitCode === 0;
}
