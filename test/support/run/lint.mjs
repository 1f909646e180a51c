/** Runs the linter on the files whose verdict can be another one than last time, when all was well. */
import process from 'node:process';

import { tool } from './buildSteps.mjs';
import { lintKeys, notYetPassed, rememberLinted } from './lintedFiles.mjs';
import { repositoryRoot } from './repository.mjs';
import { runProcess } from './runProcess.mjs';

const lintMilliseconds = 8 * 60_000;

/** Names of more than these do not fit into a command line everywhere. */
const maxNames = 300;

const keys = lintKeys();
const changed = keys === undefined ? undefined : notYetPassed(keys);
const files = changed === undefined || changed.length > maxNames ? ['.'] : changed;
if (files.length > 0) {
  const { exitCode } = await runProcess(process.execPath, [tool('eslint/bin/eslint.js'), '--no-warn-ignored', ...files], {
    cwd: repositoryRoot,
    timeoutMilliseconds: lintMilliseconds,
    output: 'show',
  });
  if (exitCode !== 0) {
    process.exit(exitCode);
  }
}
if (keys !== undefined) {
  rememberLinted(keys);
}
