/** `npm run bench [-- floor|ceiling]`: first figures, every ratio from one run. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

import { buildStep, packageStep, runStep } from './run/buildSteps.mjs';
import { ensureDependencies } from './run/ensureDependencies.mjs';
import { packagedExtension, repositoryRoot } from './run/repository.mjs';
import { createTemporaryFolder, removeTemporaryFolder } from './run/temporaryFolder.mjs';
import { defaultWorkspace } from './run/workspaceCopy.mjs';

/** @typedef {import('../bench/roundTrips.ts').Measurement} Measurement */
/** @typedef {import('../bench/toolTimes.ts').ToolTime | import('../bench/toolClient.ts').ToolFailure} ToolTime */

const choice = process.argv[2] === 'floor' ? 'floor' : 'ceiling';

await ensureDependencies();
if (!(await runStep(buildStep)) || !(await runStep(packageStep))) {
  process.exit(1);
}
const { activationMs, measurements, toolTimes } = await measureInVscode();
printSizes();
console.log(`\nactivate() in VS Code (${choice}): ${activationMs.toFixed(1)} ms`);
printRatios(measurements);
printToolTimes(toolTimes);
await measureApart('hostCalls.ts');
await measureApart('serverStarts.ts');
await measureApart('windowStartRun.ts');
await measureApart('hostileBlocks.ts');
await measureApart('firstToken.ts');
await measureApart('chatPageRun.ts');
await measureApart('trafficTap.ts');

/** @returns {Promise<{ activationMs: number, measurements: Measurement[], toolTimes: ToolTime[] }>} */
async function measureInVscode() {
  const { bundleForExtensionHost } = await import('./editor/editorBundle.mjs');
  const { runEditorWindow } = await import('./editor/editorWindow.mjs');
  const extensionTestsPath = await bundleForExtensionHost('bench', ['index.ts', 'loadClient.ts', 'toolClient.ts']);
  const folder = createTemporaryFolder();
  const resultFile = path.join(folder, 'result.json');
  try {
    const env = { DUPLEX_BENCH_RESULT: resultFile };
    // One client does here what a person's clients never do together.
    const settings = { 'duplex.server.limits': { requestsPerSecond: 100_000 } };
    await runEditorWindow({ choice, extensionTestsPath, fixture: defaultWorkspace, logName: `bench-${choice}`, env, settings });
    return JSON.parse(readFileSync(resultFile, 'utf8'));
  } finally {
    await removeTemporaryFolder(folder);
  }
}

/**
 * In a process of its own: what is measured is how long it is held up.
 *
 * @param {string} file
 */
async function measureApart(file) {
  const script = path.join(repositoryRoot, 'test', 'bench', file);
  const child = spawn(process.execPath, ['--import', 'tsx', script], { cwd: repositoryRoot, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) {
    process.exitCode = 1;
  }
}

function printSizes() {
  const dist = path.join(repositoryRoot, 'dist');
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'));
  console.log('\nsize in KB');
  printSize(path.basename(packagedExtension()), packagedExtension());
  for (const file of files.sort()) {
    printSize(`dist/${file}`, path.join(dist, file));
  }
}

/**
 * @param {string} name
 * @param {string} file
 */
function printSize(name, file) {
  console.log(`${(statSync(file).size / 1024).toFixed(1).padStart(9)}  ${name}`);
}

/** @param {readonly Measurement[]} all */
function printRatios(all) {
  console.log('\ntools/call get_diagnostics against a bare node:http JSON echo in the same extension host');
  for (const { name, inFlight, perSecond } of all) {
    const floor = all.find((each) => each.name === 'echo' && each.inFlight === inFlight);
    const share = floor === undefined ? Number.NaN : (perSecond / floor.perSecond) * 100;
    console.log(
      `${name.padEnd(6)} ${String(inFlight).padStart(3)} in flight  ${perSecond.toFixed(0).padStart(6)} /s  ${share.toFixed(0).padStart(4)} %`,
    );
  }
}

/** @param {readonly ToolTime[]} all */
function printToolTimes(all) {
  console.log(
    '\ntools in a workspace of 5,000 files: median of a call, against bare ripgrep (goal: 200 %), longest stall of the editor (goal: 100 ms)',
  );
  for (const time of all) {
    if ('failure' in time) {
      console.log(`${time.name.padEnd(34)} ${time.failure.slice(0, 200)}`);
      continue;
    }
    const { name, milliseconds, floorMilliseconds, stallMs, characters } = time;
    const share = floorMilliseconds === undefined ? '' : `${((milliseconds / floorMilliseconds) * 100).toFixed(0)} %`;
    const cells = [`${milliseconds.toFixed(1)} ms`.padStart(11), share.padStart(7), `${stallMs.toFixed(0)} ms`.padStart(8)];
    console.log(`${name.padEnd(34)} ${cells.join('  ')}  ${String(characters).padStart(9)} characters`);
  }
}
