import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { cacheFolder } from '../run/cacheFolder.mjs';
import { childEnvironment } from '../run/childEnvironment.mjs';
import { commandLineOf, descendantsOf } from '../run/processList.mjs';
import { endProcessTree, spawnProcessTree } from '../run/processTree.mjs';

/** @typedef {import('./vscodeInstallation.mjs').VscodeInstallation} VscodeInstallation */

/**
 * @typedef {object} ServerOptions
 * @property {VscodeInstallation} installation
 * @property {string} serverDataFolder
 * @property {string} [extensionsFolder]
 * @property {Readonly<Record<string, string | undefined>>} [env] reaches the extension host
 * @property {string} [connectionToken] without one, everybody on this machine gets a shell: for tests only
 * @property {boolean} [acceptsDevelopmentExtension] the window's address may name one; changes how modals behave
 * @property {boolean} [disablesWorkspaceTrust]
 * @property {string} [language] of its windows; its data folder has a language pack for it
 * @property {string} [builtInExtensionsFolder] in place of VS Code's own
 * @property {boolean} [keepsCompiledCode] for the next start, where its Node can; what it starts sees that in its environment
 * @property {readonly string[]} [installExtensions] packaged extensions to install before the first window
 */

/**
 * @typedef {object} VscodeServer
 * @property {number} port
 * @property {number} pid
 * @property {string} serverDataFolder
 * @property {Promise<void>} ended
 * @property {() => string} output what the server has printed
 * @property {() => Promise<void>} waitForExtensionHostsToEnd after the last window was closed; bounded
 * @property {() => Promise<void>} stop
 */

const startMilliseconds = 60_000;
const extensionHostMilliseconds = 15_000;

/**
 * @param {ServerOptions} options
 * @returns {Promise<VscodeServer>}
 */
export async function startVscodeServer(options) {
  const tokenFile = path.join(options.serverDataFolder, 'connection-token');
  if (options.connectionToken !== undefined) {
    await mkdir(options.serverDataFolder, { recursive: true });
    await writeFile(tokenFile, options.connectionToken, { mode: 0o600 }); // every user can read command lines
  }
  const child = spawnProcessTree(options.installation.nodePath, serverArguments(options, tokenFile), {
    cwd: options.installation.serverRoot,
    env: childEnvironment({
      ...(options.keepsCompiledCode === true ? { NODE_COMPILE_CACHE: path.join(cacheFolder(), 'compiled') } : {}),
      ...options.env,
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  /** @type {Promise<void>} */
  const ended = new Promise((resolve) => child.once('exit', () => resolve()));
  /** @type {Promise<number>} */
  const ready = new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('it was not ready in time')), startMilliseconds);
    child.once('exit', () => reject(new Error('it ended at once')));
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk) => {
        output += String(chunk);
        const port = readyPort(output, options.installExtensions?.length ?? 0);
        if (port !== undefined) {
          clearTimeout(timer);
          resolve(port);
        }
      });
    }
  });
  try {
    const port = await ready;
    return {
      port,
      pid: child.pid,
      serverDataFolder: options.serverDataFolder,
      ended,
      output: () => output,
      waitForExtensionHostsToEnd: () => waitForExtensionHostsToEnd(child.pid),
      stop: () => endProcessTree(child.pid),
    };
  } catch (error) {
    await endProcessTree(child.pid);
    throw new Error(`VS Code ${options.installation.version} failed to start: ${String(error)}\n${output}`);
  }
}

/**
 * It listens before the extensions are installed, and a window opened in between would not have them.
 *
 * @param {string} output
 * @param {number} extensionCount
 * @returns {number | undefined}
 */
function readyPort(output, extensionCount) {
  const port = /Extension host agent listening on (\d+)/.exec(output)?.[1];
  const installed = output.match(/^.*Extension '.*' was successfully installed/gm)?.length ?? 0;
  return port === undefined || installed < extensionCount ? undefined : Number(port);
}

/**
 * A closed window's extension host still deactivates its extensions, which end their own child processes. Who stops
 * the server earlier sees orphans that no user would have.
 *
 * @param {number} serverPid
 */
async function waitForExtensionHostsToEnd(serverPid) {
  const deadline = Date.now() + extensionHostMilliseconds;
  const isExtensionHost = (/** @type {number} */ pid) => commandLineOf(pid).includes('--type=extensionHost');
  while (Date.now() < deadline && descendantsOf(serverPid).some(isExtensionHost)) {
    await sleep(100);
  }
}

/**
 * @param {ServerOptions} options
 * @param {string} tokenFile
 * @returns {string[]}
 */
function serverArguments(options, tokenFile) {
  return [
    path.join('out', 'server-main.js'),
    '--host=127.0.0.1',
    '--port=0',
    '--accept-server-license-terms',
    '--disable-telemetry',
    `--server-data-dir=${options.serverDataFolder}`,
    ...(options.extensionsFolder === undefined ? [] : [`--extensions-dir=${options.extensionsFolder}`]),
    ...(options.builtInExtensionsFolder === undefined ? [] : [`--builtin-extensions-dir=${options.builtInExtensionsFolder}`]),
    ...(options.connectionToken === undefined ? ['--without-connection-token'] : [`--connection-token-file=${tokenFile}`]),
    ...(options.acceptsDevelopmentExtension === true ? ['--enable-smoke-test-driver'] : []),
    ...(options.language === undefined ? [] : [`--locale=${options.language}`]),
    ...(options.disablesWorkspaceTrust === true ? ['--disable-workspace-trust'] : []),
    ...(options.installExtensions ?? []).map((file) => `--install-extension=${file}`),
    ...(options.installExtensions === undefined ? [] : ['--start-server']),
  ];
}
