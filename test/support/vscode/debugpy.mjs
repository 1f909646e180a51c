import { runProcess } from '../run/runProcess.mjs';
import { installSystemPackages } from '../run/systemPackages.mjs';

/** Debian's own Python: its debugger is a package of the system, and another Python may come first on PATH. */
const python = '/usr/bin/python3';
const lookMilliseconds = 60_000;

/** Installs Python's debugger by the system's package manager, if need and rights are there. Tests skip where it is not. */
export async function ensureDebugpy() {
  if (!(await hasDebugpy())) {
    await installSystemPackages("Python's debugger", ['python3-debugpy']);
  }
}

/** @returns {Promise<boolean>} */
async function hasDebugpy() {
  const looked = await runProcess(python, ['-c', 'import debugpy'], { timeoutMilliseconds: lookMilliseconds, output: 'capture' }).catch(
    () => undefined,
  );
  return looked?.exitCode === 0;
}
