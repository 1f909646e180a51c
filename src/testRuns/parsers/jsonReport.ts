import * as z from 'zod';
import { plainTextOf } from '../../base/terminalText.ts';
import { placesWithOwn } from './places.ts';
import { failure, reportLimits, type ParsedFailure, type ParsedReport, type ReportText } from './report.ts';

const count = z.int().min(0).catch(0);

const assertion = z.object({
  fullName: z.string().optional().catch(undefined),
  title: z.string().catch(''),
  ancestorTitles: z.array(z.string()).catch([]),
  status: z.string().catch(''),
  failureMessages: z.array(z.string()).nullable().catch(null),
  location: z.object({ line: z.number() }).nullish().catch(null),
});

const jestReport = z.object({
  numPassedTests: z.int().min(0),
  numFailedTests: z.int().min(0),
  numPendingTests: count,
  numTodoTests: count,
  testResults: z.array(
    z.object({
      name: z.string().catch(''),
      status: z.string().catch(''),
      message: z.string().catch(''),
      assertionResults: z.array(assertion).catch([]),
    }),
  ),
});
type JestFile = z.infer<typeof jestReport>['testResults'][number];

const mochaTest = z.object({
  fullTitle: z.string().catch(''),
  title: z.string().catch(''),
  file: z.string().nullish().catch(null),
  err: z.object({ message: z.string().catch(''), stack: z.string().catch('') }).catch({ message: '', stack: '' }),
});

const mochaReport = z.object({
  stats: z.object({ passes: z.int().min(0), failures: z.int().min(0), pending: count }),
  failures: z.array(mochaTest).catch([]),
});

/** Parses the JSON of Jest and Vitest, and of Mocha, also with other output before and after. */
export function parseJsonReport({ text, isCut }: ReportText): ParsedReport | undefined {
  const value = isCut ? undefined : jsonIn(text);
  if (value === undefined) {
    return undefined;
  }
  const jest = jestReport.safeParse(value);
  if (jest.success) {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = jest.data;
    const failures = testResults.flatMap(failuresOfFile);
    const brokenFiles = testResults.filter(isBrokenFile).length;
    const counts = { passed: numPassedTests, failed: numFailedTests + brokenFiles, skipped: numPendingTests + numTodoTests };
    return { format: 'jestJson', counts, failures: failures.slice(0, reportLimits.failures) };
  }
  const mocha = mochaReport.safeParse(value);
  if (mocha.success) {
    const { stats, failures } = mocha.data;
    const counts = { passed: stats.passes, failed: stats.failures, skipped: stats.pending };
    return { format: 'mochaJson', counts, failures: failures.slice(0, reportLimits.failures).map(failureOfMocha) };
  }
  return undefined;
}

/** The JSON in a text: the outermost object that starts and ends at the edge of a line. */
function jsonIn(text: string): unknown {
  const ends = [...text.matchAll(/\}[ \t]*$/gm)].at(-1)?.index;
  if (ends === undefined) {
    return undefined;
  }
  let tries = 0;
  for (const { index } of text.matchAll(/^\{/gm)) {
    if ((tries += 1) > 5) {
      return undefined;
    }
    try {
      return JSON.parse(text.slice(index, ends + 1)) as unknown;
    } catch {
      // Something else that begins with a brace.
    }
  }
  return undefined;
}

/** Whether the file could not even be loaded: no test of it ran, so none is counted as failed. */
function isBrokenFile({ status, assertionResults }: JestFile): boolean {
  return status === 'failed' && !assertionResults.some((entry) => entry.status === 'failed');
}

function failuresOfFile(file: JestFile): ParsedFailure[] {
  if (isBrokenFile(file)) {
    const message = plainTextOf(file.message);
    return [failure(file.name.split(/[\\/]/).at(-1) ?? file.name, message, placesWithOwn(message, file.name))];
  }
  return file.assertionResults
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, ancestorTitles, title, failureMessages, location }) => {
      const name =
        ancestorTitles.length > 0 || title !== '' ? [...ancestorTitles, title].filter((part) => part !== '').join(' > ') : fullName;
      const message = plainTextOf((failureMessages ?? []).join('\n'));
      return failure(name ?? '', message, placesWithOwn(message, file.name, location?.line));
    });
}

function failureOfMocha({ fullTitle, title, file, err }: z.infer<typeof mochaTest>): ParsedFailure {
  const message = err.stack.includes(err.message) ? err.stack : `${err.message}\n${err.stack}`;
  return failure(fullTitle || title, message, placesWithOwn(plainTextOf(err.stack), file ?? undefined));
}
