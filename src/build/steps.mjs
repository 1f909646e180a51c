import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

/**
 * A step is a program of Node that is run in the folder of the repository.
 *
 * @typedef {object} Step
 * @property {string} name
 * @property {readonly string[]} nodeArguments
 * @property {boolean} [isShown] its output is shown when it succeeds, too
 */

/** Where `npm run package` puts the extension. */
export function packagedExtension() {
  const { name, version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  return path.join(root, 'out', `${name}-${version}.vsix`);
}

/** @type {Step} */
export const buildStep = { name: 'build', nodeArguments: ['esbuild.mjs', '--production'] };

/** @type {Step} */
export const packageStep = { name: 'package', nodeArguments: ['src/build/pack.mjs'] };

/** The largest package, in bytes, that people should have to download. */
const maxPackageBytes = 2_000_000;

/** @type {Step} */
export const packageSizeStep = {
  name: 'size of the package',
  nodeArguments: [
    '--eval',
    `const { size } = require('node:fs').statSync(process.argv[1]);
     console.log(size + ' bytes, at most ${maxPackageBytes}');
     process.exitCode = size > ${maxPackageBytes} ? 1 : 0;`,
    packagedExtension(),
  ],
};

/** Whether exactly that is installed which package-lock.json names; in a fresh clone nothing is. */
export function areDependenciesInstalled() {
  const wanted = readPackages(path.join(root, 'package-lock.json'));
  const installed = readPackages(path.join(root, 'node_modules', '.package-lock.json'));
  return Object.entries(wanted).every(([folder, { version, optional }]) => {
    const present = installed[folder];
    return folder === '' || (present === undefined ? optional === true : present.version === version);
  });
}

/** @typedef {Record<string, { readonly version?: string, readonly optional?: boolean }>} LockedPackages */

/**
 * Reads a lock file. npm keeps one of the same format in node_modules for what is really there.
 *
 * @param {string} lockFile
 * @returns {LockedPackages}
 */
function readPackages(lockFile) {
  return existsSync(lockFile) ? JSON.parse(readFileSync(lockFile, 'utf8')).packages : {};
}
