import { plainTextOf } from '../../base/terminalText.ts';

/** The text to parse. `isCut`: its middle is missing, so that adding up what is there would be wrong. */
export interface ReportText {
  readonly text: string;
  readonly isCut: boolean;
}

export type ReportFormat =
  | 'junit'
  | 'tap'
  | 'jestJson'
  | 'mochaJson'
  | 'goJson'
  | 'pytest'
  | 'unittest'
  | 'cargo'
  | 'vitest'
  | 'jest'
  | 'nodeSpec'
  | 'mocha'
  | 'go';

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface ParsedReport {
  readonly format: ReportFormat;
  /** The counts; `undefined` when they cannot be known for certain. */
  readonly counts: TestCounts | undefined;
  readonly failures: readonly ParsedFailure[];
  /** How many of those that passed are files which node:test counts as a test each, because no test in them ran. */
  readonly passedFiles?: number | undefined;
}

export interface ParsedFailure {
  readonly name: string;
  readonly message: string;
  /** Where the failure may have happened, the likeliest place first. */
  readonly places: readonly Place[];
}

/** A place as the report writes it: an absolute path, one relative to somewhere, or a `file:` URL. */
export interface Place {
  readonly file: string;
  /** The line, from 1; left out when only the file is known. */
  readonly line?: number | undefined;
}

/**
 * Joins the reports of runs whose output stands in one text, one after the other: their tests are different ones, and all of them
 * count. Where the middle of the text is missing, nobody knows of how many more runs.
 */
export function joinReports(reports: readonly ParsedReport[], isCut: boolean): ParsedReport | undefined {
  const [first, ...more] = reports;
  if (first === undefined || more.length === 0) {
    return first;
  }
  const known = reports.flatMap(({ counts }) => (counts === undefined ? [] : [counts]));
  const passedFiles = reports.reduce((total, report) => total + (report.passedFiles ?? 0), 0);
  return {
    format: first.format,
    counts: isCut || known.length < reports.length ? undefined : known.reduce(addCounts),
    failures: reports.flatMap(({ failures }) => failures).slice(0, reportLimits.failures),
    ...(passedFiles > 0 && { passedFiles }),
  };
}

export function addCounts(a: TestCounts, b: TestCounts): TestCounts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

/** Parses a text; the result is `undefined` for text that is not of this parser's form. Never throws, whatever the text. */
export type ReportParser = (report: ReportText) => ParsedReport | undefined;

/** Limits for everything that comes out of a report, because code of the workspace wrote it. */
export const reportLimits = {
  failures: 200,
  nameLength: 500,
  messageLength: 4_000,
  places: 12,
  lineLength: 2_000,
  nesting: 64,
} as const;

/** The text cut to this length, between words, and with a mark. */
export function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${upToWord(text, length).trimEnd()}…`;
}

/** The beginning of a text, up to the end of a word and before a key that goes on behind it: half a secret would not be recognised. */
export function upToWord(text: string, length: number): string {
  if (text.length <= length) {
    return text;
  }
  const end = Math.max(...[' ', '\n', '\t'].map((gap) => text.lastIndexOf(gap, length - 1)), 0);
  const kept = text.slice(0, end);
  const key = kept.lastIndexOf('-----BEGIN');
  return key > kept.lastIndexOf('-----END') ? kept.slice(0, key) : kept;
}

/** The name of what is inside a suite. It is cut, because everything inside repeats it. */
export function nameInside(suite: string | undefined, name: string): string {
  return upToWord(suite === undefined || suite === '' ? name : name === '' ? suite : `${suite} > ${name}`, reportLimits.lineLength);
}

/**
 * Makes a failure within the limits, without the blank lines around its message. A form made for programs can hold control characters
 * in writing of its own, such as \u001b in JSON, which nobody took out of the text.
 */
export function failure(name: string, message: string, places: readonly Place[]): ParsedFailure {
  return {
    name: shorten(plainTextOf(upToWord(name, maxRaw)).replace(/\s+/g, ' ').trim(), reportLimits.nameLength) || '(unnamed)',
    message: shorten(trimBlankLines(plainTextOf(upToWord(message, maxRaw))), reportLimits.messageLength),
    places: places.slice(0, reportLimits.places),
  };
}

/** The most characters that are looked at of a name or a message: colours can take many times its length. */
const maxRaw = 50_000;

function trimBlankLines(text: string): string {
  return text.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
}

/** Whether node:test gave the name of a file to a test that passed. */
export function isTestFile(name: string): boolean {
  return /^\S+\.[cm]?[jt]sx?$/.test(name);
}

/** The lines of a text, each cut, between words, to a length that every parser can handle quickly. */
export function linesOf(text: string): string[] {
  return text.split('\n').map((line) => (line.length > reportLimits.lineLength ? `${upToWord(line, reportLimits.lineLength)}…` : line));
}

/** The lines as one text, without the indentation that all of them share. */
export function dedent(lines: readonly string[]): string {
  let shared: number = reportLimits.lineLength;
  for (const line of lines) {
    const text = line.trimStart();
    shared = text === '' ? shared : Math.min(shared, line.length - text.length);
  }
  return lines.map((line) => line.slice(shared)).join('\n');
}

/** A heading of a report and the lines that belong to it. */
export interface ReportBlock<T> {
  readonly heading: T;
  readonly below: readonly string[];
}

/** Finds the blocks in one pass. A block goes on for as long as `isBelow` says so; only other lines can be headings. */
export function blocksIn<T extends object>(
  lines: readonly string[],
  headingOf: (line: string, previous: string) => T | undefined,
  isBelow: (line: string) => boolean,
): ReportBlock<T>[] {
  const blocks: ReportBlock<T>[] = [];
  let below: string[] | undefined;
  let previous = '';
  for (const line of lines) {
    if (below !== undefined && isBelow(line)) {
      below.push(line);
    } else {
      const heading = headingOf(line, previous);
      below = undefined;
      if (heading !== undefined) {
        below = [];
        blocks.push({ heading, below });
      }
    }
    previous = line;
  }
  return blocks;
}

/** Whether a line belongs to the block above it, in reports that indent everything but their headings. */
export function isIndentedOrEmpty(line: string): boolean {
  return /^(?:\s|$)/.test(line);
}

/**
 * Reads counts that stand in words, such as “2 failed | 1 passed” or “1 failed, 3 passed, 4 total”. What is not there counts as
 * zero.
 */
export function countsIn(words: string): (name: string) => number {
  const counts = new Map<string, number>();
  for (const [, count, name = ''] of words.matchAll(/(?<!\d)(\d+) ([a-z]+)/g)) {
    if (!counts.has(name)) {
      counts.set(name, Number(count));
    }
  }
  return (name) => counts.get(name) ?? 0;
}
