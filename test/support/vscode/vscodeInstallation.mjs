import { copyFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { installOnce } from '../run/cacheFolder.mjs';
import { runNpm } from '../run/npmCommand.mjs';
import { vscodeVersions } from './versions.mjs';

/** @typedef {import('./versions.mjs').VscodeChoice} VscodeChoice */

/**
 * @typedef {object} VscodeInstallation
 * @property {string} version
 * @property {string} nodePath the Node that this VS Code is made for
 * @property {string} serverRoot the folder of `out/server-main.js`
 */

/**
 * Installs VS Code and its Node from the npm registry into the cache, unless they are there.
 *
 * @param {VscodeChoice} choice
 * @returns {Promise<VscodeInstallation>}
 */
export async function ensureVscode(choice) {
  const versions = vscodeVersions[choice];
  const folder = await installOnce(`vscode-${versions.vscode}-with-logs`, (unfinished) => installVscode(choice, unfinished));
  return {
    version: versions.vscode,
    nodePath: await ensureNode(versions.node),
    serverRoot: path.join(folder, vscodeInPackage),
  };
}

const vscodeInPackage = path.join('node_modules', 'code-server', 'lib', 'vscode');

/**
 * No install scripts: code-server's own compiles modules that tests do without, and needs a compiler for it. Terminals,
 * search and file watching ship prebuilt.
 *
 * @param {VscodeChoice} choice
 * @param {string} folder
 */
async function installVscode(choice, folder) {
  const { vscode, codeServer } = vscodeVersions[choice];
  const serverRoot = path.join(folder, vscodeInPackage);
  const steps = /** @type {const} */ ([
    ['the editor', folder, ['install', '--ignore-scripts', `code-server@${codeServer}`]],
    ['its libraries', serverRoot, ['install', '--omit=dev', '--ignore-scripts']],
    ['its built-in extensions', path.join(serverRoot, 'extensions'), ['install', '--omit=dev', '--ignore-scripts']],
  ]);
  await writeFile(path.join(folder, 'package.json'), '{ "private": true }\n');
  for (const [index, [what, cwd, args]] of steps.entries()) {
    console.log(`Installing VS Code ${vscode} (once): ${what}, step ${index + 1} of ${steps.length} …`);
    await runNpm(args, cwd);
  }
  await replaceNativeLogger(path.join(serverRoot, 'node_modules', '@vscode', 'spdlog'));
}

/** @param {string} packageFolder */
async function replaceNativeLogger(packageFolder) {
  const fileLogger = fileURLToPath(new URL('fileLogger.mjs', import.meta.url));
  await copyFile(fileLogger, path.join(packageFolder, 'fileLogger.mjs'));
  const manifest = { name: '@vscode/spdlog', version: '0.0.0', main: 'fileLogger.mjs' };
  await writeFile(path.join(packageFolder, 'package.json'), `${JSON.stringify(manifest)}\n`);
}

/**
 * @param {string} version
 * @returns {Promise<string>} the executable
 */
export async function ensureNode(version) {
  if (process.versions.node.split('.')[0] === version.split('.')[0]) {
    return process.execPath;
  }
  const packageName = nodePackageName();
  const folder = await installOnce(`node-${version}`, async (unfinished) => {
    console.log(`Installing Node ${version} for VS Code (once) …`);
    await writeFile(path.join(unfinished, 'package.json'), '{ "private": true }\n');
    await runNpm(['install', '--ignore-scripts', `${packageName}@${version}`], unfinished);
  });
  const executable = process.platform === 'win32' ? 'node.exe' : 'node';
  return path.join(folder, 'node_modules', packageName, 'bin', executable);
}

/** What the package `node` installs by its script, which newer versions of npm do not run unasked. */
function nodePackageName() {
  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  return `${prefix}-${platform}-${process.arch}`;
}
