/** What is looked at. `isCut`: the middle is missing, so that adding up what is there would be wrong. */
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
  /** None when they cannot be known for certain. */
  readonly counts: TestCounts | undefined;
  readonly failures: readonly ParsedFailure[];
}

export interface ParsedFailure {
  readonly name: string;
  readonly message: string;
  /** Where it may have happened, best first. */
  readonly places: readonly Place[];
}

/** As the report writes it: absolute, relative to somewhere, or a `file:` URL. */
export interface Place {
  readonly file: string;
  /** 1-based; none when only the file is known. */
  readonly line?: number | undefined;
}

/** `undefined` for text that is not of this parser's form. Never throws, whatever the text. */
export type ReportParser = (report: ReportText) => ParsedReport | undefined;

/** Bounds on everything that comes out of a report: it was written by code of the workspace. */
export const reportLimits = {
  failures: 200,
  nameLength: 500,
  messageLength: 4_000,
  places: 12,
  lineLength: 2_000,
  nesting: 64,
} as const;

/** Whole words only: half a secret is not known as one. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) {
    return text;
  }
  const end = Math.max(...[' ', '\n', '\t'].map((gap) => text.lastIndexOf(gap, length - 1)), 0);
  return `${text.slice(0, end).trimEnd()}…`;
}

/** A failure within the bounds, with the blank lines around its message gone. */
export function failure(name: string, message: string, places: readonly Place[]): ParsedFailure {
  return {
    name: shorten(name.replace(/\s+/g, ' ').trim(), reportLimits.nameLength) || '(unnamed)',
    message: shorten(trimBlankLines(message), reportLimits.messageLength),
    places: places.slice(0, reportLimits.places),
  };
}

function trimBlankLines(text: string): string {
  return text.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
}

/** Lines no longer than anything below can handle in linear time. */
export function linesOf(text: string): string[] {
  return text.split('\n').map((line) => (line.length > reportLimits.lineLength ? line.slice(0, reportLimits.lineLength) : line));
}

/** Without the indentation that all lines share. */
export function dedent(lines: readonly string[]): string {
  let shared: number = reportLimits.lineLength;
  for (const line of lines) {
    const text = line.trimStart();
    shared = text === '' ? shared : Math.min(shared, line.length - text.length);
  }
  return lines.map((line) => line.slice(shared)).join('\n');
}

/** A heading of a report and the lines that belong to it. */
export interface Block<T> {
  readonly heading: T;
  readonly below: readonly string[];
}

/** In one pass: a block goes on for as long as `isBelow` says so; only other lines can be headings. */
export function blocksIn<T extends object>(
  lines: readonly string[],
  headingOf: (line: string, previous: string) => T | undefined,
  isBelow: (line: string) => boolean,
): Block<T>[] {
  const blocks: Block<T>[] = [];
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

/** For reports that indent everything but their headings. */
export function isIndentedOrEmpty(line: string): boolean {
  return /^(?:\s|$)/.test(line);
}

/** Counts that stand in words, such as “2 failed | 1 passed” or “1 failed, 3 passed, 4 total”; zero for what is not there. */
export function countsIn(words: string): (name: string) => number {
  const counts = new Map<string, number>();
  for (const [, count, name = ''] of words.matchAll(/(?<!\d)(\d+) ([a-z]+)/g)) {
    if (!counts.has(name)) {
      counts.set(name, Number(count));
    }
  }
  return (name) => counts.get(name) ?? 0;
}
