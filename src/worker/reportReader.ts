import type { Log } from '../base/log.ts';
import type { ReadReport } from '../testRuns/readReport.ts';
import type { WorkerPool } from './workerPool.ts';

/** Reads large reports and outputs in the pool; what is given up is said in the log. */
export function reportReader(pool: WorkerPool, log: Log): ReadReport {
  const owner = {};
  return async (report) => {
    const outcome = await pool.run('readReport', report, { owner });
    if (outcome.kind === 'gaveUp') {
      log.warn(`Test results of ${report.text.length} characters were not read: it ${outcome.reason}.`);
      return { kind: 'gaveUp', reason: outcome.reason };
    }
    return { kind: 'read', report: outcome.result };
  };
}
