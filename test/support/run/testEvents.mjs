import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/**
 * What a test run reports to whoever started it: one JSON object per line, so that a crash loses nothing.
 *
 * @typedef {{ readonly kind: 'passed' | 'skipped', readonly title: string }
 *   | { readonly kind: 'failed', readonly title: string, readonly message: string, readonly places: readonly string[] }
 *   | { readonly kind: 'ended' }} TestEvent
 */

/** The environment variable with the file of the events. */
export const eventsFileVariable = 'DUPLEX_TEST_EVENTS';

/**
 * @param {string} file
 * @param {TestEvent} event
 */
export function appendTestEvent(file, event) {
  appendFileSync(file, `${JSON.stringify(event)}\n`);
}

/**
 * @param {string} file
 * @returns {TestEvent[]}
 */
export function readTestEvents(file) {
  if (!existsSync(file)) {
    return [];
  }
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}
