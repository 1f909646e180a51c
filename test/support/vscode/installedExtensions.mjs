import path from 'node:path';

import { runProcess } from '../run/runProcess.mjs';
import { createTemporaryFolder } from '../run/temporaryFolder.mjs';

/** @typedef {import('./vscodeInstallation.mjs').VscodeInstallation} VscodeInstallation */

const installMilliseconds = 120_000;

/** @type {Map<string, Promise<string>>} */
const installed = new Map();

/**
 * A folder in which VS Code has installed these packaged extensions, as it does for a person. It is made once for all windows of
 * this process, which read it and leave it as it is, and is gone with the process.
 *
 * @param {VscodeInstallation} installation
 * @param {readonly string[]} packages
 * @returns {Promise<string>}
 */
export function installedExtensions(installation, packages) {
  const key = JSON.stringify([installation.serverRoot, ...packages]);
  const known = installed.get(key) ?? install(installation, packages);
  installed.set(key, known);
  return known;
}

/**
 * @param {VscodeInstallation} installation
 * @param {readonly string[]} packages
 * @returns {Promise<string>}
 */
async function install(installation, packages) {
  const folder = createTemporaryFolder();
  const extensions = path.join(folder, 'extensions');
  const { exitCode, output } = await runProcess(
    installation.nodePath,
    [
      path.join('out', 'server-main.js'),
      '--accept-server-license-terms',
      '--disable-telemetry',
      `--server-data-dir=${path.join(folder, 'data')}`,
      `--extensions-dir=${extensions}`,
      ...packages.map((file) => `--install-extension=${file}`),
    ],
    { cwd: installation.serverRoot, timeoutMilliseconds: installMilliseconds, output: 'capture' },
  );
  if (exitCode !== 0) {
    throw new Error(`VS Code ${installation.version} does not install ${packages.join(', ')}: ${output}`);
  }
  return extensions;
}
