// parsers/: the text of a report, or the output of a test program, becomes counts, failures and places. One file for each form; all
// read foreign text in a single pass, within the bounds of report.ts.
import { parseCargo } from './cargo.ts';
import { parseGoJson } from './goTest.ts';
import { parseGoText } from './goText.ts';
import { parseJestText } from './jestText.ts';
import { parseJsonReport } from './jsonReport.ts';
import { parseJunit } from './junit.ts';
import { parseMochaSpec } from './mochaSpec.ts';
import { parseNodeSpec } from './nodeSpec.ts';
import { parsePytest } from './pytest.ts';
import { parseTap } from './tap.ts';
import { parseVitestText } from './vitestText.ts';
import type { ParsedReport, ReportParser, ReportText } from './report.ts';

/** Made for programs first: their form cannot be mistaken, and a person's form may stand inside them. */
const parsers: readonly ReportParser[] = [
  parseJunit,
  parseJsonReport,
  parseGoJson,
  parseTap,
  parsePytest,
  parseCargo,
  parseVitestText,
  parseJestText,
  parseNodeSpec,
  parseMochaSpec,
  parseGoText,
];

/** Plain text (no ANSI codes) to results; `undefined` when it is of no known form. */
export function parseReport(report: ReportText): ParsedReport | undefined {
  for (const parse of parsers) {
    const parsed = attempt(parse, report);
    if (parsed !== undefined) {
      return parsed;
    }
  }
  return undefined;
}

/** Whatever a program of the workspace wrote, reading it must not end a run without a result. */
function attempt(parse: ReportParser, report: ReportText): ParsedReport | undefined {
  try {
    return parse(report);
  } catch {
    return undefined;
  }
}
