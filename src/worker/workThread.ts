// worker/: work on foreign patterns, schemas and texts that could take for ever, in threads that can be stopped, and starting
// programs. This file is the program of all such threads, a bundle of its own; workerPool.ts is the end of a pool of them in the
// extension host. What runs in a thread knows neither VS Code nor its owner.
import type { SearchJobs } from '../contract/searchMessages.ts';
import { serveJobs } from '../platform/processes/jobThread.ts';
import type { ProgramJobs } from '../platform/processes/runProgram.ts';
import type { PoolJobs } from './workerPool.ts';

/** The code of each kind of job is loaded with its first job, because most threads do one kind only. */
serveJobs<SearchJobs & PoolJobs & ProgramJobs>({
  filterPaths: async () => {
    const { filterPaths } = await import('./searchTexts.ts');
    return (job, { tell }) => tellEach(filterPaths(job), tell);
  },
  searchTexts: async () => {
    const { searchTexts } = await import('./searchTexts.ts');
    return (job, { tell }) => tellEach(searchTexts(job), tell);
  },
  checkSchema: async () => (await import('./checkSchema.ts')).checkSchema,
  readReport: async () => {
    const { parseReport } = await import('../testRuns/parsers/parseReport.ts');
    const { toPlainText } = await import('../base/terminalText.ts');
    return (report) => parseReport({ ...report, text: toPlainText(report.text) });
  },
  runProgram: async () => (await import('../platform/processes/runProgram.ts')).runProgramJob,
});

function tellEach<Part>(parts: Iterable<Part>, tell: (part: Part) => void): undefined {
  for (const part of parts) {
    tell(part);
  }
}
