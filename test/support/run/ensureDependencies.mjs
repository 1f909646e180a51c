import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { runNpm } from './npmCommand.mjs';
import { repositoryRoot } from './repository.mjs';

/** Installs what package-lock.json says, unless exactly that is installed: a fresh clone needs no second command. */
export async function ensureDependencies() {
  const wanted = readPackages(path.join(repositoryRoot, 'package-lock.json'));
  const installed = readPackages(path.join(repositoryRoot, 'node_modules', '.package-lock.json'));
  const isCurrent = Object.entries(wanted).every(([folder, { version, optional }]) => {
    const present = installed[folder];
    return folder === '' || (present === undefined ? optional === true : present.version === version);
  });
  if (!isCurrent) {
    console.log('Installing the dependencies (npm ci) …');
    await runNpm(['ci'], repositoryRoot);
  }
}

/** @typedef {Record<string, { readonly version?: string, readonly optional?: boolean }>} LockedPackages */

/**
 * npm keeps the same format in node_modules for what is really there.
 *
 * @param {string} lockFile
 * @returns {LockedPackages}
 */
function readPackages(lockFile) {
  return existsSync(lockFile) ? JSON.parse(readFileSync(lockFile, 'utf8')).packages : {};
}
