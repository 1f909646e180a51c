// parsers/: the text of a report, or the output of a test program, becomes counts, failures and places. One file for each family of
// forms; all read foreign text in a single pass, within the limits of report.ts.
import { toPlainText } from '../../base/terminalText.ts';
import { parseCargo } from './cargo.ts';
import { parseGoJson, parseGoText } from './goTest.ts';
import { parseJestText, parseVitestText } from './jestText.ts';
import { parseJsonReport } from './jsonReport.ts';
import { parseJunit } from './junit.ts';
import { parsePytest, withoutPrinted } from './pytest.ts';
import { joinReports, type ParsedReport, type ReportParser, type ReportText } from './report.ts';
import { parseMochaSpec, parseNodeSpec } from './specText.ts';
import { parseTap } from './tap.ts';
import { parseUnittest } from './unittest.ts';

/** The parsers of forms made for programs, which come first: they cannot be mistaken, and a form made for people may stand inside them. */
const parsersOfWhole: readonly ReportParser[] = [parseJunit, parseJsonReport, parseGoJson];

/** The parsers of what scrolls by. Of these, one text can hold several forms: the packages of a workspace use different programs. */
const parsersOfRuns: readonly ReportParser[] = [
  parseTap,
  parsePytest,
  parseUnittest,
  parseCargo,
  parseVitestText,
  parseJestText,
  parseNodeSpec,
  parseMochaSpec,
  parseGoText,
];

/** Parses plain text (no ANSI codes); the result is `undefined` when it is of no known form. */
export function parseReport(report: ReportText): ParsedReport | undefined {
  for (const parse of parsersOfWhole) {
    const parsed = attempt(parse, report);
    if (parsed !== undefined) {
      return parsed;
    }
  }
  const [latest = '', before] = watchedRuns(report.text);
  return parseRuns({ ...report, text: latest }) ?? (before === undefined ? undefined : parseRuns({ ...report, text: before }));
}

function parseRuns(report: ReportText): ParsedReport | undefined {
  const pytest = attempt(parsePytest, report);
  // What a failed test of pytest printed may be the output of any program that the test started.
  const others = pytest === undefined ? report : { ...report, text: withoutPrinted(report.text) };
  const parsed = parsersOfRuns.flatMap((parse) => (parse === parsePytest ? pytest : attempt(parse, others)) ?? []);
  return joinReports(parsed, report.isCut);
}

/**
 * Matches the line by which a program says that it watches, and runs its tests again when something changes: one line a run, before
 * or after it.
 */
const watches =
  /^(?: (?:PASS|FAIL) {2}.{0,40}(?:Waiting|Watching) for file changes|.{0,4}\[mocha\] waiting for changes|Watch Usage|#+ waiting for changes #|Restarted at \d.{4,12} \d?\d:\d\d|\[Finished running\. Exit status: |\[nodemon\] starting |\[{1,2}Running: |\[[^\][]{8,40}\] Running: |Press w to show menu)/gm;

/**
 * The last two runs of a program that watches, the newest first: it runs the same tests again and again, and only how they went last
 * is true. The newest one may have just begun, or be all that follows a run that ended.
 */
function watchedRuns(text: string): readonly string[] {
  const starts = [0, ...[...text.matchAll(watches)].map(({ index }) => index)].slice(-2);
  return starts.map((start, at) => text.slice(start, starts[at + 1])).reverse();
}

/** Tries one parser. Whatever a program of the workspace wrote, reading it must not end a run without a result. */
function attempt(parse: ReportParser, report: ReportText): ParsedReport | undefined {
  try {
    return parse(report);
  } catch {
    return undefined;
  }
}

/** What came of reading a text; `report` is undefined for one that is of no known form. */
export type ReportReading =
  | { readonly kind: 'read'; readonly report: ParsedReport | undefined }
  /** The reading took too long or failed. `reason` is the rest of a sentence: "it …". */
  | { readonly kind: 'gaveUp'; readonly reason: string };

/** A port that reads a text of any length, ANSI codes and all, without holding anybody up. */
export type ReadReport = (report: ReportText) => Promise<ReportReading>;

/** The most characters that are read at once, while everybody waits. */
export const maxCharactersAtOnce = 250_000;
/** The most lines that are read at once: every parser looks at each, also at an empty one. */
const maxLinesAtOnce = 10_000;

/** Whether a text can be read at once, while everybody waits. */
export function isReadAtOnce(text: string): boolean {
  if (text.length > maxCharactersAtOnce) {
    return false;
  }
  let lines = 0;
  for (let end = text.indexOf('\n'); end >= 0 && lines <= maxLinesAtOnce; end = text.indexOf('\n', end + 1)) {
    lines += 1;
  }
  return lines <= maxLinesAtOnce;
}

/** Reads a report: a short text at once, a longer one where `readLarge` reads it. */
export function readReport(report: ReportText, readLarge: ReadReport | undefined): ReportReading | Promise<ReportReading> {
  return readLarge === undefined || isReadAtOnce(report.text)
    ? { kind: 'read', report: parseReport({ ...report, text: toPlainText(report.text) }) }
    : readLarge(report);
}
