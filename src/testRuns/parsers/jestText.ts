import { placesWithOwn } from './places.ts';
import {
  blocksIn,
  countsIn,
  dedent,
  failure,
  joinReports,
  linesOf,
  type ParsedReport,
  type Place,
  reportLimits,
  type ReportText,
} from './report.ts';

/** Parses the output of Jest's default reporter. */
export function parseJestText({ text, isCut }: ReportText): ParsedReport | undefined {
  const runs = jestRunsIn(linesOf(text)).map(({ words, lines }) => reportInWords('jest', words, failedInJest(lines), placesOf));
  return joinReports(runs, isCut);
}

/** The output of one run, and the words in which it says its counts. */
interface RunInWords {
  readonly words: string;
  readonly lines: readonly string[];
}

/**
 * The runs in an output, each up to its summary. In a terminal Jest shows a summary all the time, below the files that RUN, and writes
 * over it: there only the one is a run's that stands before its last line.
 */
function jestRunsIn(lines: readonly string[]): readonly RunInWords[] {
  const runs: RunInWords[] = [];
  let start = 0;
  let [hasSuites, isLive] = [false, false];
  let words: string | undefined;
  lines.forEach((line, index) => {
    hasSuites ||= line.startsWith('Test Suites:');
    isLive ||= /^ ?RUNS {2}\S/.test(line);
    words = hasSuites && /^Tests:\s/.test(line) && line.trimEnd().endsWith(' total') ? line : words;
    const isOver = !isLive || index === lines.length - 1 || /^(?:Ran all test suites|Test run was interrupted)/.test(line);
    if (words !== undefined && isOver) {
      runs.push({ words, lines: lines.slice(start, index + 1) });
      start = index + 1;
      [hasSuites, isLive, words] = [false, false, undefined];
    }
  });
  return runs;
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
export function parseVitestText({ text, isCut }: ReportText): ParsedReport | undefined {
  const runs = vitestRunsIn(linesOf(text)).map(({ words, lines }) => reportInWords('vitest', words, failedInVitest(lines)));
  return joinReports(runs, isCut);
}

/**
 * The runs in an output, each up to the duration, which is the last line of its summary. The summary that Vitest shows in a terminal
 * while it runs has one space behind each label, and no run ends there.
 */
function vitestRunsIn(lines: readonly string[]): readonly RunInWords[] {
  const runs: RunInWords[] = [];
  let start = 0;
  let words: string | undefined;
  lines.forEach((line, index) => {
    const [, label, rest = ''] = /^\s+(Test Files|Tests|Duration) {2}(.*)$/.exec(line) ?? [];
    words = label === 'Test Files' ? '' : label === 'Tests' && words !== undefined ? rest : words;
    if (label === 'Duration' && words !== undefined) {
      runs.push({ words, lines: lines.slice(start, index + 1) });
      start = index + 1;
      words = undefined;
    }
  });
  return runs;
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
