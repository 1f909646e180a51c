import { toPlainText } from '../base/terminalText.ts';
import { parseReport } from './parsers/parseReport.ts';
import type { ParsedReport, ReportText } from './parsers/report.ts';

/** `report` is undefined for what is of no known form. */
export type ReportReading =
  | { readonly kind: 'read'; readonly report: ParsedReport | undefined }
  /** `reason` is the rest of a sentence: "it …". */
  | { readonly kind: 'gaveUp'; readonly reason: string };

/** A port: reads a text of any length, ANSI codes and all, without holding up anybody. */
export type ReadReport = (report: ReportText) => Promise<ReportReading>;

/** More is not read at once, where everybody waits. */
export const maxCharactersAtOnce = 250_000;

/** What is short is read at once; the rest where `readLarge` reads it. */
export function readReport(report: ReportText, readLarge: ReadReport | undefined): ReportReading | Promise<ReportReading> {
  return readLarge === undefined || report.text.length <= maxCharactersAtOnce
    ? { kind: 'read', report: parseReport({ ...report, text: toPlainText(report.text) }) }
    : readLarge(report);
}
