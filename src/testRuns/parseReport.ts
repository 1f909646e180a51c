import { parseCargo } from './parsers/cargo.ts';
import { parseGoJson } from './parsers/goTest.ts';
import { parseGoText } from './parsers/goText.ts';
import { parseJestText } from './parsers/jestText.ts';
import { parseJsonReport } from './parsers/jsonReport.ts';
import { parseJunit } from './parsers/junit.ts';
import { parseMochaSpec } from './parsers/mochaSpec.ts';
import { parseNodeSpec } from './parsers/nodeSpec.ts';
import { parsePytest } from './parsers/pytest.ts';
import { parseTap } from './parsers/tap.ts';
import { parseVitestText } from './parsers/vitestText.ts';
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
