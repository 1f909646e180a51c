import { mkdir, readdir, symlink } from 'node:fs/promises';
import path from 'node:path';

import { repositoryRoot } from '../run/repository.mjs';

/** @typedef {import('./vscodeInstallation.mjs').VscodeInstallation} VscodeInstallation */

/** What tests see of VS Code's own extensions: colours, icons, and what knows the languages of the workspaces. */
const needed = new Set([
  'configuration-editing',
  'git',
  'git-base',
  'ipynb',
  'javascript',
  'json',
  'json-language-features',
  'markdown-basics',
  'node_modules',
  'npm',
  'search-result',
  'terminal-suggest',
  'theme-defaults',
  'theme-modern-icons',
  'theme-seti',
  'typescript-basics',
  'typescript-language-features',
]);

/**
 * A folder with the few built-in extensions that most tests need, and our own that tests call by a command: as part of VS Code
 * they may use what is only proposed. Every window reads the manifests of all of them, starts
 * some and takes in what each contributes: the others cost a sixth of a window.
 *
 * @param {VscodeInstallation} installation
 * @param {string} parentFolder
 * @returns {Promise<string>}
 */
export async function fewBuiltInExtensions(installation, parentFolder) {
  const all = path.join(installation.serverRoot, 'extensions');
  const folder = path.join(parentFolder, 'builtIn');
  await mkdir(folder);
  const names = (await readdir(all)).filter((name) => needed.has(name));
  await Promise.all(names.map((name) => symlink(path.join(all, name), path.join(folder, name), 'junction')));
  const own = path.join(repositoryRoot, 'test', 'fixtures', 'extensions');
  await Promise.all((await readdir(own)).map((name) => symlink(path.join(own, name), path.join(folder, name), 'junction')));
  return folder;
}
