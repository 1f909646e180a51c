import type { TestRun } from '../../../testRuns/testRun.ts';
import type { TestsPort } from '../ports/testsPort.ts';
import type { Visibility } from './visibility.ts';

/** Runs without the secrets in their text, and without the names of withheld files as places. */
export function withholdingTests(tests: TestsPort, visibility: Visibility): TestsPort {
  const seen = (run: TestRun): TestRun => seenRun(run, visibility);
  return {
    listRuns: () => tests.listRuns().map((run) => ({ ...run, command: visibility.redact(run.command) })),
    findRun: (id) => {
      const run = tests.findRun(id);
      return run === undefined ? undefined : seen(run);
    },
    latestId: () => tests.latestId(),
    onDidChangeRun: tests.onDidChangeRun,
    onDidChangeRuns: tests.onDidChangeRuns,
    plan: (filter) => tests.plan(filter),
    start: async (plan) => {
      const started = await tests.start(plan);
      return { id: started.id, ended: started.ended.then(seen), cancel: () => started.cancel() };
    },
    begin: (start) => {
      const recorder = tests.begin(start);
      return { id: recorder.id, write: (text) => recorder.write(text), end: async (end) => seen(await recorder.end(end)) };
    },
  };
}

function seenRun(run: TestRun, visibility: Visibility): TestRun {
  const redact = (text: string): string => visibility.redact(text);
  return {
    ...run,
    command: redact(run.command),
    failures: run.failures.map(({ name, message, path, line }) => ({
      name: redact(name),
      message: redact(message),
      ...(path !== undefined && visibility.isShown(path) && { path, ...(line !== undefined && { line }) }),
    })),
    output: redact(run.output),
  };
}
