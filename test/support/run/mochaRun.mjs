import Mocha from 'mocha';

import { appendTestEvent } from './testEvents.mjs';

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
  run.files.forEach((file) => mocha.addFile(file));
  await mocha.loadFilesAsync();
  const { eventsFile } = run;
  return new Promise((resolve) => {
    const runner = mocha.run(resolve);
    if (eventsFile !== undefined) {
      runner.on('pass', (test) => appendTestEvent(eventsFile, { kind: 'passed', title: test.fullTitle() }));
      runner.on('pending', (test) => appendTestEvent(eventsFile, { kind: 'skipped', title: test.fullTitle() }));
      runner.on('fail', (test, error) =>
        appendTestEvent(eventsFile, { kind: 'failed', title: test.fullTitle(), message: String(error?.message ?? error) }),
      );
      runner.once('end', () => appendTestEvent(eventsFile, { kind: 'ended' }));
    }
  });
}
