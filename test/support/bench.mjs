/** `npm run bench [-- floor|ceiling] [--only PART] [--profile FOLDER] [--readme]`: every ratio from one run, one table of all at the end. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';

import { buildStep, packageStep, runStep } from './run/buildSteps.mjs';
import { ensureDependencies } from './run/ensureDependencies.mjs';
import { packagedExtension } from '../../src/build/steps.mjs';
import { repositoryRoot } from './run/repository.mjs';
import { createTemporaryFolder, removeTemporaryFolder } from './run/temporaryFolder.mjs';
import { defaultWorkspace } from './run/workspaceCopy.mjs';

/** @typedef {import('../bench/toolTimes.ts').ToolTime | import('../bench/toolClient.ts').ToolFailure} ToolTime */

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Write the table of the last run into test/bench/README.md and measure nothing. */
    readme: { type: 'boolean', default: false },
    /** Only what is measured in VS Code, and of that only `server`, `diagnostics`, `projects` or `tools`; or only one file of test/bench, such as `hostCalls`. */
    only: { type: 'string', default: '' },
    /** A folder for a processor profile of every way to call the server. */
    profile: { type: 'string' },
  },
});
/** The one of test/bench/rows.ts. */
const rowsFileVariable = 'DUPLEX_BENCH_ROWS';
const choice = positionals[0] === 'floor' ? 'floor' : 'ceiling';
const inVscode = ['server', 'diagnostics', 'projects', 'tools'];
const apart = [
  'hostCalls',
  'gatewayCalls',
  'serverStarts',
  'confinedStarts',
  'languageServerStart',
  'windowStartRun',
  'hostileBlocks',
  'firstToken',
  'chatPageRun',
  'hostileAnswersRun',
  'trafficTap',
  'shellTasks',
];

if (options.readme) {
  await measureApart('summary', {}, ['--readme']);
} else {
  await main();
}

async function main() {
  await ensureDependencies();
  if (!(await runStep(buildStep)) || !(await runStep(packageStep))) {
    process.exit(1);
  }
  const folder = createTemporaryFolder();
  const rowsFile = path.join(folder, 'rows.jsonl');
  const env = { [rowsFileVariable]: rowsFile };
  writeFileSync(rowsFile, '');
  try {
    if (options.only === '' || inVscode.includes(options.only)) {
      const { activationMs, toolTimes } = await measureInVscode(path.join(folder, 'result.json'), env);
      printSizes();
      appendFileSync(rowsFile, `${JSON.stringify(packageRow())}\n`);
      console.log(`\nactivate() in VS Code (${choice}): ${activationMs.toFixed(1)} ms`);
      printToolTimes(toolTimes);
    }
    for (const name of apart.filter((each) => options.only === '' || each === options.only)) {
      await measureApart(name, env);
    }
    await measureApart('summary', env);
  } finally {
    await removeTemporaryFolder(folder);
  }
}

/**
 * @param {string} resultFile
 * @param {Readonly<Record<string, string>>} rowsEnv
 * @returns {Promise<{ activationMs: number, toolTimes: ToolTime[] }>}
 */
async function measureInVscode(resultFile, rowsEnv) {
  const { bundleForExtensionHost } = await import('./editor/editorBundle.mjs');
  const { runEditorWindow } = await import('./editor/editorWindow.mjs');
  const extensionTestsPath = await bundleForExtensionHost('bench', ['index.ts', 'loadClient.ts', 'toolClient.ts', 'subscriberClient.ts']);
  const profileFolder = options.profile === undefined ? {} : { DUPLEX_BENCH_PROFILE: path.resolve(options.profile) };
  const env = { ...rowsEnv, ...profileFolder, DUPLEX_BENCH_RESULT: resultFile, DUPLEX_BENCH_ONLY: options.only };
  const settings = {
    // One client does here what a person's clients never do together.
    'duplex.server.limits': { requestsPerSecond: 100_000 },
    // Every few seconds VS Code would look through all processes for ports, in this very process, and hold up whatever is measured then.
    'remote.autoForwardPorts': false,
    'remote.autoForwardPortsSource': 'output',
  };
  await runEditorWindow({ choice, extensionTestsPath, fixture: defaultWorkspace, logName: `bench-${choice}`, env, settings });
  return JSON.parse(readFileSync(resultFile, 'utf8'));
}

/**
 * In a process of its own: what is measured is how long it is held up.
 *
 * @param {string} name of a file of test/bench
 * @param {Readonly<Record<string, string>>} env
 * @param {readonly string[]} args
 */
async function measureApart(name, env, args = []) {
  const script = path.join(repositoryRoot, 'test', 'bench', `${name}.ts`);
  const child = spawn(process.execPath, ['--import', 'tsx', script, ...args], {
    cwd: repositoryRoot,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
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

/** @returns {import('../bench/rows.ts').BenchRow} */
function packageRow() {
  const measured = statSync(packagedExtension()).size / 1024 / 1024;
  return { what: 'the packaged extension', measured, unit: 'MB', goal: { atMost: 1.5 }, isInReadme: true };
}

/**
 * @param {string} name
 * @param {string} file
 */
function printSize(name, file) {
  console.log(`${(statSync(file).size / 1024).toFixed(1).padStart(9)}  ${name}`);
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
