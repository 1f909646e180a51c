import { readdir } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { format } from 'node:util';

import Mocha from 'mocha';

import { testOutputMark } from '../support/editor/testOutput.mjs';
import { runMocha } from '../support/run/mochaRun.mjs';
import { eventsFileVariable } from '../support/run/testEvents.mjs';

const testMilliseconds = 90_000;

/** VS Code calls this in the extension host; a rejection makes it exit with an error. */
export async function run(): Promise<void> {
  Mocha.reporters.Base.consoleLog = (...args: unknown[]) => console.log(`${testOutputMark}${format(...args)}`);
  const failures = await runMocha({
    files: await chosenTestFiles(),
    timeoutMilliseconds: testMilliseconds,
    grep: process.env['DUPLEX_TEST_GREP'],
    eventsFile: process.env[eventsFileVariable],
  });
  if (failures > 0) {
    throw new Error(`${failures} tests failed.`);
  }
}

/** The runner names the files that belong to this window, relative to this folder; without it, all of them run. */
async function chosenTestFiles(): Promise<string[]> {
  const folder = path.dirname(fileURLToPath(import.meta.url));
  const chosen = process.env['DUPLEX_TEST_FILES'];
  const files = chosen === undefined ? await readdir(folder, { recursive: true }) : chosen.split(path.delimiter);
  return files
    .filter((file) => file.endsWith('.test.js'))
    .sort()
    .map((file) => path.join(folder, file));
}
