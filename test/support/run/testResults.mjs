import { appendFileSync } from 'node:fs';
import process from 'node:process';

/**
 * @typedef {object} KindResult
 * @property {string} label
 * @property {number} passed
 * @property {readonly string[]} failures one sentence each
 * @property {number} skipped
 * @property {number} seconds
 */

/** @typedef {import('./testEvents.mjs').TestEvent} TestEvent */
/** @typedef {import('./runProcess.mjs').RunResult} RunResult */

/**
 * Reads off what happened, and takes everything that is not plainly a success for a failure.
 *
 * @param {string} label
 * @param {readonly TestEvent[]} events
 * @param {Pick<RunResult, 'exitCode' | 'timedOut'>} processResult
 * @param {boolean} mayBeEmpty
 * @returns {Omit<KindResult, 'seconds'>}
 */
export function judge(label, events, processResult, mayBeEmpty) {
  const count = (/** @type {TestEvent['kind']} */ kind) => events.filter((event) => event.kind === kind).length;
  const failures = events.flatMap((event) => (event.kind === 'failed' ? [failureText(event)] : []));
  if (processResult.timedOut) {
    failures.push('the tests did not finish in time');
  } else if (count('ended') === 0) {
    failures.push(`the tests ended early with exit code ${processResult.exitCode}`);
  } else if (processResult.exitCode !== 0 && failures.length === 0) {
    failures.push(`exit code ${processResult.exitCode} although no test failed`);
  } else if (count('passed') + count('skipped') + failures.length === 0 && !mayBeEmpty) {
    failures.push('no test ran');
  }
  return { label, passed: count('passed'), failures, skipped: count('skipped') };
}

/**
 * A line that can stand alone: whoever reads only the summary finds the place.
 *
 * @param {Extract<TestEvent, { kind: 'failed' }>} event
 */
function failureText({ title, message, places }) {
  const [first, ...rest] = message.split('\n');
  // What Playwright waited for stands in its log.
  const waited = rest.find((line) => line.includes('waiting for'))?.trim();
  return [`${title}: ${first}`, ...(waited === undefined ? [] : [waited]), ...places.map((place) => `at ${place}`)].join(' · ');
}

/**
 * The result of steps that are no tests.
 *
 * @param {string} label
 * @param {number} passed
 * @param {readonly string[]} failures
 * @param {number} start as `performance.now` said it
 * @returns {KindResult}
 */
export function stepResult(label, passed, failures, start) {
  return { label, passed, failures, skipped: 0, seconds: (performance.now() - start) / 1000 };
}

/** @param {KindResult} result */
export function summaryLine(result) {
  const skipped = result.skipped > 0 ? `, ${result.skipped} skipped` : '';
  const counts = `${result.passed} passed, ${result.failures.length} failed${skipped}`;
  return `${result.label}: ${counts} (${result.seconds.toFixed(1)} s)`;
}

/**
 * Which tests failed, one summary for each kind, and alone on the last line the sum.
 *
 * @param {readonly KindResult[]} results
 */
export function printSummary(results) {
  const failures = results.flatMap(({ label, failures: each }) => each.map((failure) => `  ${label}: ${firstLine(failure)}`));
  if (failures.length > 0) {
    console.log(`\nFailed:\n${failures.join('\n')}`);
  }
  console.log(`\n${results.map(summaryLine).join('\n')}\n`);
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const sum = `${passed} passed, ${failures.length} failed`;
  console.log(sum);
  const sumsFile = process.env['DUPLEX_TEST_SUMS'];
  if (sumsFile) {
    appendFileSync(sumsFile, `${[...failures, sum].join('\n')}\n`); // for whoever adds up several runs
  }
}

/** @param {string} text */
function firstLine(text) {
  return text.split('\n', 1)[0];
}
