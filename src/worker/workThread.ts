import { parentPort } from 'node:worker_threads';
import { messageOf } from '../base/errors.ts';
import { toPlainText } from '../base/terminalText.ts';
import { parseReport } from '../testRuns/parsers/parseReport.ts';
import { checkSchema } from './checkSchema.ts';
import type { WorkReply, WorkRequest } from './workerPool.ts';

/** A thread of the pool: one piece of work at a time, ended from outside when it takes too long. A bundle of its own. */
parentPort?.on('message', (request: WorkRequest) => {
  const reply = (message: WorkReply): void => parentPort?.postMessage(message);
  reply({ kind: 'begun' });
  try {
    reply({ kind: 'done', result: answer(request) });
  } catch (error) {
    reply({ kind: 'failed', reason: messageOf(error).slice(0, 500) });
  }
});

function answer(request: WorkRequest): unknown {
  switch (request.kind) {
    case 'checkSchema':
      return checkSchema(request.job);
    case 'readReport':
      return parseReport({ ...request.job, text: toPlainText(request.job.text) });
  }
}
