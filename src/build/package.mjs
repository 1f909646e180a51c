/**
 * `npm run package [-- --repository URL] [--pre-release]`: builds the extension and packs it for installation, with a bill of its materials
 * beside it. The address of a public repository goes into the package, and its page shows the pictures from there.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { billOfMaterials } from './billOfMaterials.mjs';
import { repositoryAddress } from './listing.mjs';
import { areDependenciesInstalled, buildStep, packagedExtension, packageStep } from './steps.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({ options: { repository: { type: 'string' }, 'pre-release': { type: 'boolean', default: false } } });
const repository = repositoryAddress(values.repository);

if (!areDependenciesInstalled()) {
  console.log('Installing the dependencies (npm ci) …');
  npm('ci', '--no-audit', '--no-fund', '--loglevel=error');
}
mkdirSync(path.dirname(packagedExtension()), { recursive: true });
run(buildStep.name, process.execPath, buildStep.nodeArguments);
run(packageStep.name, process.execPath, [
  ...packageStep.nodeArguments,
  ...(repository === undefined ? [] : ['--repository', repository]),
  ...(values['pre-release'] ? ['--pre-release'] : []),
]);
const materials = packagedExtension().replace(/\.vsix$/, '.sbom.json');
const { name } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const written = JSON.parse(npm('sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'));
const bundled = JSON.parse(readFileSync(path.join(root, 'dist', 'bundled.json'), 'utf8'));
writeFileSync(materials, `${JSON.stringify(billOfMaterials(written, bundled, name), undefined, 2)}\n`);
console.log(`Packaged ${path.relative(root, packagedExtension())}, made of ${path.relative(root, materials)}.`);

/** @param {readonly string[]} args */
function npm(...args) {
  // npm is a batch file on Windows, and only the shell starts those.
  return run(`npm ${args[0]}`, 'npm', args, process.platform === 'win32');
}

/**
 * Runs a program to its end and shows its output only when it fails; then nothing else is run.
 *
 * @param {string} step
 * @param {string} program
 * @param {readonly string[]} args
 * @param {boolean} [shell]
 */
function run(step, program, args, shell = false) {
  const maxBuffer = 64 * 1024 * 1024;
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: root, encoding: 'utf8', shell, maxBuffer });
  if (status !== 0) {
    console.log(`${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}\n${step} failed.`);
    process.exit(1);
  }
  return stdout;
}
