import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';

import { exitOnSignals } from './exitOnSignals.mjs';
import { endOwnedTreesNow } from './processTree.mjs';

/** @type {Set<string>} */
const folders = new Set();
let removesFoldersOnExit = false;

/**
 * A fresh folder that is gone when this process is. The name is short because sockets inside it may be at most about
 * a hundred characters long; the path is real because VS Code compares real paths.
 *
 * @returns {string}
 */
export function createTemporaryFolder() {
  if (!removesFoldersOnExit) {
    removesFoldersOnExit = true;
    exitOnSignals();
    process.on('exit', removeFoldersNow);
  }
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'dpx-')));
  folders.add(folder);
  return folder;
}

/** @param {string} folder */
export async function removeTemporaryFolder(folder) {
  folders.delete(folder);
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

function removeFoldersNow() {
  endOwnedTreesNow(); // whoever still runs would write into the folders again
  for (const folder of folders) {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
