import process from 'node:process';
import { pathToFileURL } from 'node:url';

import Mocha from 'mocha';

import { appendTestEvent } from './testEvents.mjs';
import { isRunBy, marksVariable, repeatVariable } from './releaseMarks.mjs';

/**
 * @typedef {object} MochaRun
 * @property {readonly string[]} files
 * @property {number} timeoutMilliseconds for each test
 * @property {string | undefined} grep
 * @property {string | undefined} eventsFile
 * @property {import('mocha').RootHookObject} [rootHooks]
 */

/**
 * Runs test files in this process, be it Node or VS Code's extension host.
 *
 * @param {MochaRun} run
 * @returns {Promise<number>} how many failed
 */
export async function runMocha(run) {
  const mocha = new Mocha({
    ui: 'bdd',
    reporter: 'spec',
    timeout: run.timeoutMilliseconds,
    // A forgotten `.only` would silently skip everything else.
    forbidOnly: run.grep === undefined,
    ...(run.grep === undefined ? {} : { grep: run.grep }),
    ...(run.rootHooks === undefined ? {} : { rootHooks: run.rootHooks }),
  });
  for (const file of run.files) {
    await importTestFile(mocha, file);
  }
  leaveOut(mocha.suite, process.env[marksVariable]);
  repeatTests(mocha.suite, Number(process.env[repeatVariable] ?? 1));
  const { eventsFile } = run;
  return new Promise((resolve) => {
    const runner = mocha.run(resolve);
    if (eventsFile !== undefined) {
      runner.on('pass', (test) => appendTestEvent(eventsFile, { kind: 'passed', title: test.fullTitle() }));
      runner.on('pending', (test) => appendTestEvent(eventsFile, { kind: 'skipped', title: test.fullTitle() }));
      runner.on('fail', (test, error) =>
        appendTestEvent(eventsFile, {
          kind: 'failed',
          title: test.fullTitle(),
          message: String(error?.message ?? error),
          places: placesIn(String(error?.stack ?? '')),
        }),
      );
      runner.once('end', () => appendTestEvent(eventsFile, { kind: 'ended' }));
    }
  });
}

/**
 * Tests that another set runs. A suite that has none left runs no hook either.
 *
 * @param {import('mocha').Suite} suite
 * @param {string | undefined} marks
 */
function leaveOut(suite, marks) {
  suite.tests = suite.tests.filter((test) => isRunBy(marks, test.file ?? '', test.title));
  suite.suites.forEach((inner) => leaveOut(inner, marks));
}

/**
 * Has the tests of each suite run several times, round after round, between one preparation of the suite and one tidying up: what
 * prepares each single test runs for each of them.
 *
 * @param {import('mocha').Suite} suite
 * @param {number} times
 */
export function repeatTests(suite, times) {
  const once = [...suite.tests];
  for (let round = 1; round < times; round++) {
    suite.tests.push(...once.map((test) => test.clone())); // `addTest` would give them the time limit of the suite
  }
  suite.suites.forEach((inner) => repeatTests(inner, times));
}

/**
 * Where in the tests an error came from, innermost first.
 *
 * @param {string} stack
 */
function placesIn(stack) {
  return [...stack.matchAll(/\btest\/[\w./-]+:\d+/g)].map(([place]) => place).slice(0, 4);
}

/**
 * What mocha itself does with a file, but it would `require` it: then every module of ours that both a test and the leak
 * check import would exist twice, and the check would watch the one that no test uses.
 *
 * @param {Mocha} mocha
 * @param {string} file
 */
async function importTestFile(mocha, file) {
  const { EVENT_FILE_PRE_REQUIRE, EVENT_FILE_REQUIRE, EVENT_FILE_POST_REQUIRE } = Mocha.Suite.constants;
  mocha.suite.emit(EVENT_FILE_PRE_REQUIRE, globalThis, file, mocha);
  const exported = await import(pathToFileURL(file).href);
  mocha.suite.emit(EVENT_FILE_REQUIRE, exported, file, mocha);
  mocha.suite.emit(EVENT_FILE_POST_REQUIRE, globalThis, file, mocha);
}
