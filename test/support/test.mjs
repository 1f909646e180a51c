/**
 * `npm test`, or `npm test -- [kind…] [file…] [--grep TEXT]`: everything, the named kinds, or the named files.
 */
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';

import { buildStep, packageStep, runStep, staticSteps } from './run/buildSteps.mjs';
import { ensureDependencies } from './run/ensureDependencies.mjs';
import { repositoryRoot } from './run/repository.mjs';
import { runProcess } from './run/runProcess.mjs';
import { createTemporaryFolder, removeTemporaryFolder } from './run/temporaryFolder.mjs';
import { eventsFileVariable, readTestEvents } from './run/testEvents.mjs';
import { findTestFiles, kindPlans, kindProcesses, testKinds } from './run/testKinds.mjs';
import { judge, printSummary, summaryLine } from './run/testResults.mjs';

/** @typedef {import('./run/testKinds.mjs').TestKind} TestKind */
/** @typedef {import('./run/testResults.mjs').KindResult} KindResult */
/** @typedef {import('./run/buildSteps.mjs').Step} Step */

const { values, positionals } = parseArgs({ allowPositionals: true, options: { grep: { type: 'string' } } });
const grep = values.grep ?? '';

await ensureDependencies();
const results = await runEverything(chooseFiles());
printSummary(results);
process.exit(results.some((result) => result.failures.length > 0) ? 1 : 0);

/**
 * @param {ReadonlyMap<TestKind, readonly string[]>} filesByKind
 * @returns {Promise<KindResult[]>}
 */
async function runEverything(filesByKind) {
  /** @type {KindResult[]} */
  const done = [];
  if (positionals.length === 0 && grep === '') {
    done.push(await runStaticChecks());
  }
  const needs = new Set([...filesByKind].filter(([, files]) => files.length > 0).map(([kind]) => kindPlans[kind].needs));
  const made = new Set(['nothing']);
  if (needs.has('build') || needs.has('package')) {
    const result = await runBuild(needs.has('package') ? [buildStep, packageStep] : [buildStep]);
    [buildStep.name, packageStep.name].slice(0, result.passed).forEach((name) => made.add(name));
    done.push(result);
  }
  for (const [kind, files] of filesByKind) {
    if (files.length === 0) {
      console.log(`${kind}: there are no tests yet`);
    } else if (made.has(kindPlans[kind].needs)) {
      done.push(...(await runKind(kind, files)));
    } else {
      done.push({ label: kind, passed: 0, failures: ['not run, because the build failed'], skipped: 0, seconds: 0 });
    }
  }
  return done;
}

/** They only read, so they share the cores. @returns {Promise<KindResult>} */
async function runStaticChecks() {
  const start = performance.now();
  console.log(`static: ${staticSteps.map((step) => step.name).join(', ')} …`);
  const succeeded = await Promise.all(staticSteps.map(runStep));
  const failures = staticSteps.flatMap((step, index) => (succeeded[index] ? [] : [step.name]));
  return stepResult('static', staticSteps.length - failures.length, failures, start);
}

/**
 * Each step needs the one before.
 *
 * @param {readonly Step[]} steps
 * @returns {Promise<KindResult>}
 */
async function runBuild(steps) {
  const start = performance.now();
  for (const [index, step] of steps.entries()) {
    console.log(`build: ${step.name} …`);
    if (!(await runStep(step))) {
      return stepResult('build', index, [step.name], start);
    }
  }
  return stepResult('build', steps.length, [], start);
}

/**
 * @param {string} label
 * @param {number} passed
 * @param {readonly string[]} failures
 * @param {number} start
 * @returns {KindResult}
 */
function stepResult(label, passed, failures, start) {
  return { label, passed, failures, skipped: 0, seconds: (performance.now() - start) / 1000 };
}

/**
 * @param {TestKind} kind
 * @param {readonly string[]} files
 * @returns {Promise<KindResult[]>}
 */
async function runKind(kind, files) {
  const kindResults = [];
  for (const { label, nodeArguments } of kindProcesses(kind, files, grep)) {
    console.log(`\n${label}: ${files.length} files …`);
    const start = performance.now();
    const folder = createTemporaryFolder();
    const eventsFile = path.join(folder, 'events.jsonl');
    const processResult = await runProcess(process.execPath, nodeArguments, {
      cwd: repositoryRoot,
      env: { [eventsFileVariable]: eventsFile, DUPLEX_HOME: path.join(folder, 'home') },
      timeoutMilliseconds: kindPlans[kind].deadlineMilliseconds,
      output: 'show',
    });
    const judged = judge(label, readTestEvents(eventsFile), processResult, grep !== '');
    const result = { ...judged, seconds: (performance.now() - start) / 1000 };
    console.log(summaryLine(result));
    kindResults.push(result);
    await removeTemporaryFolder(folder);
  }
  return kindResults;
}

/**
 * What the command line asks for: kinds by name, single files by their path, and everything when it names nothing.
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
    } else if (isNamed || positionals.length === 0) {
      chosen.set(kind, existing);
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
