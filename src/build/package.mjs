/** `npm run package`: builds the extension and packs it for installation. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { areDependenciesInstalled, buildStep, packagedExtension, packageStep } from './steps.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

if (!areDependenciesInstalled()) {
  console.log('Installing the dependencies (npm ci) …');
  // npm is a batch file on Windows, and only the shell starts those.
  run('npm ci', 'npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], process.platform === 'win32');
}
mkdirSync(path.dirname(packagedExtension()), { recursive: true });
for (const { name, nodeArguments } of [buildStep, packageStep]) {
  run(name, process.execPath, nodeArguments);
}
console.log(`Packaged ${path.relative(root, packagedExtension())}.`);

/**
 * Runs a program to its end and shows its output only when it fails; then nothing else is run.
 *
 * @param {string} name
 * @param {string} program
 * @param {readonly string[]} args
 * @param {boolean} [shell]
 */
function run(name, program, args, shell = false) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: root, encoding: 'utf8', shell });
  if (status !== 0) {
    console.log(`${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}\n${name} failed.`);
    process.exit(1);
  }
}
