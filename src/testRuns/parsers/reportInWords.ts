import { placesWithOwn } from './places.ts';
import { dedent, failure, reportLimits, type ParsedReport, type Place } from './report.ts';
import { countsIn } from './summaryWords.ts';

/** A test that failed, as jest and vitest show it to people. */
export interface FailedTest {
  readonly file: string;
  /** None when the file could not even be loaded. */
  readonly title: string | undefined;
  readonly below: readonly string[];
}

/** Jest and vitest count their tests in words, and do not count a file that could not be loaded. */
export function reportInWords(
  format: 'jest' | 'vitest',
  words: string,
  failed: readonly FailedTest[],
  placesOf: (message: string, file: string) => readonly Place[] = placesWithOwn,
): ParsedReport {
  const count = countsIn(words);
  const brokenFiles = failed.filter(({ title }) => title === undefined).length;
  return {
    format,
    counts: { passed: count('passed'), failed: count('failed') + brokenFiles, skipped: count('skipped') + count('todo') },
    failures: failed.slice(0, reportLimits.failures).map(({ file, title, below }) => {
      const message = dedent(below);
      return failure(title ?? file, message, placesOf(message, file));
    }),
  };
}
