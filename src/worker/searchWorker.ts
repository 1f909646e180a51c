// worker/: work on foreign patterns, schemas and texts that could take for ever, in threads that can be stopped. workerPool.ts is
// the pool's end in the extension host, workThread.ts the program of its threads; this file is a program of its own for searches,
// which report as they go. Programs know neither VS Code nor their owner.
import { parentPort } from 'node:worker_threads';
import {
  maxWaitingReports,
  type SearchThreadOrder,
  type SearchThreadReport,
  type SearchThreadRequest,
} from '../contract/searchMessages.ts';
import { filterPaths, searchTexts } from './searchTexts.ts';

/**
 * Runs in a thread of its own: patterns and file names are other people's, and a thread can be stopped in the middle of
 * a regular expression. It reports after every piece of work, so that its owner sees it live.
 */
parentPort?.on('message', ({ request, taken }: SearchThreadOrder) => {
  let sent = 0;
  for (const report of answer(request)) {
    waitForRoom(taken, sent);
    parentPort?.postMessage(report);
    sent += 1;
  }
});

/** Until all but a few of the reports were taken: whoever takes them works on all that wait, and holds others up meanwhile. */
function waitForRoom(taken: SearchThreadOrder['taken'], sent: number): void {
  for (let done = Atomics.load(taken, 0); sent - done >= maxWaitingReports; done = Atomics.load(taken, 0)) {
    Atomics.wait(taken, 0, done);
  }
}

function* answer(request: SearchThreadRequest): Generator<SearchThreadReport> {
  yield* request.kind === 'filter' ? filterPaths(request) : searchTexts(request);
  yield { kind: 'finished' };
}
