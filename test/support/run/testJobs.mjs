import path from 'node:path';
import process from 'node:process';

import { runStep, staticSteps } from './buildSteps.mjs';
import { marksVariable, repeatVariable } from './releaseMarks.mjs';
import { repositoryRoot } from './repository.mjs';
import { runProcess } from './runProcess.mjs';
import { createTemporaryFolder, removeTemporaryFolder } from './temporaryFolder.mjs';
import { eventsFileVariable, readTestEvents } from './testEvents.mjs';
import { kindPlans, kindProcesses, marksOfWholeRun } from './testKinds.mjs';
import { judge, stepResult, summaryLine } from './testResults.mjs';
import { fingerprintOfSources, havePassed, rememberPassed } from './unchanged.mjs';

/** @typedef {import('./testKinds.mjs').TestKind} TestKind */
/** @typedef {import('./testKinds.mjs').KindProcess} KindProcess */
/** @typedef {import('./testResults.mjs').KindResult} KindResult */

/**
 * A part of the tests that shares nothing with the others, so that it can run beside them.
 *
 * @typedef {object} TestJob
 * @property {string} label
 * @property {import('./testKinds.mjs').KindPlan['needs']} needs
 * @property {number} usualSeconds how long it takes on two cores, roughly: the longest begins first
 * @property {number} lanes how much of the machine it takes
 * @property {(output: 'show' | 'capture') => Promise<KindResult>} run
 */

/** One after the other: each reads the whole tree, and beside them other jobs run. @type {TestJob} */
export const staticJob = { label: 'static', needs: 'nothing', usualSeconds: 140, lanes: 0.33, run: runStaticChecks };

/**
 * @param {TestKind} kind
 * @param {readonly string[]} files
 * @param {string} grep
 * @param {boolean} isWhole whether it is what a whole run of the kind has, and not what somebody named
 * @param {number} repeat how often to run each test
 * @returns {TestJob[]}
 */
export function jobsOfKind(kind, files, grep, isWhole, repeat) {
  const { needs, lanes } = kindPlans[kind];
  return kindProcesses(kind, files, grep).map((each) => ({
    label: each.label,
    needs,
    lanes,
    usualSeconds: each.usualSeconds,
    run: (output) => runTests(kind, each, { mayBeEmpty: grep !== '', marks: isWhole ? marksOfWholeRun(kind) : '', repeat }, output),
  }));
}

/** The same files give the same result, so that checks of what has passed and not changed are not repeated. @returns {Promise<KindResult>} */
async function runStaticChecks() {
  const start = performance.now();
  const fingerprint = fingerprintOfSources();
  if (havePassed(fingerprint)) {
    console.log('static: no file has changed since all checks passed');
    return stepResult('static', staticSteps.length, [], start);
  }
  /** @type {string[]} */
  const failures = [];
  for (const step of staticSteps) {
    if (!(await runStep(step))) {
      failures.push(step.name);
    }
  }
  if (failures.length === 0 && fingerprintOfSources() === fingerprint) {
    rememberPassed(fingerprint);
  }
  const result = stepResult('static', staticSteps.length - failures.length, failures, start);
  console.log(summaryLine(result));
  return result;
}

/**
 * @param {TestKind} kind
 * @param {KindProcess} kindProcess
 * @param {{ mayBeEmpty: boolean, marks: string, repeat: number }} which
 * @param {'show' | 'capture'} output
 * @returns {Promise<KindResult>}
 */
async function runTests(kind, { label, nodeArguments }, { mayBeEmpty, marks, repeat }, output) {
  const start = performance.now();
  const folder = createTemporaryFolder();
  const eventsFile = path.join(folder, 'events.jsonl');
  const processResult = await runProcess(process.execPath, nodeArguments, {
    cwd: repositoryRoot,
    env: {
      [eventsFileVariable]: eventsFile,
      [marksVariable]: marks,
      [repeatVariable]: String(repeat),
      DUPLEX_HOME: path.join(folder, 'home'),
    },
    timeoutMilliseconds: kindPlans[kind].deadlineMinutes * 60_000,
    output,
  });
  const judged = judge(label, readTestEvents(eventsFile), processResult, mayBeEmpty);
  const result = { ...judged, seconds: (performance.now() - start) / 1000 };
  console.log(`${processResult.output}\n${summaryLine(result)}`);
  await removeTemporaryFolder(folder);
  return result;
}
