import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';

import { outFolder, packagedExtension, repositoryRoot } from './repository.mjs';
import { runProcess } from './runProcess.mjs';

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {readonly string[]} nodeArguments
 */

const stepMilliseconds = 8 * 60_000;

/** @type {Step} */
export const buildStep = { name: 'build', nodeArguments: ['esbuild.mjs', '--production'] };

/** @type {Step} */
export const packageStep = {
  name: 'package',
  nodeArguments: [
    tool('@vscode/vsce/vsce'),
    'package',
    '--no-dependencies', // everything is bundled
    '--allow-missing-repository',
    '--no-rewrite-relative-links', // there is no public repository that they could lead to
    `--out=${packagedExtension()}`,
  ],
};

/** What people download. */
const maxPackageBytes = 1_500_000;

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
