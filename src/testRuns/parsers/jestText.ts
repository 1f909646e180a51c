import { placesWithOwn } from './places.ts';
import { blocksIn, countsIn, dedent, failure, linesOf, type ParsedReport, type Place, reportLimits, type ReportText } from './report.ts';

/** Parses the output of Jest's default reporter. */
export function parseJestText({ text }: ReportText): ParsedReport | undefined {
  const lines = linesOf(text);
  const words = lines.find((line) => /^Tests:\s/.test(line) && line.trimEnd().endsWith(' total'));
  if (words === undefined || !lines.some((line) => line.startsWith('Test Suites:'))) {
    return undefined;
  }
  return reportInWords('jest', words, failedInJest(lines), placesOf);
}

function failedInJest(lines: readonly string[]): readonly FailedTest[] {
  let file = '';
  const headingOf = (line: string): { readonly file: string; readonly title: string } | undefined => {
    file = /^\s*FAIL\s+(?:\S+ )?(\S+?)(?: \([\d.]+ m?s\))?$/.exec(line)?.[1] ?? file;
    const title = /^ {2}● (.+)$/.exec(line)?.[1];
    return title === undefined || title === 'Console' ? undefined : { file, title };
  };
  const found = new Map<string, FailedTest>(); // long runs repeat all failures at the end
  for (const { heading, below } of blocksIn(lines, headingOf, (line) => !/^(?:\S| {2}● )/.test(line))) {
    const title = heading.title === 'Test suite failed to run' ? undefined : heading.title.replaceAll(' › ', ' > ');
    const key = `${heading.file}\n${title ?? heading.file}`;
    if (!found.has(key)) {
      found.set(key, { file: heading.file, title, below });
    }
  }
  return [...found.values()];
}

/** The places in a message. Stack frames are relative to Jest's root, but the header of a file to where Jest was started. */
function placesOf(message: string, file: string): readonly Place[] {
  return placesWithOwn(message, file).map((place) => (file.endsWith(`/${place.file}`) ? { ...place, file } : place));
}

/** Parses the output of Vitest's default reporter. */
export function parseVitestText({ text }: ReportText): ParsedReport | undefined {
  const lines = linesOf(text);
  const lineOf = (label: string): string | undefined => lines.find((line) => /^\s/.test(line) && line.trimStart().startsWith(`${label} `));
  // The duration is the last line: before it, there may be more to come.
  if (lineOf('Test Files') === undefined || lineOf('Duration') === undefined) {
    return undefined;
  }
  return reportInWords('vitest', lineOf('Tests') ?? '', failedInVitest(lines));
}

function failedInVitest(lines: readonly string[]): readonly FailedTest[] {
  const headingOf = (line: string): { readonly file: string; readonly title: string | undefined } | undefined => {
    const [, file, title] = /^ FAIL {2}(?:\|[^|]+\| )?(\S+)(?: > (.*)| \[ .* \])?$/.exec(line) ?? [];
    return file === undefined ? undefined : { file, title: title === '' ? undefined : title };
  };
  return blocksIn(lines, headingOf, (line) => !/^(?:⎯{3}| FAIL {2})/.test(line)).map(({ heading, below }) => ({ ...heading, below }));
}

/** A test that failed, as jest and vitest show it to people. */
interface FailedTest {
  readonly file: string;
  /** The title of the test; `undefined` when the file could not even be loaded. */
  readonly title: string | undefined;
  readonly below: readonly string[];
}

/** Makes a report of what Jest and Vitest say. They count their tests in words, and do not count a file that could not be loaded. */
function reportInWords(
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
