/**
 * Runs the test files named on the command line in plain Node, under tsx: `mochaProcess.mjs LEAKS TIMEOUT GREP FILE…`.
 * LEAKS is `checkLeaks` where a run must let go of everything it made, else anything.
 */
import process from 'node:process';

import { runMocha } from './mochaRun.mjs';
import { eventsFileVariable } from './testEvents.mjs';

const [leaks, timeout, grep, ...files] = process.argv.slice(2);

const failures = await runMocha({
  files,
  timeoutMilliseconds: Number(timeout),
  grep: grep || undefined,
  eventsFile: process.env[eventsFileVariable],
  ...(leaks === 'checkLeaks' ? { rootHooks: (await import('../leakCheck.ts')).mochaHooks } : {}),
});
// What a test left open would keep this process alive; whoever started it waits for its end.
process.exit(failures > 0 ? 1 : 0);
