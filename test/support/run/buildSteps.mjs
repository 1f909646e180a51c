import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';

import { outFolder, repositoryRoot } from './repository.mjs';
import { runProcess } from './runProcess.mjs';

export { buildStep, packageSizeStep, packageStep } from '../../../src/build/steps.mjs';

/** @typedef {import('../../../src/build/steps.mjs').Step} Step */

const stepMilliseconds = 8 * 60_000;

/** TypeScript 7. The package with the plain name is version 6: tests that read the code need its API, which 7 does not have yet. */
const compiler = tool('@typescript/native/bin/tsc');

/**
 * The same as `npm run check`, one by one, so that each has a result of its own, and sparing types that have been checked before.
 *
 * @type {readonly Step[]}
 */
export const staticSteps = [
  { name: 'typecheck', nodeArguments: typecheck('tsconfig.json', 'source') },
  { name: 'typecheck of the webview', nodeArguments: typecheck('src/webview/tsconfig.json', 'webview') },
  { name: 'typecheck of the tests', nodeArguments: typecheck('test/tsconfig.json', 'test') },
  { name: 'lint', nodeArguments: [tool('oxlint/bin/oxlint')] },
  { name: 'format', nodeArguments: [tool('oxfmt/bin/oxfmt'), '--check'] },
  // Says what the source looks like, for whoever reads it; it does not fail.
  { name: 'shape', nodeArguments: ['test/support/lint/shape.mjs', '--short'], isShown: true },
];

/**
 * Runs a step; a quiet one shows its output only when it fails.
 *
 * @param {Step} step
 * @returns {Promise<boolean>} whether it succeeded
 */
export async function runStep(step) {
  await mkdir(outFolder, { recursive: true });
  const { exitCode, timedOut, output } = await runProcess(process.execPath, step.nodeArguments, {
    cwd: repositoryRoot,
    timeoutMilliseconds: stepMilliseconds,
    output: 'capture',
  });
  if (exitCode === 0 && step.isShown === true) {
    console.log(`${step.name}: ${output.trim()}`);
  }
  if (exitCode !== 0) {
    console.log(`${output.trim()}\n${step.name} failed${timedOut ? ': it took too long' : ''}.`);
  }
  return exitCode === 0;
}

/**
 * Remembers what it found out about files that have not changed.
 *
 * @param {string} project
 * @param {string} name
 */
function typecheck(project, name) {
  return [compiler, '-p', project, '--incremental', '--tsBuildInfoFile', path.join(outFolder, `typecheck-${name}.json`)];
}

/** @param {string} file */
function tool(file) {
  return path.join(repositoryRoot, 'node_modules', file);
}
