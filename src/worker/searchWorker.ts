// worker/: work on foreign patterns and texts that could take for ever, in a thread that can be stopped. A bundle of its own: it
// knows neither VS Code nor its owner, only the messages of contract/searchMessages.ts.
import { parentPort } from 'node:worker_threads';
import type { SearchThreadReport, SearchThreadRequest } from '../contract/searchMessages.ts';
import { filterPaths } from './filterPaths.ts';
import { searchTexts } from './searchTexts.ts';

/**
 * Runs in a thread of its own: patterns and file names are other people's, and a thread can be stopped in the middle of
 * a regular expression. It reports after every piece of work, so that its owner sees it live.
 */
parentPort?.on('message', (request: SearchThreadRequest) => {
  for (const report of answer(request)) {
    parentPort?.postMessage(report);
  }
});

function* answer(request: SearchThreadRequest): Generator<SearchThreadReport> {
  yield* request.kind === 'filter' ? filterPaths(request) : searchTexts(request);
  yield { kind: 'finished' };
}
