import { appendFileSync } from 'node:fs';
import process from 'node:process';

/** Marks the lines of the test report among everything that VS Code itself writes to its console. */
export const testOutputMark = '[test] ';

/** The environment variable with the file that keeps the whole console. */
export const consoleFileVariable = 'DUPLEX_TEST_CONSOLE';

/**
 * Shows the test report and files the rest, which is many screens of VS Code's own business.
 *
 * @param {string} type
 * @param {readonly unknown[]} args
 */
export function relayTestOutput(type, args) {
  const text = args.map(String).join(' ');
  if (text.startsWith(testOutputMark)) {
    process.stdout.write(`${text.slice(testOutputMark.length)}\n`);
  }
  const consoleFile = process.env[consoleFileVariable];
  if (consoleFile !== undefined) {
    appendFileSync(consoleFile, `[${type}] ${text}\n`);
  }
}
