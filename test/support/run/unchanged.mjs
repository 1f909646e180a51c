import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

import { outFolder, repositoryRoot } from './repository.mjs';

const memoryFile = path.join(outFolder, 'static-passed');

/**
 * What the static checks depend on, in one word: every file of the repository, the installed packages and Node.
 *
 * @returns {string | undefined} nothing where there is no git to list the files
 */
export function fingerprintOfSources() {
  const sources = listSources();
  if (sources === undefined) {
    return undefined;
  }
  const hash = createHash('sha256').update(process.version);
  for (const file of [...sources, path.join('node_modules', '.package-lock.json')]) {
    hash.update(`\0${file}\0`).update(contentOf(file));
  }
  return hash.digest('hex');
}

/** @returns {string[] | undefined} every file of the repository, sorted; nothing where there is no git to list them */
function listSources() {
  const listed = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: repositoryRoot, encoding: 'utf8' });
  return listed.status === 0 ? listed.stdout.split('\0').sort() : undefined;
}

/** @param {string} file */
function contentOf(file) {
  try {
    return readFileSync(path.join(repositoryRoot, file));
  } catch {
    return ''; // a folder, a link to one, or gone from the disk but not from the index
  }
}

/** @param {string | undefined} fingerprint */
export function havePassed(fingerprint) {
  try {
    return fingerprint !== undefined && readFileSync(memoryFile, 'utf8') === fingerprint;
  } catch {
    return false;
  }
}

/** @param {string | undefined} fingerprint */
export function rememberPassed(fingerprint) {
  if (fingerprint !== undefined) {
    mkdirSync(outFolder, { recursive: true });
    writeFileSync(memoryFile, fingerprint);
  }
}
