/**
 * `npm test -- [kind…] [file…] [--grep TEXT] [--lanes N] [--repeat N]`: what every change is tested with, or the kinds or files
 * that are named; as many processes side by side as there are cores, or as said; each test once, or as often as said. `npm run
 * test:release` is what else a release is tested with: the same with `--release`.
 */
import { availableParallelism } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';

import { buildStep, packageSizeStep, packageStep, runStep } from './run/buildSteps.mjs';
import { ensureBoxPrograms } from './run/boxPrograms.mjs';
import { ensureDependencies } from './run/ensureDependencies.mjs';
import { runInLanes } from './run/lanes.mjs';
import { repositoryRoot } from './run/repository.mjs';
import { jobsOfKind, staticJob } from './run/testJobs.mjs';
import { filesOfWholeRun, findTestFiles, kindPlans, testKinds, usesBrowser } from './run/testKinds.mjs';
import { printSummary, stepResult } from './run/testResults.mjs';
import { ensureChromium } from './vscode/chromium.mjs';
import { ensureVscode } from './vscode/vscodeInstallation.mjs';

/** @typedef {import('./run/testKinds.mjs').TestKind} TestKind */
/** @typedef {import('./run/testResults.mjs').KindResult} KindResult */
/** @typedef {import('./run/testJobs.mjs').TestJob} TestJob */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    grep: { type: 'string' },
    lanes: { type: 'string' },
    repeat: { type: 'string', default: '1' },
    release: { type: 'boolean', default: false },
  },
});
const grep = values.grep ?? '';
const set = values.release ? 'release' : 'test';

await ensureDependencies();
const results = await runEverything(chooseFiles());
printSummary(results);
process.exit(results.some((result) => result.failures.length > 0) ? 1 : 0);

/**
 * @param {ReadonlyMap<TestKind, readonly string[]>} filesByKind
 * @returns {Promise<KindResult[]>}
 */
async function runEverything(filesByKind) {
  const chosen = [...filesByKind].filter(([, files]) => files.length > 0);
  const jobs = chosen.flatMap(([kind, files]) => jobsOfKind(kind, files, grep, isWhole(kind, files), Number(values.repeat)));
  if (positionals.length === 0 && grep === '' && set === 'test') {
    jobs.push(staticJob);
  }
  jobs.sort((one, other) => other.usualSeconds - one.usualSeconds);
  const { made, result } = await buildFor(new Set(jobs.map(({ needs }) => needs)));
  if (chosen.some(([, files]) => files.some((file) => file.includes('confined')))) {
    await ensureBoxPrograms();
  }
  if (chosen.some(([, files]) => files.some((file) => /search|fileList/i.test(file))) && !process.env['DUPLEX_VSCODE']) {
    await ensureVscode('ceiling'); // searches are tested with its ripgrep, too, which would be missing on a fresh machine
  }
  if (chosen.some(([kind]) => usesBrowser(kind)) && !process.env['DUPLEX_VSCODE']) {
    await ensureChromium(); // package managers do not like to be called twice at a time
  }
  const laneCount = Number(values.lanes ?? availableParallelism());
  const output = jobs.length === 1 || laneCount === 1 ? 'show' : 'capture';
  const done = await runInLanes(
    laneCount,
    jobs.map((job) => ({
      lanes: laneCount === 1 ? 1 : job.lanes,
      run: () => (made.has(job.needs) ? begin(job, output) : Promise.resolve(notRun(job))),
    })),
  );
  return [...result, ...done];
}

/**
 * @param {TestKind} kind
 * @param {readonly string[]} files
 */
function isWhole(kind, files) {
  return grep === '' && files.length === filesOfWholeRun(kind).length;
}

/**
 * @param {TestJob} job
 * @param {'show' | 'capture'} output
 */
function begin(job, output) {
  console.log(`${job.label} …`);
  return job.run(output);
}

/** @param {TestJob} job @returns {KindResult} */
function notRun({ label }) {
  return { label, passed: 0, failures: ['not run, because the build failed'], skipped: 0, seconds: 0 };
}

/**
 * Each step needs the one before.
 *
 * @param {ReadonlySet<TestJob['needs']>} needs
 * @returns {Promise<{ made: ReadonlySet<TestJob['needs']>, result: KindResult[] }>}
 */
async function buildFor(needs) {
  const start = performance.now();
  /** @type {Set<TestJob['needs']>} */
  const made = new Set(['nothing']);
  const steps = needs.has('package') ? [buildStep, packageStep, packageSizeStep] : needs.has('build') ? [buildStep] : [];
  for (const [index, step] of steps.entries()) {
    console.log(`${step.name} …`);
    if (!(await runStep(step))) {
      return { made, result: [stepResult('build', index, [step.name], start)] };
    }
    made.add(step === buildStep ? 'build' : 'package');
  }
  return { made, result: steps.length === 0 ? [] : [stepResult('build', steps.length, [], start)] };
}

/**
 * What the command line asks for: kinds of either set by name, single files by their path, and the whole set when it names nothing.
 *
 * @returns {Map<TestKind, string[]>}
 */
function chooseFiles() {
  const unknown = new Set(positionals);
  const chosen = new Map();
  for (const kind of testKinds) {
    const existing = findTestFiles(kind);
    const named = positionals.filter((argument) => existing.includes(relativeTo(kind, argument)));
    const isNamed = unknown.delete(kind);
    named.forEach((argument) => unknown.delete(argument));
    if (named.length > 0) {
      chosen.set(
        kind,
        named.map((argument) => relativeTo(kind, argument)),
      );
    } else if (isNamed || (positionals.length === 0 && kindPlans[kind].set === set)) {
      chosen.set(kind, filesOfWholeRun(kind));
    }
  }
  if (unknown.size > 0) {
    console.log(`There is no test ${[...unknown].join(', ')}. The kinds are: ${testKinds.join(', ')}.`);
    process.exit(1);
  }
  return chosen;
}

/**
 * @param {TestKind} kind
 * @param {string} file as given on the command line
 */
function relativeTo(kind, file) {
  return path.relative(path.join(repositoryRoot, kindPlans[kind].folder), path.resolve(file));
}
